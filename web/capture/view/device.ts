// Asks for the person's own device, while the recording is sent: one way to use it, perhaps a second, and one without
// it. Says before the recording where the browser cannot ask a device that the check needs.
import { deviceWays } from '../flow/device-steps.ts';
import type { Page } from '../flow/screens.ts';
import type { DeviceWay } from '../passkey/support.ts';
import { openTab, usePhone } from './camera-trouble.ts';
import type { Content, ScreenOf } from './content.ts';
import { h, setText } from './dom.ts';
import { anotherWay, badge, button, linkCopy, outsideLinks, titleOf } from './parts.ts';
import type { MakeView, ViewContext } from './view.ts';

export const deviceView: MakeView = (page, context) => {
  const { screen } = page;
  if (screen.name !== 'device') throw new Error('device screen without a device to ask');
  const ways = deviceWays(screen.ask, page.setting);
  const pictures = { lock: badge('lock', 'brand'), alert: badge('alert', 'warn') };
  const title = titleOf('');
  const lead = h('p', { class: 'lead' });
  const note = h('p', { class: 'device__note' });
  const buttons = createButtons(ways, screen.ask.required, context);
  const another = screen.ask.required ? anotherWay(page, context.texts) : null;
  const root = h(
    'div',
    { class: 'screen screen--message' },
    h('div', { class: 'screen__content' }, pictures.lock, pictures.alert, title, lead, note),
    h('div', { class: 'actions' }, ...buttons.roots, another),
  );
  let told = '';
  const show = ({ screen: now }: Page) => {
    if (now.name !== 'device') return;
    const isOver = now.said === 'unavailable';
    const words = wordsOf(now, ways, context);
    setText(title, words.title);
    setText(lead, words.body);
    setText(note, words.note);
    pictures.lock.hidden = isOver;
    pictures.alert.hidden = !isOver;
    buttons.show(now);
    if (another) another.hidden = !isOver;
    const news = isOver ? `${words.title}. ${words.body} ${words.note}` : words.note;
    // The first heading is read out as it takes the focus.
    if (root.isConnected && news !== '' && news !== told) context.announce(news);
    told = news;
  };
  show(page);
  return { root, update: show };
};

/** The buttons: those for the device, and the way without it, which is all that is left where the browser cannot. */
function createButtons(ways: readonly DeviceWay[], required: boolean, { texts, dispatch }: ViewContext) {
  const words = texts.device;
  const labels = {
    sign: words.confirm.button,
    make: ways.length > 1 ? words.isNew : words.make.button,
  } as const;
  const actions = { sign: 'confirm-device', make: 'add-device' } as const;
  const using = ways.map((way, i) => ({
    way,
    ...button({
      label: labels[way],
      action: actions[way],
      kind: i === 0 ? 'primary' : 'quiet',
      press: () => dispatch({ type: 'use_device', way }),
    }),
  }));
  const press = ({ detail }: MouseEvent) => {
    // The second click of a double click answers nothing that anybody has read.
    if (detail < 2) dispatch({ type: 'without_device' });
  };
  const without = button({ label: words.decline, action: 'without-device', kind: 'quiet', press });
  const onward = button({
    label: required ? words.declineAnyway : texts.done.continue,
    action: 'continue',
    kind: required ? 'quiet' : 'primary',
    press,
  });
  return {
    roots: [...using, without, onward].map(({ root }) => root),
    show: ({ said, busy }: ScreenOf<'device'>) => {
      const isOver = said === 'unavailable';
      for (const each of using) {
        each.root.hidden = isOver;
        each.busy(busy === each.way ? words.working : null);
      }
      without.root.hidden = isOver;
      without.relabel(said === 'declining' ? words.declineAnyway : words.decline);
      onward.root.hidden = !isOver;
    },
  };
}

/** What the screen says. */
function wordsOf(
  { said, status, ask }: ScreenOf<'device'>,
  ways: readonly DeviceWay[],
  { texts: { device: words, failed, uploading } }: ViewContext,
) {
  if (said === 'unavailable') {
    const { title, body, goesOn } = words.unavailable;
    return { title, body, note: ask.required ? words.declining : goesOn };
  }
  const { cancelled, unattested, declining } = words;
  const notes = { cancelled, unattested, declining, offline: failed.offline.body };
  const waiting = status.phase === 'waiting' ? uploading.waitingTitle : '';
  const { title } = ways[0] === 'sign' ? words.confirm : words.make;
  return { title, body: words.how, note: said === null ? waiting : notes[said] };
}

/** Before a recording that would be in vain here: where else the check can be taken. */
export function deviceMissing(page: Page, context: ViewContext): Content {
  const { texts, linkTo } = context;
  const { unavailable, declining } = texts.device;
  const { inApp } = page.setting;
  // Only Chromium tells of a frame that may not ask; a tab of its own may.
  const framed = window.parent !== window;
  const phone = usePhone(page, context, framed ? 'quiet' : 'primary');
  const copy = linkCopy(context, linkTo(null));
  const here = inApp ? outsideLinks(context) : [phone, copy.text, copy.button.root];
  const ways = framed ? [openTab(context), phone] : here;
  const easy = framed || inApp || phone !== null;
  const another = anotherWay(page, texts, easy ? 'quiet' : 'primary');
  return {
    icon: 'devices',
    tone: 'warn',
    title: unavailable.title,
    body: `${unavailable.body} ${declining}`,
    note: framed ? '' : texts.deadEnds.unsupported.body,
    actions: easy ? [...ways, another] : [another, ...ways],
  };
}
