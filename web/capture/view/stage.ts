// The camera screen: the oval with the person in it, the hint or prompt above, the progress round it.
// One view for position, preparing and recording, so that the picture never flickers between them.
import type { Page, Screen } from '../flow/screens.ts';
import { ovalOf } from '../guidance/oval.ts';
import { createCameraChooser } from './camera-chooser.ts';
import { h, setText } from './dom.ts';
import { icon, promptFace } from './icons.ts';
import { button, titleOf } from './parts.ts';
import { createRing } from './ring.ts';
import type { MakeView, View, ViewContext } from './view.ts';

const BUZZ_MS = 40;

type Position = Extract<Screen, { name: 'position' }>;
type Recording = Extract<Screen, { name: 'recording' }>;

export const stageView: MakeView = (page, context) => {
  const { texts, video } = context;
  const ring = createRing();
  const picture = h('div', { class: 'cue__picture' });
  const title = titleOf(texts.stage.title);
  const note = h('p', { class: 'stage__note' });
  const count = h('div', { class: 'stage__count', 'aria-hidden': 'true' });
  const ready = button({
    label: texts.stage.ready,
    action: 'ready',
    press: () => context.dispatch({ type: 'ready' }),
  });
  const dot = h('span', { class: 'live' }, h('span', { class: 'live__dot' }), texts.stage.recording);
  const ticks = h('div', { class: 'stage__ticks', 'aria-hidden': 'true' });
  const oval = h('div', { class: 'oval' }, h('div', { class: 'oval__mask' }, video, count), ring.root, ticks);
  const chooser = createCameraChooser(context);
  const dots = h('div', { class: 'stage__steps', 'aria-hidden': 'true' });
  const root = h(
    'div',
    { class: 'screen screen--stage' },
    h('div', { class: 'cue' }, picture, title),
    oval,
    h('div', { class: 'stage__foot' }, note, dots, dot, ready.root, chooser.root),
  );
  ring.set(0);
  video.setAttribute('aria-label', texts.stage.previewLabel);
  const fitPicture = () => fitVideo(video);
  video.addEventListener('loadedmetadata', fitPicture);
  video.addEventListener('resize', fitPicture);
  fitPicture();

  const say = sayer(context, title);
  const guidanceNote = (guidance: Position['guidance']) =>
    ({ loading: texts.stage.loadingHints, off: texts.stage.withoutHints, live: '' })[guidance];
  const showPosition = (screen: Position) => {
    const { hint, guidance, countdown } = screen;
    oval.dataset.hint = hint ?? 'none';
    picture.replaceChildren(hint === 'ok' || countdown !== null ? icon('check') : icon('face'));
    picture.dataset.tone = hint === 'ok' || countdown !== null ? 'good' : 'plain';
    if (countdown !== null) say(texts.stage.countdown({ seconds: countdown }), 'assertive');
    else say(hint === null ? texts.stage.title : texts.stage.hints[hint], 'polite');
    setText(count, countdown === null ? '' : String(countdown));
    setText(note, countdown === null ? guidanceNote(guidance) : '');
  };
  const showPreparing = () => {
    setText(count, '');
    setText(note, '');
    oval.dataset.hint = 'ok';
    picture.replaceChildren(icon('check'));
    picture.dataset.tone = 'good';
    say(texts.stage.preparing, 'assertive');
  };
  const showTrouble = ({ trouble }: Recording) => {
    oval.dataset.hint = trouble ? 'lost' : 'recording';
    const words = trouble === 'no_face' ? texts.stage.faceLost : trouble ? texts.stage.hints[trouble] : '';
    if (note.textContent === words) return;
    setText(note, words);
    if (words !== '') context.announce(words);
  };
  let shownStep: number | null = null;
  const showRecording = (screen: Recording) => {
    showTrouble(screen);
    const { step, answered } = screen;
    if (step === null || step === shownStep) return;
    shownStep = step;
    const { steps } = screen.capture.script;
    ring.set(step / steps.length);
    dots.replaceChildren(...steps.map((_, index) => h('i', { 'data-done': index < step })));
    if (answered) {
      // A new one each time: its animation is its whole life.
      ticks.replaceChildren(h('div', { class: 'stage__tick' }, icon('check')));
      buzz();
    }
    const prompt = steps[step]?.prompt;
    const good = answered ? texts.stage.good : '';
    // In one breath: a second announcement would cut the first one short.
    context.announce([good, prompt ? texts.stage.prompts[prompt] : ''].join(' ').trim(), 'assertive');
    if (!prompt) return;
    picture.dataset.tone = 'prompt';
    picture.replaceChildren(promptFace(prompt, context.mirrored()));
    title.textContent = texts.stage.prompts[prompt];
  };

  const update = ({ screen }: Page) => {
    root.dataset.phase = screen.name;
    video.toggleAttribute('data-mirrored', context.mirrored());
    dot.hidden = screen.name !== 'recording';
    dots.hidden = screen.name !== 'recording';
    chooser.show(screen);
    ready.root.hidden = screen.name !== 'position' || !screen.manual || screen.countdown !== null;
    if (screen.name === 'position') showPosition(screen);
    else if (screen.name === 'preparing') showPreparing();
    else if (screen.name === 'recording') showRecording(screen);
  };
  update(page);
  const release = () => {
    video.removeEventListener('loadedmetadata', fitPicture);
    video.removeEventListener('resize', fitPicture);
  };
  return { root, update, release } satisfies View;
};

/** A short buzz in the hand, where there is one. Browsers complain on the console of a page that nobody has touched. */
function buzz(): void {
  if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(BUZZ_MS);
}

/** Puts a sentence on the screen and into the live region, once per change. */
function sayer(context: ViewContext, title: HTMLElement) {
  return (text: string, urgency: 'polite' | 'assertive') => {
    if (title.textContent === text) return;
    title.textContent = text;
    context.announce(text, urgency);
  };
}

/** Sizes the picture so that the oval on the screen shows exactly the oval that guidance measures against. */
function fitVideo(video: HTMLVideoElement): void {
  if (video.videoHeight === 0) return;
  const oval = ovalOf(video.videoWidth, video.videoHeight);
  video.style.height = `${((100 * video.videoHeight) / oval.height).toFixed(2)}%`;
}
