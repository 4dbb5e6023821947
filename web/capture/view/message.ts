// Screens that say one thing: camera trouble, another try, the end, every dead end.

import { browserFamily } from '../camera/browser-family.ts';
import type { DeadEnd, Page, ScreenName } from '../flow/screens.ts';
import type { Texts } from '../texts/texts.ts';
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
};

/** The message screen of a page; null when its screen is none. */
export function messageContent(page: Page, context: ViewContext): Content | null {
  const { screen, challenge } = page;
  const { texts } = context;
  switch (screen.name) {
    case 'camera_denied':
    case 'camera_missing':
    case 'camera_busy':
      return cameraTrouble(screen.name, context);
    case 'declined':
      return {
        icon: 'hand',
        tone: 'brand',
        ...texts.declined,
        actions: [
          screen.redirectUrl === null ? null : leaveLink(texts.declined.leave, screen.redirectUrl, 'primary'),
          act(context, texts.declined.changeMind, 'change-mind', { type: 'begin' }, 'quiet'),
        ],
      };
    case 'retry': {
      const reasons: Readonly<Record<string, { title: string; body: string }>> = texts.retry.reasons;
      const reason = reasons[screen.reason] ?? texts.retry.reasons.unknown;
      return {
        icon: 'again',
        tone: 'warn',
        eyebrow: texts.retry.title,
        ...reason,
        note: screen.triesLeft === null ? null : texts.retry.triesLeft(screen.triesLeft),
        actions: [act(context, texts.retry.again, 'try-again', { type: 'open_camera' })],
      };
    }
    case 'done': {
      const { redirectUrl } = screen;
      const account = challenge?.account.display_name ?? '';
      return {
        icon: 'check',
        tone: 'good',
        title: texts.done.title,
        body: redirectUrl === null ? texts.done.close : texts.done.redirecting(account),
        actions: [redirectUrl === null ? null : leaveLink(texts.done.continue, redirectUrl, 'primary')],
      };
    }
    case 'failed':
      return {
        icon: screen.fault === 'offline' ? 'offline' : 'alert',
        tone: 'warn',
        ...texts.failed[screen.fault],
        actions: [act(context, texts.failed.retry, 'reload', { type: 'reload' })],
      };
    default:
      return deadEnd(screen.name, texts);
  }
}

function deadEnd(name: ScreenName, texts: Texts): Content | null {
  if (!(name in DEAD_END_ICONS)) return null;
  const end = name as DeadEnd;
  return { icon: DEAD_END_ICONS[end], tone: end === 'used' ? 'good' : 'brand', ...texts.deadEnds[end] };
}

function cameraTrouble(
  name: 'camera_denied' | 'camera_missing' | 'camera_busy',
  context: ViewContext,
): Content {
  const { texts } = context;
  const trouble = {
    camera_denied: texts.cameraDenied,
    camera_missing: texts.cameraMissing,
    camera_busy: texts.cameraBusy,
  }[name];
  const family = browserFamily(navigator.userAgent, navigator.maxTouchPoints);
  return {
    icon: name === 'camera_busy' ? 'camera' : 'camera_off',
    tone: 'warn',
    title: trouble.title,
    body: trouble.body,
    ...(name === 'camera_denied' ? { steps: texts.cameraDenied.help[family] } : {}),
    actions: [act(context, trouble.retry, 'retry-camera', { type: 'open_camera' })],
  };
}

function act(
  context: ViewContext,
  label: string,
  action: string,
  event: Parameters<ViewContext['dispatch']>[0],
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
