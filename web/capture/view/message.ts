// Screens that say one thing: camera trouble, another try, the end, and every dead end.

import { leadsToRecording } from '../../../src/contract/next-recording.ts';
import { otherWayFirst } from '../flow/cannot.ts';
import { faultOfDevice } from '../flow/end-steps.ts';
import type { DeadEnd, Page, PageEvent } from '../flow/screens.ts';
import type { Message } from '../texts/texts.ts';
import { cameraTrouble, usePhone } from './camera-trouble.ts';
import { cannotBoxes } from './cannot.ts';
import type { Content, ScreenOf } from './content.ts';
import { deviceMissing } from './device.ts';
import { h } from './dom.ts';
import type { IconName } from './icons.ts';
import {
  anotherWay,
  type ButtonKind,
  badge,
  button,
  leaveLink,
  legalLinks,
  linkCopy,
  outsideLinks,
  titleOf,
} from './parts.ts';
import type { MakeView, ViewContext } from './view.ts';

const DEAD_END_ICONS: Readonly<Record<DeadEnd, IconName>> = {
  unsupported: 'browser',
  insecure: 'lock',
  sandboxed_frame: 'camera_off',
  unknown_link: 'link_off',
  expired: 'clock',
  used: 'check',
  other_device: 'devices',
  cancelled: 'cross',
  no_tries: 'again',
  busy: 'clock',
  unavailable: 'alert',
};

/** The content of a page's message screen; null if its screen is not one. */
export function messageContent(page: Page, context: ViewContext): Content | null {
  const { screen } = page;
  switch (screen.name) {
    case 'camera_denied':
    case 'camera_missing':
    case 'camera_busy':
      return cameraTrouble(page, screen, context);
    case 'in_app':
      return inApp(page, context);
    case 'device_missing':
      return deviceMissing(page, context);
    case 'sandbox':
      return sandbox(page, context);
    case 'left':
      return left(page, screen, context);
    case 'declined':
      return declined(page, screen, context);
    case 'retry':
      return retry(page, screen, context);
    case 'done':
      return done(page, screen, context);
    case 'failed':
      return failed(page, screen, context);
    default:
      return deadEnd(page, context);
  }
}

function left(page: Page, { redirectUrl }: ScreenOf<'left'>, context: ViewContext): Content {
  const words = context.texts.left;
  const actions = [
    act(context, words.resume, 'resume', { type: 'begin' }),
    redirectUrl === null ? null : leaveLink(words.leave, redirectUrl, 'quiet'),
    anotherWay(page, context.texts),
  ];
  return { icon: 'hand', tone: 'brand', ...words, actions };
}

function declined(page: Page, { redirectUrl }: ScreenOf<'declined'>, context: ViewContext): Content {
  const words = context.texts.declined;
  const actions = [
    redirectUrl === null ? null : leaveLink(words.leave, redirectUrl, 'primary'),
    act(context, words.changeMind, 'change-mind', { type: 'begin' }, 'quiet'),
    anotherWay(page, context.texts),
  ];
  return { icon: 'hand', tone: 'brand', ...words, actions };
}

/** The message for a reason. The server may know reasons that this page does not. */
function toldOf(reason: string, { texts: { retry, failed } }: ViewContext): Message {
  const reasons: Readonly<Record<string, Message>> = retry.reasons;
  if (reason === 'page_fault') return failed.server;
  return reason === 'network_blocks' ? failed.blocked : (reasons[reason] ?? retry.reasons.unknown);
}

/** Why the last try failed, if this page knows. */
function whyLastTry({ slow }: Page, { reason }: ScreenOf<'no_tries'>, context: ViewContext): string {
  if (reason === null) return slow ? toldOf('too_slow', context).title : '';
  return toldOf(slow && faultOfDevice(reason) ? 'too_slow' : reason, context).title;
}

function retry(page: Page, { reason, triesLeft }: ScreenOf<'retry'>, context: ViewContext): Content {
  const { retry: words } = context.texts;
  return {
    icon: 'again',
    tone: 'warn',
    eyebrow: words.title,
    ...toldOf(reason, context),
    note: [
      page.slow && reason !== 'too_slow' ? context.texts.stage.slow : '',
      triesLeft === null ? '' : words.triesLeft({ tries: triesLeft }),
    ]
      .join(' ')
      .trim(),
    actions: retryActions(page, reason, context),
  };
}

/**
 * Another try. What is more likely to work comes first: the client's alternative for a person who can do nothing that is
 * asked; on a device that is too slow, that or a phone.
 */
function retryActions(page: Page, reason: string, context: ViewContext): (Node | null)[] {
  const { retry: words } = context.texts;
  const again = (kind: ButtonKind) => act(context, words.again, 'try-again', { type: 'open_camera' }, kind);
  if (otherWayFirst(page))
    return [anotherWay(page, context.texts, 'primary'), page.neither ? null : again('quiet')];
  if (!faultOfDevice(reason)) return [again('primary'), anotherWay(page, context.texts)];
  if (reason !== 'too_slow') {
    return [again('primary'), usePhone(page, context, 'quiet'), anotherWay(page, context.texts)];
  }
  const phone = usePhone(page, context, 'primary');
  const another = anotherWay(page, context.texts, phone ? 'quiet' : 'primary');
  return [phone, another, again(phone || another ? 'quiet' : 'primary')];
}

