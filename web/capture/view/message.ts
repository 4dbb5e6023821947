// Screens that say one thing: camera trouble, another try, the end, every dead end.

import { browserFamily, outsideAddress } from '../camera/browser-family.ts';
import type { DeadEnd, Page, PageEvent, Screen, ScreenName } from '../flow/screens.ts';
import type { Message } from '../texts/texts.ts';
import { h } from './dom.ts';
import type { IconName } from './icons.ts';
import { badge, button, leaveLink, legalLinks, type Tone, titleOf } from './parts.ts';
import type { MakeView, ViewContext } from './view.ts';

interface Content {
  readonly icon: IconName;
  readonly tone: Tone;
  readonly eyebrow?: string;
  readonly title: string;
  readonly body: string;
  readonly steps?: readonly string[];
  readonly note?: string | null;
  readonly actions?: readonly (Node | null)[];
}

const DEAD_END_ICONS: Readonly<Record<DeadEnd, IconName>> = {
  unsupported: 'browser',
  insecure: 'lock',
  unknown_link: 'link_off',
  expired: 'clock',
  used: 'check',
  other_device: 'devices',
  cancelled: 'cross',
  no_tries: 'again',
  busy: 'clock',
  unavailable: 'alert',
};

/** The message screen of a page; null when its screen is none. */
export function messageContent(page: Page, context: ViewContext): Content | null {
  const { screen } = page;
  switch (screen.name) {
    case 'camera_denied':
    case 'camera_missing':
    case 'camera_busy':
      return cameraTrouble(page, screen, context);
    case 'in_app':
      return inApp(context);
    case 'sandbox':
      return sandbox(page, context);
    case 'left':
      return left(screen, context);
    case 'declined':
      return declined(screen, context);
    case 'retry':
      return retry(page, screen, context);
    case 'done':
      return done(page, screen, context);
    case 'failed':
      return failed(screen, context);
    default:
      return deadEnd(page, context);
  }
}

type ScreenOf<Name extends ScreenName> = Extract<Screen, { readonly name: Name }>;

function left({ redirectUrl }: ScreenOf<'left'>, context: ViewContext): Content {
  const words = context.texts.left;
  const actions = [
    act(context, words.resume, 'resume', { type: 'begin' }),
    redirectUrl === null ? null : leaveLink(words.leave, redirectUrl, 'quiet'),
  ];
  return { icon: 'hand', tone: 'brand', ...words, actions };
}

function declined({ redirectUrl }: ScreenOf<'declined'>, context: ViewContext): Content {
  const words = context.texts.declined;
  const actions = [
    redirectUrl === null ? null : leaveLink(words.leave, redirectUrl, 'primary'),
    act(context, words.changeMind, 'change-mind', { type: 'begin' }, 'quiet'),
  ];
  return { icon: 'hand', tone: 'brand', ...words, actions };
}

function retry(page: Page, { reason, triesLeft }: ScreenOf<'retry'>, context: ViewContext): Content {
  const { retry: words, failed } = context.texts;
  // The server may know reasons that this page does not.
  const reasons: Readonly<Record<string, Message>> = words.reasons;
  const told = reason === 'page_fault' ? failed.server : (reasons[reason] ?? words.reasons.unknown);
  return {
    icon: 'again',
    tone: 'warn',
    eyebrow: words.title,
    ...told,
    note: triesLeft === null ? null : words.triesLeft({ tries: triesLeft }),
    actions: [
      act(context, words.again, 'try-again', { type: 'open_camera' }),
      page.challenge?.accessible_way && !page.accessible
        ? act(context, context.texts.stage.accessible, 'accessible', { type: 'accessible' }, 'quiet')
        : null,
    ],
  };
}

function done({ challenge }: Page, screen: ScreenOf<'done'>, { texts }: ViewContext): Content {
  const { redirectUrl, handedOver } = screen;
  const account = challenge?.account.display_name ?? '';
  const stays = redirectUrl === null || handedOver !== null;
  const closing = handedOver === 'phone' ? texts.handOff.goBack : texts.done.close;
  return {
    icon: 'check',
    tone: 'good',
    title: texts.done.title,
    body: stays ? closing : texts.done.redirecting({ account }),
    actions: [
      // Where another tab goes on by itself, the way from here is there for when that one was closed.
      redirectUrl === null
        ? null
        : leaveLink(texts.done.continue, redirectUrl, handedOver === null ? 'primary' : 'quiet'),
    ],
  };
}

function failed({ fault }: ScreenOf<'failed'>, context: ViewContext): Content {
  const { failed: words, tooMany } = context.texts;
  return {
    icon: fault === 'offline' ? 'offline' : 'alert',
    tone: 'warn',
    ...(fault === 'too_many' ? tooMany : words[fault]),
    actions: [act(context, words.retry, 'reload', { type: 'reload' })],
  };
}

