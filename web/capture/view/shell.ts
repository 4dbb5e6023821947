// The frame around the screens: the bar, the live regions, and the change from one screen to the next.
import type { Page, ScreenName } from '../flow/screens.ts';
import { createAnnouncer } from './announcer.ts';
import { askingView } from './asking.ts';
import { createBar } from './bar.ts';
import { deviceView } from './device.ts';
import { h } from './dom.ts';
import { handOffView } from './hand-off.ts';
import { messageView } from './message.ts';
import { titleOf } from './parts.ts';
import { progressView } from './progress.ts';
import { stageView } from './stage.ts';
import type { MakeView, View, ViewContext } from './view.ts';
import { waitingView } from './waiting.ts';
import { privacyView, startView } from './welcome.ts';

/** Screens that are more than a message; a view shared by several screens is kept between them. */
const VIEWS: Partial<Record<ScreenName, MakeView>> = {
  boot: bootView,
  privacy: privacyView,
  start: startView,
  hand_off: handOffView,
  camera_asking: askingView,
  position: stageView,
  preparing: stageView,
  recording: stageView,
  waiting: waitingView,
  device: deviceView,
  uploading: progressView,
  processing: progressView,
};

export interface Shell {
  render(page: Page): void;
  /** Called when voices have been added or removed. */
  refreshBar(): void;
}

/**
 * Creates the shell, empty until the first `render`.
 * @param logoUrl this challenge's logo, on our own origin
 */
export function createShell(
  app: HTMLElement,
  context: Omit<ViewContext, 'announce'>,
  logoUrl: string,
): Shell {
  const polite = h('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
  const assertive = h('div', { class: 'unseen', role: 'alert', 'aria-live': 'assertive' });
  const bar = createBar(context, logoUrl);
  const main = h('main', { class: 'main', 'aria-labelledby': 'screen-title' });
  app.replaceChildren(bar.root, main, polite, assertive);
  const announcer = createAnnouncer(polite, assertive, context.voice.say);
  const full: ViewContext = {
    ...context,
    announce: (text, urgency = 'polite') => announcer.say(text, urgency),
  };
  let current: { make: MakeView; name: ScreenName; view: View } | null = null;

  return {
    refreshBar: bar.refresh,
    render: (page) => {
      const { screen } = page;
      markRoot(page);
      bar.show(page);
      const make = VIEWS[screen.name] ?? messageView;
      const sameView = current?.make === make && (make !== messageView || current.name === screen.name);
      if (current && sameView) {
        keepFocus(main, () => current?.view.update(page));
        return;
      }
      current?.view.release?.();
      announcer.clear();
      const first = current === null || current.name === 'boot';
      current = { make, name: screen.name, view: make(page, full) };
      main.replaceChildren(current.view.root);
      window.scrollTo(0, 0);
      const title = main.querySelector<HTMLElement>('#screen-title');
      document.title = title?.textContent || context.texts.documentTitle;
      // The first screen leaves the focus where the browser put it; each later one moves it to its heading.
      if (!first) title?.focus({ preventScroll: true });
      context.voice.say(title?.textContent ?? '');
    },
  };
}

/**
 * An update may remove the focused element, such as the button that was just pressed. The heading then takes the focus;
 * otherwise people who use a keyboard or a screen reader would start again at the top of the page.
 */
function keepFocus(main: HTMLElement, change: () => void): void {
  const held = main.contains(document.activeElement);
  change();
  const { activeElement } = document;
  const isLost = !main.contains(activeElement) || activeElement?.getClientRects().length === 0;
  if (held && isLost) main.querySelector<HTMLElement>('#screen-title')?.focus({ preventScroll: true });
}

/** Sets what is shown as attributes of the root element, for styles and tests. */
function markRoot({ screen, busy }: Page): void {
  const root = document.documentElement;
  root.toggleAttribute('data-busy', busy);
  root.dataset.state = screen.name;
  const prompt = screen.name === 'recording' ? screen.asked?.prompt : undefined;
  if (prompt) root.dataset.prompt = prompt;
  else delete root.dataset.prompt;
}

function bootView(_page: Page, { texts }: ViewContext): View {
  const title = titleOf(texts.loading);
  title.classList.add('unseen');
  const spinner = h('div', { class: 'spinner', 'aria-hidden': 'true' });
  return { root: h('div', { class: 'screen screen--boot' }, spinner, title), update: () => undefined };
}
