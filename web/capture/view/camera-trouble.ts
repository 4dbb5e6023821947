// Screens of a camera that is refused, missing or busy.
import { browserFamily } from '../camera/browser-family.ts';
import { canHandOff } from '../flow/end-steps.ts';
import type { Page } from '../flow/screens.ts';
import type { Content, ScreenOf } from './content.ts';
import { h } from './dom.ts';
import { anotherWay, button } from './parts.ts';
import type { ViewContext } from './view.ts';

type CameraTrouble = ScreenOf<'camera_denied' | 'camera_missing' | 'camera_busy'>;

/** Why there is no camera, how to mend it, and what else can be done. */
export function cameraTrouble(page: Page, screen: CameraTrouble, context: ViewContext): Content {
  const { texts } = context;
  const { name } = screen;
  const trouble = {
    camera_denied: texts.cameraDenied,
    camera_missing: texts.cameraMissing,
    camera_busy: texts.cameraBusy,
  }[name];
  const again = retryCamera(screen, trouble.retry, context);
  const another = anotherWay(page, texts);
  const content = { icon: name === 'camera_busy' ? 'camera' : 'camera_off', tone: 'warn' } as const;
  if (name === 'camera_denied') {
    const words = texts.cameraDenied;
    // Only the page around can mend that; a tab of its own asks anew.
    if (screen.framed) {
      return {
        ...content,
        title: words.title,
        body: words.framed,
        actions: [openTab(context), again, another],
      };
    }
    const { first, second } = words.help[browserFamily(context.browser)];
    const steps = [first, second, words.comeBack];
    const { title, body } = words;
    return { ...content, title, body, steps, actions: [again, usePhone(page, context, 'quiet'), another] };
  }
  const { title, body } = trouble;
  return { ...content, title, body, actions: [again, usePhone(page, context, 'quiet'), another] };
}

/** Asks again. Safari on iOS keeps a refusal until the page is loaded anew, which loses nothing here. */
function retryCamera({ name, ...screen }: CameraTrouble, label: string, context: ViewContext): Node {
  const anew = name === 'camera_denied' && browserFamily(context.browser) === 'ios_safari';
  const press = () => (anew ? location.reload() : context.dispatch({ type: 'open_camera' }));
  // Where a tab of its own is the way on, asking again is the second one.
  const kind = 'framed' in screen && screen.framed ? 'quiet' : 'primary';
  return button({ label, action: 'retry-camera', kind, press }).root;
}

function openTab(context: ViewContext): HTMLAnchorElement {
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

/** Takes the check to a phone; null where that is no way on. */
export function usePhone(page: Page, context: ViewContext, kind: 'primary' | 'quiet'): Node | null {
  if (!canHandOff(page, 'phone')) return null;
  const press = () => context.dispatch({ type: 'hand_off', target: 'phone' });
  const { usePhone: label } = context.texts.welcome;
  return button({ label, action: 'use-phone', kind, icon: 'phone', press }).root;
}
