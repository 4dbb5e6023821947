// The camera screen: the oval with the person in it, the hint or prompt above, the progress around it. One view for
// position, preparing and recording, so that the picture never flickers between them.
import type { Page, Screen } from '../flow/screens.ts';
import { promptText } from '../texts/prompt-text.ts';
import { createCameraChooser } from './camera-chooser.ts';
import { type Cue, createCue } from './cue.ts';
import { h, setText } from './dom.ts';
import { icon, promptFace } from './icons.ts';
import { createOval, type Oval } from './oval.ts';
import { button } from './parts.ts';
import { createPositionWords, type PositionWords } from './position-words.ts';
import type { MakeView, View, ViewContext } from './view.ts';

const BUZZ_MS = 40;

type Position = Extract<Screen, { name: 'position' }>;
type Recording = Extract<Screen, { name: 'recording' }>;

export const stageView: MakeView = (page, context) => {
  const { texts, video } = context;
  const cue = createCue(context);
  const oval = createOval(video);
  const note = h('p', { class: 'stage__note' });
  const dot = h('span', { class: 'live' }, h('span', { class: 'live__dot' }), texts.stage.recording);
  const dots = h('div', { class: 'stage__steps', 'aria-hidden': 'true' });
  const ready = button({
    label: texts.stage.ready,
    action: 'ready',
    press: () => context.dispatch({ type: 'ready' }),
  });
  ready.root.hidden = true;
  const chooser = createCameraChooser(context);
  const root = h(
    'div',
    { class: 'screen screen--stage' },
    cue.root,
    oval.root,
    h('div', { class: 'stage__foot' }, note, dots, dot, ready.root, chooser.root),
  );
  video.setAttribute('aria-label', texts.stage.previewLabel);
  const words = createPositionWords(context, cue);
  const parts: StageParts = { context, cue, words, oval, note, dots };
  const showRecording = recordingDisplay(parts);

  const update = (page: Page) => {
    const { screen } = page;
    root.dataset.phase = screen.name;
    video.toggleAttribute('data-mirrored', context.mirrored());
    dot.hidden = screen.name !== 'recording';
    dots.hidden = screen.name !== 'recording';
    chooser.show(screen);
    const offers = screen.name === 'position' && screen.manual && screen.countdown === null;
    // Tell people who cannot see the button that it has appeared; without hints that is announced anyway.
    if (offers && ready.root.hidden && screen.guidance !== 'off') context.announce(texts.stage.withoutHints);
    ready.root.hidden = !offers;
    if (screen.name === 'position') showPosition(parts, screen, page.busy);
    else if (screen.name === 'preparing') showPreparing(parts, screen.long, page.busy);
    else if (screen.name === 'recording') showRecording(screen, page.slow);
  };
  update(page);
  return { root, update, release: oval.release } satisfies View;
};

/** The parts that change on the camera screen. */
interface StageParts {
  readonly context: ViewContext;
  readonly cue: Cue;
  readonly words: PositionWords;
  readonly oval: Oval;
  readonly note: HTMLElement;
  /** One dot for each step of the script. */
  readonly dots: HTMLElement;
}

/** Shows a hint for getting into position, or the countdown; and a note on the recording. */
function showPosition(
  { context, cue, words, oval, note }: StageParts,
  screen: Position,
  busy: boolean,
): void {
  const { stage } = context.texts;
  const { hint, guidance, countdown } = screen;
  const placed = hint === 'ok' || countdown !== null;
  oval.root.dataset.hint = hint ?? 'none';
  cue.picture(icon(placed ? 'check' : 'face'), placed ? 'good' : 'plain');
  words.position(screen);
  oval.count(countdown);
  const guidanceNote = {
    loading: stage.loadingHints,
    off: stage.withoutHints,
    live: busy ? stage.slow : '',
  }[guidance];
  const shownNote = countdown === null ? guidanceNote : '';
  if (note.textContent === shownNote) return;
  setText(note, shownNote);
  // Announce what to do without hints, and what helps on a slow device. Any other note would speak over the hints.
  if (shownNote === stage.withoutHints || shownNote === stage.slow) context.announce(shownNote);
}

/**
 * A busy device takes some seconds here, so the note that it is slow stays. A full service or a bad connection may take
 * many.
 */
function showPreparing({ context, cue, words, oval, note }: StageParts, long: boolean, busy: boolean): void {
  const { stage, processing } = context.texts;
  oval.count(null);
  const shownNote = long ? processing.longer : busy ? stage.slow : '';
  if (long && note.textContent !== shownNote) context.announce(shownNote);
  setText(note, shownNote);
  oval.root.dataset.hint = 'ok';
  cue.picture(icon('check'), 'good');
  words.preparing();
}

/** Shows prompt after prompt, a tick for each answer seen, and a note on what spoils the recording. */
function recordingDisplay({
  context,
  cue,
  oval,
  note,
  dots,
}: StageParts): (screen: Recording, slow: boolean) => void {
  const words = context.texts.stage;
  let shownStep: number | null = null;
  const troubleText = ({ trouble, offline, aim }: Recording, slow: boolean) => {
    if (offline) return context.texts.uploading.waitingTitle;
    if (trouble) return trouble === 'no_face' ? words.faceLost : words.hints[trouble];
    if (aim?.advice) return aim.advice === 'look_ahead' ? words.hints.look_ahead : words.advice[aim.advice];
    return slow ? words.slow : '';
  };
  const showTrouble = (screen: Recording, slow: boolean) => {
    oval.root.dataset.hint = screen.trouble ? 'lost' : 'recording';
    const shownNote = troubleText(screen, slow);
    if (note.textContent === shownNote) return;
    setText(note, shownNote);
    if (shownNote !== '') context.announce(shownNote);
  };
  const showStep = ({ capture, asked, answered }: Recording, step: number) => {
    const { stepCount } = capture;
    oval.fill(step / stepCount);
    const marks = Array.from({ length: stepCount }, (_, index) => h('i', { 'data-done': index < step }));
    dots.replaceChildren(...marks);
    if (answered) {
      oval.tick();
      buzz();
    }
    if (asked?.prompt === 'target') oval.target.show(asked, context.mirrored());
    else oval.target.end();
    const prompt = asked ? promptText(asked, words) : '';
    // As one announcement: a second would cut the first short.
    context.announce([answered ? words.good : '', prompt].join(' ').trim(), 'assertive');
    if (asked) cue.prompt(promptFace(asked, context.mirrored()), prompt);
  };
  return (screen, slow) => {
    showTrouble(screen, slow);
    const { step } = screen;
    if (step !== null && step !== shownStep) showStep(screen, step);
    shownStep = step;
    oval.target.aim(screen.aim);
  };
}

/**
 * Vibrates briefly, if the device can. On a page that nobody has touched, browsers would log a warning on the console.
 */
function buzz(): void {
  if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(BUZZ_MS);
}
