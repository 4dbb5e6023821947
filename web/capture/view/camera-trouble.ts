// Screens for a camera that is denied, missing or busy.
import { browserFamily } from '../camera/browser-family.ts';
import { canHandOff } from '../flow/end-steps.ts';
import type { Page } from '../flow/screens.ts';
import type { Content, ScreenOf } from './content.ts';
import { h } from './dom.ts';
import { anotherWay, type ButtonKind, button } from './parts.ts';
import type { ViewContext } from './view.ts';

type CameraTrouble = ScreenOf<'camera_denied' | 'camera_missing' | 'camera_busy'>;

/** Why there is no camera, how to fix that, and what else the person can do. */
export function cameraTrouble(page: Page, screen: CameraTrouble, context: ViewContext): Content {
  const { texts } = context;
  const { name } = screen;
  const trouble = {
    camera_denied: texts.cameraDenied,
    camera_missing: texts.cameraMissing,
    camera_busy: texts.cameraBusy,
  }[name];
  const isDismissed = screen.name === 'camera_denied' && screen.refusal === 'dismissed';
  const again = retryCamera(screen, isDismissed ? texts.asking.retry : trouble.retry, context);
  const another = anotherWay(page, texts);
  const content = { icon: name === 'camera_busy' ? 'camera' : 'camera_off', tone: 'warn' } as const;
  if (name === 'camera_denied') return { ...content, ...denied(page, screen, again, context) };
  const { title, body } = trouble;
  return { ...content, title, body, actions: [again, usePhone(page, context, 'quiet'), another] };
}

/** Which settings deny it, and so who can allow it, and where. */
function denied(
  page: Page,
  { refusal }: ScreenOf<'camera_denied'>,
  again: Node,
  context: ViewContext,
): Pick<Content, 'title' | 'body' | 'steps' | 'actions'> {
  const { cameraDenied: words, asking } = context.texts;
  const another = anotherWay(page, context.texts);
  const actions = [again, usePhone(page, context, 'quiet'), another];
  const { title, body } = words;
  switch (refusal) {
    // Only the embedding page can fix that; a separate tab asks anew.
    case 'by_frame':
      return { title, body: words.framed, actions: [openTab(context), again, another] };
    // Only those who run the site can mend its headers.
    case 'by_site':
      return { title, body: words.site, actions: [again, another] };
    case 'by_device':
      return { title, body: words.device, actions };
    // Nothing is blocked, and no setting would help: the permission prompt was closed without an answer.
    case 'dismissed':
      return { title: asking.title, body: asking.body, actions };
    case 'blocked': {
      const { first, second } = words.help[browserFamily(context.browser)];
      return { title, body, steps: [first, second, words.comeBack], actions };
    }
  }
}

/** Asks again. Safari on iOS keeps a refusal until the page is reloaded, which loses nothing here. */
function retryCamera({ name, ...screen }: CameraTrouble, label: string, context: ViewContext): Node {
  const anew = name === 'camera_denied' && browserFamily(context.browser) === 'ios_safari';
  const press = () => (anew ? location.reload() : context.dispatch({ type: 'open_camera' }));
  // Where a separate tab is the main way forward, asking again is the second.
  const kind = 'refusal' in screen && screen.refusal === 'by_frame' ? 'quiet' : 'primary';
  return button({ label, action: 'retry-camera', kind, press }).root;
}

/** Link that takes the check out of its frame, to a tab of its own. */
export function openTab(context: ViewContext): HTMLAnchorElement {
  const link = h(
    'a',
    {
      class: 'button button--primary',
      href: context.linkTo('tab'),
      target: '_blank',
      rel: 'noopener',
      'data-action': 'open-tab',
    },
    context.texts.cameraDenied.openTab,
  );
  link.addEventListener('click', () => context.dispatch({ type: 'hand_off', target: 'tab' }));
  return link;
}

/** Button that takes the check to a phone; null where that is not possible. */
export function usePhone(page: Page, context: ViewContext, kind: ButtonKind): Node | null {
  if (!canHandOff(page, 'phone')) return null;
  const press = () => context.dispatch({ type: 'hand_off', target: 'phone' });
  const { usePhone: label } = context.texts.welcome;
  return button({ label, action: 'use-phone', kind, icon: 'phone', press }).root;
}
