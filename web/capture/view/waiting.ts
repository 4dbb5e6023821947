// The pause before another recording, with the time that remains.
import { clockText } from './clock-text.ts';
import { h, setText } from './dom.ts';
import { badge, titleOf } from './parts.ts';
import type { MakeView } from './view.ts';

export const waitingView: MakeView = (page, { texts }) => {
  const untilMs = page.screen.name === 'waiting' ? page.screen.untilMs : 0;
  const left = h('p', { class: 'note', role: 'timer' });
  const tell = () =>
    setText(left, texts.uploading.timeLeft({ clock: clockText(Math.max(0, untilMs - Date.now())) }));
  const clock = setInterval(tell, 1_000);
  tell();
  const root = h(
    'div',
    { class: 'screen screen--message' },
    h(
      'div',
      { class: 'screen__content' },
      badge('clock', 'brand'),
      titleOf(texts.waiting.title),
      h('p', { class: 'lead' }, texts.waiting.body),
      left,
    ),
  );
  return { root, update: () => undefined, release: () => clearInterval(clock) };
};
