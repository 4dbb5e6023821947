// Repairs the library's markup where it keeps people with a keyboard or a screen reader out (WCAG 2.2, 2.1.1, 2.5.3 and
// 4.1.2). The library renders with Vue, which writes an attribute only when its own value changes: what is set here
// stays, and is set again after each re-render.

const found = <Kind extends HTMLElement = HTMLElement>(selector: string) =>
  document.querySelectorAll<Kind>(selector);

/** Writes what differs only: each change of a watched attribute starts another round. */
function set(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Moves the value of an attribute to one that the element's role has. */
function rename(element: Element, from: string, to: string): void {
  const value = element.getAttribute(from);
  if (value === null) return;
  element.removeAttribute(from);
  element.setAttribute(to, value);
}

/** Buttons that say to be something else: a search field, or nothing. The first has its name from its text again. */
function mendButtons(): void {
  for (const button of found('button:is([role=search], [role=none])')) button.removeAttribute('role');
  // Who speaks to the computer says what is to be read on the button.
  for (const button of found('button.show-more[aria-label^="Show all"]'))
    set(button, 'aria-label', button.ariaLabel!.replace('Show all', 'Show More:'));
  // Only tabs and options can be selected. Which page of the sidebar is shown has a word of its own.
  for (const button of found('nav button[aria-selected]:not([role=tab])'))
    rename(button, 'aria-selected', 'aria-current');
  // Buttons of the code of a part that is shut point to what is not there.
  for (const button of found('[class~="group/copy-button"]:is([aria-controls], [data-controls])')) {
    button.dataset.controls = button.getAttribute('aria-controls') ?? button.dataset.controls!;
    if (document.getElementById(button.dataset.controls))
      set(button, 'aria-controls', button.dataset.controls);
    else button.removeAttribute('aria-controls');
  }
  // Mere text within a button is no stop of its own.
  for (const type of found('button > * > .selected-content-type[tabindex]')) type.removeAttribute('tabindex');
}

/** The languages call themselves tabs, whose list may hold nothing else: it holds a menu too. */
function mendLanguages(): void {
  const card = '.scalar-reference-intro-clients';
  for (const list of found(`${card} [role=tablist]`)) set(list, 'role', 'toolbar');
  for (const tab of found(`${card} [role=tab]`)) tab.removeAttribute('role');
  for (const button of found(`${card} button[aria-selected]`))
    rename(button, 'aria-selected', 'aria-pressed');
  for (const panel of found(`${card} [role=tabpanel]`)) set(panel, 'role', 'group');
}

/** The operations at the head of a tag are links without an address, which no keyboard reaches. */
function mendLinks(): void {
  for (const link of found('a.endpoint:not([tabindex])')) {
    set(link, 'role', 'link');
    set(link, 'tabindex', '0');
    link.addEventListener('keydown', ({ key }) => key === 'Enter' && link.click());
  }
}

/** What a field is called on the page: its label, or its part, its column and the key in its row. */
function nameOf(field: Element): string {
  const label = document.querySelector(`label[for="${CSS.escape(field.closest('[id]')?.id ?? '')}"]`);
  const part = field.closest('section')?.querySelector('h2')?.textContent ?? '';
  const cell = field.closest('td');
  const [head, row] = [field.closest('table')?.rows[0], field.closest('tr')];
  const column = cell && row !== head ? head?.cells[cell.cellIndex]?.textContent?.trim() : '';
  const key = column && column !== 'Key' ? row?.cells[1] : undefined;
  const line = key?.querySelector('.cm-line');
  const written = line?.querySelector('.cm-placeholder') ? '' : ((line ?? key)?.textContent ?? '');
  return label?.textContent?.trim() ?? [part, column, written].filter(Boolean).join(', ');
}

/** Fields that name themselves by their looks alone. */
function mendFields(): void {
  for (const field of found('.cm-content[role=textbox], td input[type=checkbox]'))
    if (!field.hasAttribute('aria-labelledby') && nameOf(field) !== '')
      set(field, 'aria-label', nameOf(field));
  // Of what can be read but not written, too, the end is to be reached with keys.
  for (const field of found('.cm-content:not([tabindex])')) set(field, 'tabindex', '0');
  for (const search of found<HTMLInputElement>('input[role=combobox]')) {
    const list = document.getElementById(search.getAttribute('aria-controls') ?? '');
    set(search, 'aria-expanded', String(list !== null));
    if (!search.hasAttribute('aria-label')) set(search, 'aria-label', search.placeholder || 'Search');
  }
}

/** The examples of every operation are a region of the same name: the operation's own name follows it. */
function mendRegions(): void {
  for (const region of found(
    'section [role=region].response-card[aria-labelledby]:not([aria-labelledby*=" "])',
  )) {
    const operation = region.closest('section')!.getAttribute('aria-labelledby');
    if (operation) set(region, 'aria-labelledby', `${region.getAttribute('aria-labelledby')} ${operation}`);
  }
}

/**
 * The dialog for calls says to be modal, and screen readers still leave it for the page behind. The library lets that
 * page scroll no more as long as the dialog is open. At once: the focus returns into the page as the dialog closes.
 */
function shutPageBehindDialog(): void {
  const open = document.body.style.overflow === 'hidden';
  for (const part of found(
    '.top, .references-layout > :not(:has([aria-modal])), .references-layout ~ section',
  ))
    part.inert = open;
}

/** Mends the page whenever it changes, ten times a second at most. */
export function keepMended(): void {
  let waits = false;
  const mend = () => {
    waits = false;
    for (const part of [mendButtons, mendLanguages, mendLinks, mendFields, mendRegions]) part();
  };
  new MutationObserver(() => {
    if (!waits) setTimeout(mend, 100);
    waits = true;
  }).observe(document.body, {
    subtree: true,
    childList: true,
    characterData: true,
    attributeFilter: ['role', 'tabindex', 'aria-selected', 'aria-label', 'aria-labelledby', 'aria-controls'],
  });
  new MutationObserver(shutPageBehindDialog).observe(document.body, { attributeFilter: ['style'] });
}