function deadEnd(page: Page, context: ViewContext): Content | null {
  const { name } = page.screen;
  if (!(name in DEAD_END_ICONS)) return null;
  const end = name as DeadEnd;
  const { texts } = context;
  const words = { ...texts.deadEnds, busy: texts.tooMany, unavailable: texts.failed.server };
  return {
    icon: DEAD_END_ICONS[end],
    tone: end === 'used' ? 'good' : end === 'unavailable' ? 'warn' : 'brand',
    ...words[end],
    actions: deadEndActions(page, end, context),
  };
}

function deadEndActions(page: Page, end: DeadEnd, context: ViewContext): (Node | null)[] {
  const { texts } = context;
  if (end === 'unsupported') return [usePhone(page, context, 'primary')];
  if (end === 'busy' || end === 'unavailable') {
    const press = () => location.reload();
    return [button({ label: texts.failed.retry, action: 'reload', press }).root];
  }
  const back = (page.challenge ?? page.deadLink?.owner)?.exit_redirect_url;
  return back ? [leaveLink(texts.goBack, back, 'quiet')] : [];
}

type CameraTrouble = ScreenOf<'camera_denied' | 'camera_missing' | 'camera_busy'>;

function cameraTrouble(page: Page, screen: CameraTrouble, context: ViewContext): Content {
  const { texts } = context;
  const { name } = screen;
  const trouble = {
    camera_denied: texts.cameraDenied,
    camera_missing: texts.cameraMissing,
    camera_busy: texts.cameraBusy,
  }[name];
  const again = retryCamera(screen, trouble.retry, context);
  const content = { icon: name === 'camera_busy' ? 'camera' : 'camera_off', tone: 'warn' } as const;
  if (name === 'camera_denied') {
    const words = texts.cameraDenied;
    // Only the page around can mend that; a tab of its own asks anew.
    if (screen.framed) {
      return { ...content, title: words.title, body: words.framed, actions: [openTab(context), again] };
    }
    const { first, second } = words.help[browserFamily(context.browser)];
    const steps = [first, second, words.comeBack];
    const { title, body } = words;
    return { ...content, title, body, steps, actions: [again, usePhone(page, context, 'quiet')] };
  }
  const { title, body } = trouble;
  return { ...content, title, body, actions: [again, usePhone(page, context, 'quiet')] };
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

function usePhone({ setting }: Page, context: ViewContext, kind: 'primary' | 'quiet'): Node | null {
  if (!setting.computer || setting.handedOver !== null) return null;
  const press = () => context.dispatch({ type: 'hand_off', target: 'phone' });
  const { usePhone: label } = context.texts.welcome;
  return button({ label, action: 'use-phone', kind, icon: 'phone', press }).root;
}

/** One button for each way that a sandbox challenge can end. */
function sandbox({ challenge }: Page, context: ViewContext): Content {
  const { title, body, outcomes } = context.texts.sandbox;
  const actions = (challenge?.sandbox_outcomes ?? []).map((outcome) =>
    act(
      context,
      outcomes[outcome],
      `end-as-${outcome}`,
      { type: 'end_as', outcome },
      outcome === 'pass' ? 'primary' : 'quiet',
    ),
  );
  return { icon: 'list', tone: 'brand', title, body, actions };
}

/** Out of an app's own browser: by its address for the phone's browser, or by hand. */
function inApp(context: ViewContext): Content {
  const words = context.texts.inApp;
  const link = context.linkTo(null);
  const copy = button({
    label: words.copy,
    action: 'copy-link',
    kind: 'quiet',
    press: () => {
      navigator.clipboard?.writeText(link).then(
        () => {
          copy.relabel(words.copied);
          context.announce(words.copied);
        },
        () => prompt(words.copy, link),
      );
    },
  });
  const open = h(
    'a',
    {
      class: 'button button--primary',
      href: outsideAddress(link, context.browser),
      'data-action': 'open-outside',
    },
    words.open,
  );
  return { icon: 'browser', tone: 'brand', title: words.title, body: words.body, actions: [open, copy.root] };
}

function act(
  context: ViewContext,
  label: string,
  action: string,
  event: PageEvent,
  kind: 'primary' | 'quiet' = 'primary',
): Node {
  return button({ label, action, kind, press: () => context.dispatch(event) }).root;
}

/** Draws a message screen. */
export const messageView: MakeView = (page, context) => {
  const content = messageContent(page, context);
  if (!content) throw new Error(`no message for ${page.screen.name}`);
  const { steps, note, eyebrow, actions } = content;
  const buttons = actions?.filter((action): action is Node => action !== null) ?? [];
  const root = h(
    'div',
    { class: 'screen screen--message' },
    h(
      'div',
      { class: 'screen__content' },
      badge(content.icon, content.tone),
      eyebrow ? h('p', { class: 'eyebrow' }, eyebrow) : null,
      titleOf(content.title),
      h('p', { class: 'lead' }, content.body),
      steps ? h('ol', { class: 'help' }, ...steps.map((step) => h('li', {}, step))) : null,
      note ? h('p', { class: 'note' }, note) : null,
    ),
    buttons.length > 0 ? h('div', { class: 'actions' }, ...buttons) : null,
    page.screen.name === 'declined' ? legalLinks(context.texts, page.challenge) : null,
  );
  return { root, update: () => undefined };
};
