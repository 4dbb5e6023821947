// What the person may say they cannot do: a box for each, where the client allows it to be left out.
import { CANNOT, type Cannot, type Page } from '../flow/screens.ts';
import { h, setText } from './dom.ts';
import type { ViewContext } from './view.ts';

interface CannotBoxes {
  readonly root: HTMLElement;
  update(page: Page): void;
}

/** Null where nothing may be left out. */
export function cannotBoxes({ challenge }: Page, context: ViewContext): CannotBoxes | null {
  if (!challenge || challenge.accessible_ways.length === 0) return null;
  const words = context.texts.cannot;
  const boxes = new Map(CANNOT.map((what) => [what, boxOf(what, context)]));
  const note = h('p', { class: 'note' });
  const root = h(
    'div',
    { class: 'cannot' },
    ...[...boxes].map(([what, box]) =>
      h('label', { class: 'checkbox', for: box.id }, box, h('span', {}, words[what])),
    ),
    note,
  );
  const update = ({ cannot, neither }: Page) => {
    for (const [what, box] of boxes) box.checked = cannot.includes(what);
    const text = neither ? words.neither({ account: challenge.account.display_name }) : '';
    if (text !== '' && note.textContent !== text) context.announce(text);
    setText(note, text);
  };
  return { root, update };
}

function boxOf(what: Cannot, context: ViewContext): HTMLInputElement {
  const box = h('input', {
    type: 'checkbox',
    id: `cannot-${what}`,
    class: 'checkbox__box',
    'data-action': `cannot-${what}`,
  });
  box.addEventListener('change', () => context.dispatch({ type: 'cannot', what, on: box.checked }));
  return box;
}
