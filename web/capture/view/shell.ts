// The frame round the screens: the account's bar, the live regions, and the change from one screen to the next.
import type { CaptureState } from '../../../src/contract/capture-page.ts';
import type { Page, ScreenName } from '../flow/screens.ts';
import { h } from './dom.ts';
import { messageView } from './message.ts';
import { titleOf } from './parts.ts';
import { progressView } from './progress.ts';
import { stageView } from './stage.ts';
import type { MakeView, View, ViewContext } from './view.ts';
import { askingView, privacyView, startView } from './welcome.ts';

/** Screens that are more than a message; those that share a view keep it between them. */
const VIEWS: Partial<Record<ScreenName, MakeView>> = {
  boot: bootView,
  privacy: privacyView,
  start: startView,
  camera_asking: askingView,
  position: stageView,
  preparing: stageView,
  recording: stageView,
  uploading: progressView,
  processing: progressView,
};

export interface Shell {
  render(page: Page): void;
}

/** @param logoUrl where this challenge's logo lies, on our own origin */
export function createShell(
  app: HTMLElement,
  context: Omit<ViewContext, 'announce'>,
  logoUrl: string,
): Shell {
  const polite = h('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
  const assertive = h('div', { class: 'unseen', role: 'alert', 'aria-live': 'assertive' });
  const bar = h('header', { class: 'bar' });
  const main = h('main', { class: 'main', 'aria-labelledby': 'screen-title' });
  app.replaceChildren(bar, main, polite, assertive);
  const full: ViewContext = {
    ...context,
    announce: (text, urgency = 'polite') => {
      (urgency === 'assertive' ? assertive : polite).textContent = text;
    },
  };
  let current: { make: MakeView; name: ScreenName; view: View } | null = null;
  let named: string | null = null;

  const showBar = (challenge: CaptureState | null) => {
    const key = challenge ? `${challenge.account.display_name} ${challenge.style.logo}` : null;
    if (key === named || !challenge) return;
    named = key;
    const name = h('span', { class: 'bar__name' }, challenge.account.display_name);
    const badge = challenge.sandbox ? h('span', { class: 'bar__sandbox' }, context.texts.sandbox) : null;
    bar.replaceChildren(challenge.style.logo ? logo(logoUrl, challenge.account.display_name, name) : name);
    if (badge) bar.append(badge);
  };

  return {
    render: (page) => {
      const { screen } = page;
      const root = document.documentElement;
      root.dataset.state = screen.name;
      const prompt =
        screen.name === 'recording' && screen.step !== null
          ? screen.capture.script.steps[screen.step]?.prompt
          : undefined;
      if (prompt) root.dataset.prompt = prompt;
      else delete root.dataset.prompt;
      showBar(page.challenge);
      const make = VIEWS[screen.name] ?? messageView;
      const sameView = current?.make === make && (make !== messageView || current.name === screen.name);
      if (current && sameView) {
        current.view.update(page);
        return;
      }
      current?.view.release?.();
      const first = current === null || current.name === 'boot';
      current = { make, name: screen.name, view: make(page, full) };
      main.replaceChildren(current.view.root);
      window.scrollTo(0, 0);
      const title = main.querySelector<HTMLElement>('#screen-title');
      document.title = title?.textContent || context.texts.documentTitle;
      // The first screen leaves the focus where the browser has it; each later one starts at its heading.
      if (!first) title?.focus({ preventScroll: true });
    },
  };
}

/** The logo in a box of fixed height; the account's name stands in until it has loaded, and if it does not. */
function logo(url: string, name: string, fallback: HTMLElement): HTMLElement {
  const image = h('img', { class: 'logo__image', alt: name, decoding: 'async', hidden: true });
  const box = h('span', { class: 'logo' }, fallback, image);
  image.addEventListener('load', () => {
    image.hidden = false;
    fallback.remove();
    box.dataset.loaded = '';
  });
  image.src = url;
  return box;
}

function bootView(_page: Page, { texts }: ViewContext): View {
  const title = titleOf(texts.loading);
  title.classList.add('unseen');
  const spinner = h('div', { class: 'spinner', 'aria-hidden': 'true' });
  return { root: h('div', { class: 'screen screen--boot' }, spinner, title), update: () => undefined };
}
