// The only script of the documentation's own pages: copy buttons on code blocks, and a search that runs in the browser
// over an index from this server. The pages are readable without it.

export const DOCS_SCRIPT_PATH = '/docs/docs.js';
export const DOCS_INDEX_PATH = '/docs/search.json';

/** Plain JavaScript for every browser. It creates nodes and sets text, never markup. */
export const DOCS_SCRIPT = `'use strict';
(() => {
  const node = (name, properties, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  // Room for the contents beside the page: without this script they stay folded away, and open like on a phone.
  const contents = document.querySelector('.contents');
  contents.open = matchMedia('(min-width: 64rem)').matches;
  const here = contents.querySelector('[aria-current]');
  if (here) contents.scrollTop = here.offsetTop - contents.clientHeight / 2;

  // What scrolls sideways can be scrolled by keys.
  for (const block of document.querySelectorAll('pre, table')) block.tabIndex = 0;

  // Lines that begin with a dollar sign are typed, the others of such a block are answers.
  const toCopy = (text) => {
    const typed = text.split('\\n').filter((line) => line.startsWith('$ '));
    return typed.length > 0 ? typed.map((line) => line.slice(2)).join('\\n') : text.trimEnd();
  };
  if (navigator.clipboard) {
    for (const block of document.querySelectorAll('pre')) {
      const button = node('button', { type: 'button', className: 'copy', textContent: 'Copy' });
      button.addEventListener('click', async () => {
        const done = await navigator.clipboard.writeText(toCopy(block.textContent)).then(() => 'Copied', () => 'Not copied');
        button.textContent = done;
        setTimeout(() => { button.textContent = 'Copy'; }, 2000);
      });
      const frame = node('div', { className: 'copyable' });
      block.replaceWith(frame);
      frame.append(block, button);
    }
  }

  const form = document.querySelector('.search');
  if (!form) return;
  const [field, list, said] = ['input', 'ol', '[role=status]'].map((part) => form.querySelector(part));
  form.hidden = false;
  let index = null;
  const load = () => {
    index ??= fetch('${DOCS_INDEX_PATH}').then((answer) => answer.json());
    index.catch(() => { index = null; });
    return index;
  };
  const score = ({ title, page, text }, words) => {
    let sum = 0;
    for (const word of words) {
      const found = (title.toLowerCase().includes(word) ? 4 : 0) + (page.toLowerCase().includes(word) ? 2 : 0) +
        (text.toLowerCase().includes(word) ? 1 : 0);
      if (found === 0) return 0;
      sum += found;
    }
    return sum;
  };
  const excerpt = (text, words) => {
    const at = Math.max(0, ...words.map((word) => text.toLowerCase().indexOf(word)));
    const from = Math.max(0, at - 60);
    return (from > 0 ? '… ' : '') + text.slice(from, from + 160) + (text.length > from + 160 ? ' …' : '');
  };
  const show = (entries, words) => {
    list.replaceChildren(...entries.map((entry) => node('li', {},
      node('a', { href: entry.url, textContent: entry.title }),
      node('span', { className: 'soft', textContent: ' ' + entry.page }),
      node('p', { className: 'soft', textContent: excerpt(entry.text, words) }))));
    said.textContent = words.length === 0 ? '' : entries.length === 0 ? 'Nothing found.' : entries.length + ' found.';
  };
  const search = async () => {
    const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
    try {
      const found = words.length === 0 ? [] : (await load())
        .map((entry) => ({ entry, rank: score(entry, words) }))
        .filter(({ rank }) => rank > 0)
        .sort((a, b) => b.rank - a.rank)
        .slice(0, 8)
        .map(({ entry }) => entry);
      show(found, words);
    } catch {
      said.textContent = 'The search could not be loaded. Try again.';
    }
  };
  field.addEventListener('focus', () => void load().catch(() => {}));
  field.addEventListener('input', search);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    list.querySelector('a')?.click();
  });
  form.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    field.value = '';
    void search();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea')) return;
    event.preventDefault();
    field.focus();
  });
})();
`;