function done({ challenge }: Page, screen: ScreenOf<'done'>, { texts }: ViewContext): Content {
  const { redirectUrl, handedOver } = screen;
  const account = challenge?.account.display_name ?? '';
  const stays = redirectUrl === null || handedOver !== null;
  const closing = handedOver === 'phone' ? texts.handOff.goBack : texts.done.close;
  const leads = !stays && leadsToRecording(redirectUrl, location.origin);
  const { title } = texts.done;
  return {
    icon: 'check',
    tone: 'good',
    ...(leads ? texts.done.next : { title, body: stays ? closing : texts.done.redirecting({ account }) }),
    actions: [
      // If another tab continues by itself, this link serves in case that tab was closed.
      redirectUrl === null
        ? null
        : leaveLink(texts.done.continue, redirectUrl, handedOver === null ? 'primary' : 'quiet'),
    ],
  };
}

function failed(page: Page, { fault }: ScreenOf<'failed'>, context: ViewContext): Content {
  const { failed: words, tooMany } = context.texts;
  return {
    icon: fault === 'offline' ? 'offline' : 'alert',
    tone: 'warn',
    ...(fault === 'too_many' ? tooMany : words[fault]),
    actions: [
      act(context, words.retry, 'reload', { type: 'reload' }),
      // Without a connection that page would not open either.
      fault === 'offline' ? null : anotherWay(page, context.texts),
    ],
  };
}

function deadEnd(page: Page, context: ViewContext): Content | null {
  const { name } = page.screen;
  if (!(name in DEAD_END_ICONS)) return null;
  const end = name as DeadEnd;
  const { texts } = context;
  const { title, framed: body } = texts.cameraDenied;
  const words = {
    ...texts.deadEnds,
    busy: texts.tooMany,
    unavailable: texts.failed.server,
    sandboxed_frame: { title, body },
  };
  return {
    icon: DEAD_END_ICONS[end],
    tone: end === 'used' ? 'good' : end === 'unavailable' ? 'warn' : 'brand',
    ...words[end],
    note: page.screen.name === 'no_tries' ? whyLastTry(page, page.screen, context) : '',
    actions: deadEndActions(page, end, context),
  };
}

function deadEndActions(page: Page, end: DeadEnd, context: ViewContext): (Node | null)[] {
  const { texts } = context;
  if (end === 'unsupported') {
    const phone = usePhone(page, context, 'primary');
    return [phone, anotherWay(page, texts, phone ? 'quiet' : 'primary')];
  }
  if (end === 'sandboxed_frame') {
    // Such a frame may open no window either.
    const copy = linkCopy(context, location.href);
    copy.showText();
    return [copy.text, copy.button.root];
  }
  if (end === 'busy' || end === 'unavailable') {
    const press = () => location.reload();
    return [button({ label: texts.failed.retry, action: 'reload', press }).root];
  }
  const back = (page.challenge ?? page.deadLink?.owner)?.exit_redirect_url;
  const kind = OVER_WITHOUT_RESULT[end];
  const another = kind ? anotherWay(page, texts, kind) : null;
  const goBack = back ? leaveLink(texts.goBack, back, 'quiet') : null;
  return kind === 'primary' ? [another, goBack] : [goBack, another];
}

/**
 * Ends at which the person has not been checked and cannot be here, and how prominent the client's alternative is
 * there.
 */
const OVER_WITHOUT_RESULT: Partial<Record<DeadEnd, ButtonKind>> = {
  insecure: 'primary',
  expired: 'primary',
  no_tries: 'primary',
  // The check may still be finished where it began, unless that device is lost.
  other_device: 'quiet',
  cancelled: 'quiet',
};

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

/** Leads out of an app's own browser. */
function inApp(page: Page, context: ViewContext): Content {
  const { title, body } = context.texts.inApp;
  const actions = [...outsideLinks(context), anotherWay(page, context.texts)];
  return { icon: 'browser', tone: 'brand', title, body, actions };
}

function act(
  context: ViewContext,
  label: string,
  action: string,
  event: PageEvent,
  kind: ButtonKind = 'primary',
): Node {
  return button({ label, action, kind, press: () => context.dispatch(event) }).root;
}

/** Draws a message screen. */
export const messageView: MakeView = (page, context) => {
  const content = messageContent(page, context);
  if (!content) throw new Error(`no message for ${page.screen.name}`);
  const { steps, note, eyebrow } = content;
  const buttons = ({ actions }: Content) =>
    actions?.filter((action): action is Node => action !== null) ?? [];
  const actions = h('div', { class: 'actions' }, ...buttons(content));
  const cannot = page.screen.name === 'retry' ? cannotBoxes(page, context) : null;
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
      cannot?.root ?? null,
    ),
    actions.hasChildNodes() ? actions : null,
    page.screen.name === 'declined' ? legalLinks(context.texts, page.challenge) : null,
  );
  let leadsElsewhere = otherWayFirst(page);
  const update = (now: Page) => {
    cannot?.update(now);
    if (now.screen.name !== 'retry' || otherWayFirst(now) === leadsElsewhere) return;
    leadsElsewhere = !leadsElsewhere;
    actions.replaceChildren(...buttons(retry(now, now.screen, context)));
    if (leadsElsewhere && !now.neither) context.announce(context.texts.anotherWay);
  };
  update(page);
  return { root, update };
};
