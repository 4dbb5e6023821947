// What the person may say they cannot do: a box for each, where the client allows it to be left out; and the client's
// other way, which comes first once they can do nothing that is asked.
import { otherWayFirst } from '../flow/cannot.ts';
import { CANNOT, type Cannot, type Page } from '../flow/screens.ts';
import { h, setText } from './dom.ts';
import { anotherWay, type Button } from './parts.ts';
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

/**
 * Returns the update that leads a person who can do nothing that is asked to the client's other way. It becomes the
 * first and primary action; the capture comes second, or not at all where not everything may be left out.
 * @param usual the link to that way elsewhere on the screen, hidden meanwhile; null: there is none
 */
export function leadElsewhere(
  page: Page,
  context: ViewContext,
  {
    boxes,
    actions,
    capture,
    usual,
  }: {
    boxes: HTMLElement | null;
    actions: HTMLElement;
    capture: Button;
    usual: HTMLElement | null;
  },
): (now: Page) => void {
  const { texts } = context;
  const way = anotherWay(page, texts, 'primary');
  return (now) => {
    const first = otherWayFirst(now);
    if (!way || first === actions.contains(way)) return;
    if (first) actions.prepend(way);
    else way.remove();
    usual?.toggleAttribute('hidden', first);
    capture.become(first ? 'quiet' : 'primary');
    capture.root.hidden = first && now.neither;
    if (boxes) uncover(boxes, actions);
    if (first && !now.neither) context.announce(texts.anotherWay);
  };
}

/** Where actions stay at the window's foot, more of them cover more of the text. */
function uncover(boxes: HTMLElement, actions: HTMLElement): void {
  const coveredPx = boxes.getBoundingClientRect().bottom - actions.getBoundingClientRect().top;
  if (coveredPx > 0) scrollBy(0, coveredPx);
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
