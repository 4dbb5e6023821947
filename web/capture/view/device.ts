// Asks for the person's own device, while the recording is sent: one way to use it, perhaps a second, and one without it.
import { deviceWays } from '../flow/device-steps.ts';
import type { Page } from '../flow/screens.ts';
import type { DeviceWay } from '../passkey/support.ts';
import type { ScreenOf } from './content.ts';
import { h, setText } from './dom.ts';
import { badge, button, titleOf } from './parts.ts';
import type { MakeView, ViewContext } from './view.ts';

export const deviceView: MakeView = (page, context) => {
  const { screen } = page;
  if (screen.name !== 'device') throw new Error('device screen without a device to ask');
  const ways = deviceWays(screen.ask, page.setting);
  const pictures = { lock: badge('lock', 'brand'), alert: badge('alert', 'warn') };
  const title = titleOf('');
  const lead = h('p', { class: 'lead' });
  const note = h('p', { class: 'device__note' });
  const buttons = createButtons(ways, context);
  const root = h(
    'div',
    { class: 'screen screen--message' },
    h('div', { class: 'screen__content' }, pictures.lock, pictures.alert, title, lead, note),
    h('div', { class: 'actions' }, ...buttons.roots),
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
    const news = isOver ? `${words.title}. ${words.body}` : words.note;
    // The first heading is read out as it takes the focus.
    if (root.isConnected && news !== '' && news !== told) context.announce(news);
    told = news;
  };
  show(page);
  return { root, update: show };
};

/** The buttons: those for the device, and the way without it, which is all that is left where the browser cannot. */
function createButtons(ways: readonly DeviceWay[], { texts, dispatch }: ViewContext) {
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
  const onward = button({ label: texts.done.continue, action: 'continue', press });
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
  { said, status }: ScreenOf<'device'>,
  ways: readonly DeviceWay[],
  { texts: { device: words, failed, uploading } }: ViewContext,
) {
  if (said === 'unavailable') return { ...words.unavailable, note: '' };
  const notes = { cancelled: words.cancelled, offline: failed.offline.body, declining: words.declining };
  const waiting = status.phase === 'waiting' ? uploading.waitingTitle : '';
  const { title } = ways[0] === 'sign' ? words.confirm : words.make;
  return { title, body: words.how, note: said === null ? waiting : notes[said] };
}
