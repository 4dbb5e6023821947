// Sending and checking: the same oval, now filling with the bytes that have arrived, then waiting with an honest word.
import type { Page, Screen } from '../flow/screens.ts';
import { clockText } from './clock-text.ts';
import { h, setText } from './dom.ts';
import { type IconName, icon } from './icons.ts';
import { titleOf } from './parts.ts';
import { createRing } from './ring.ts';
import type { MakeView } from './view.ts';

type Uploading = Extract<Screen, { name: 'uploading' }>;
type Processing = Extract<Screen, { name: 'processing' }>;

export const progressView: MakeView = (page, context) => {
  const { texts } = context;
  const ring = createRing();
  const glyph = h('div', { class: 'progress__glyph' });
  const title = titleOf(texts.uploading.title);
  const lead = h('p', { class: 'lead' });
  const note = h('p', { class: 'note progress__note' });
  const bar = h('div', {
    class: 'progress',
    role: 'progressbar',
    'aria-valuemin': 0,
    'aria-valuemax': 100,
    'aria-labelledby': 'screen-title',
  });
  bar.append(ring.root, glyph);
  const root = h(
    'div',
    { class: 'screen screen--message screen--progress' },
    h('div', { class: 'screen__content' }, bar, title, lead, note),
  );

  const percentText = new Intl.NumberFormat(`${texts.language}-u-nu-latn`, { style: 'percent' });
  let shownIcon: IconName | null = null;
  const showIcon = (name: IconName) => {
    if (shownIcon === name) return;
    shownIcon = name;
    glyph.replaceChildren(icon(name));
  };
  let longer: ReturnType<typeof setTimeout> | undefined;
  let shownTitle = texts.uploading.title;
  const head = (text: string) => {
    if (shownTitle !== text) context.announce(text);
    shownTitle = text;
    setText(title, text);
  };

  let clock: ReturnType<typeof setInterval> | undefined;
  const showUploading = (screen: Uploading) => {
    const { phase, progress } = screen.status;
    bar.setAttribute('aria-valuenow', String(Math.round(progress * 100)));
    ring.set(Math.max(progress, 0.02));
    // What is true of a video that waits changes with the time alone.
    clearInterval(clock);
    if (phase === 'waiting') clock = setInterval(() => showWords(screen), 1_000);
    showWords(screen);
  };
  const showWords = ({ status, deadlines }: Uploading) => {
    const words = texts.uploading;
    const { phase, progress, committed } = status;
    const leftMs = (committed ? deadlines.uploadByMs : deadlines.commitByMs) - Date.now();
    const waits = phase === 'waiting';
    const late = waits && leftMs <= 0;
    bar.dataset.phase = late ? 'late' : phase;
    showIcon(waits ? 'offline' : 'features');
    head(late ? words.lateTitle : waits ? words.waitingTitle : words.title);
    if (late) setText(lead, words.lateBody);
    else if (waits) setText(lead, committed ? words.waitingBody : words.waitingUnsent);
    else setText(lead, words.body);
    const timeLeft = waits && committed && !late ? words.timeLeft({ clock: clockText(leftMs) }) : '';
    setText(note, waits ? timeLeft : percentText.format(progress));
  };
  const showProcessing = (screen: Processing) => {
    const words = texts.processing;
    bar.dataset.phase = 'processing';
    bar.removeAttribute('aria-valuenow');
    ring.set(1);
    showIcon('features');
    head(words.title);
    setText(lead, words.body);
    clearInterval(clock);
    const seconds = Math.ceil((screen.estimateMs ?? 0) / 1000);
    const estimate = screen.estimateMs === null ? '' : words.estimate({ seconds: Math.max(1, seconds) });
    if (screen.reconnecting) setText(note, words.reconnecting);
    else if (note.textContent !== words.longer) setText(note, estimate);
    // Twice what was promised: say so instead of pretending.
    if (longer === undefined && screen.estimateMs !== null) {
      longer = setTimeout(
        () => {
          setText(note, words.longer);
          context.announce(words.longer);
        },
        screen.estimateMs * 2 + 3_000,
      );
    }
  };
  const update = ({ screen }: Page) => {
    if (screen.name === 'uploading') showUploading(screen);
    else if (screen.name === 'processing') showProcessing(screen);
  };
  update(page);
  const release = () => {
    clearTimeout(longer);
    clearInterval(clock);
  };
  return { root, update, release };
};
