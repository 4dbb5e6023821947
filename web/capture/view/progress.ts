// Upload and judgement: the same oval, now filling with the bytes that have arrived, then an honest text while waiting.
import type { Page, Screen } from '../flow/screens.ts';
import { causeOf } from '../flow/upload-steps.ts';
import { clockText } from './clock-text.ts';
import { h, setText } from './dom.ts';
import { type IconName, icon } from './icons.ts';
import { titleOf } from './parts.ts';
import { createRing } from './ring.ts';
import type { MakeView, ViewContext } from './view.ts';

type Uploading = Extract<Screen, { name: 'uploading' }>;
type Processing = Extract<Screen, { name: 'processing' }>;

export const progressView: MakeView = (page, context) => {
  const parts = createParts(context);
  const uploading = uploadingDisplay(parts, context);
  const processing = processingDisplay(parts, context);
  const update = (page: Page) => {
    const { screen } = page;
    if (screen.name === 'uploading') uploading.show(screen, page);
    else uploading.release();
    if (screen.name === 'processing') processing.show(screen, page);
  };
  update(page);
  const release = () => {
    uploading.release();
    processing.release();
  };
  return { root: parts.root, update, release };
};

/** The parts that change while a video is uploaded and judged. */
interface ProgressParts {
  readonly root: HTMLElement;
  readonly bar: HTMLElement;
  readonly lead: HTMLElement;
  readonly note: HTMLElement;
  /** Fills the ring, 0–1. */
  fill(share: number): void;
  icon(name: IconName): void;
  /** Sets the title, and announces it if it has changed. */
  head(text: string): void;
}

function createParts(context: ViewContext): ProgressParts {
  const ring = createRing();
  const glyph = h('div', { class: 'progress__glyph' });
  const title = titleOf(context.texts.uploading.title);
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
  const content = h('div', { class: 'screen__content' }, bar, title, lead, note);
  const root = h('div', { class: 'screen screen--message screen--progress' }, content);
  let shownIcon: IconName | null = null;
  return {
    root,
    bar,
    lead,
    note,
    fill: ring.set,
    icon: (name) => {
      if (shownIcon === name) return;
      shownIcon = name;
      glyph.replaceChildren(icon(name));
    },
    head: (text) => {
      // The first title is read out as it takes the focus.
      if (root.isConnected && title.textContent !== text) context.announce(text);
      setText(title, text);
    },
  };
}

/** Shows one kind of screen; `release` stops its timers. */
interface Display<Shown> {
  show(screen: Shown, page: Page): void;
  release(): void;
}

/** Shows the bytes that have arrived, or how long a video can wait for the connection. */
function uploadingDisplay(parts: ProgressParts, { texts }: ViewContext): Display<Uploading> {
  const words = texts.uploading;
  const percentText = new Intl.NumberFormat(`${texts.language}-u-nu-latn`, { style: 'percent' });
  let clock: ReturnType<typeof setInterval> | undefined;
  const showWords = ({ status, deadlines }: Uploading, page: Page) => {
    const { phase, progress, committed, lost } = status;
    const leftMs = (committed ? deadlines.uploadByMs : deadlines.commitByMs) - Date.now();
    const waits = phase === 'waiting';
    const overdue = waits && leftMs <= 0;
    // A service that answers with errors, or a slow device, is no lost connection.
    const late = overdue && lost && causeOf(page, 'upload_lost') === 'upload_lost';
    parts.bar.dataset.phase = late ? 'late' : phase;
    parts.icon(waits ? 'offline' : 'features');
    parts.head(late ? words.lateTitle : waits ? words.waitingTitle : words.title);
    if (overdue) setText(parts.lead, late ? words.lateBody : texts.processing.longer);
    else if (waits) setText(parts.lead, committed ? words.waitingBody : words.waitingUnsent);
    else setText(parts.lead, words.body);
    const timeLeft = waits && committed && !overdue ? words.timeLeft({ clock: clockText(leftMs) }) : '';
    setText(parts.note, waits ? timeLeft : percentText.format(progress));
  };
  return {
    show: (screen, page) => {
      const { phase, progress } = screen.status;
      parts.bar.setAttribute('aria-valuenow', String(Math.round(progress * 100)));
      parts.fill(Math.max(progress, 0.02));
      // While a video waits, the text changes with time alone.
      clearInterval(clock);
      if (phase === 'waiting') clock = setInterval(() => showWords(screen, page), 1_000);
      showWords(screen, page);
    },
    release: () => clearInterval(clock),
  };
}

/** A server that has not estimated the duration by then keeps somebody waiting. Chosen. */
const SILENCE_MS = 8_000;

/** Shows how long the judgement takes, for as long as that holds. */
function processingDisplay(parts: ProgressParts, context: ViewContext): Display<Processing> {
  const words = context.texts.processing;
  let longer: ReturnType<typeof setTimeout> | undefined;
  let isPromised = false;
  const tellOnce = (text: string) => {
    if (parts.note.textContent !== text) context.announce(text);
    setText(parts.note, text);
  };
  return {
    show: ({ estimateMs, reconnecting }) => {
      parts.bar.dataset.phase = 'processing';
      parts.bar.removeAttribute('aria-valuenow');
      parts.fill(1);
      parts.icon('features');
      parts.head(words.title);
      setText(parts.lead, words.body);
      const seconds = Math.max(1, Math.ceil((estimateMs ?? 0) / 1000));
      if (reconnecting) {
        clearTimeout(longer);
        longer = undefined;
        return tellOnce(words.reconnecting);
      }
      if (parts.note.textContent !== words.longer) {
        setText(parts.note, estimateMs === null ? '' : words.estimate({ seconds }));
      }
      // After twice the estimate, or a while without any, say so instead of pretending.
      const promised = estimateMs !== null;
      if (longer !== undefined && isPromised === promised) return;
      clearTimeout(longer);
      isPromised = promised;
      longer = setTimeout(() => tellOnce(words.longer), promised ? estimateMs * 2 + 3_000 : SILENCE_MS);
    },
    release: () => clearTimeout(longer),
  };
}
