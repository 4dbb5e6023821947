// The page's side of guidance: looks at the preview at a steady pace and turns what was seen into hints. Where it cannot
// start, is slow or dies, the page goes on without hints: nothing here ever blocks. That it did is said on the console
// and, with the recording, to the server.
import type { AnswerMeasures } from '../../../src/contract/answer-measures.ts';
import type { GuidanceState } from '../../../src/contract/capture-page.ts';
import { createDetector } from './detector.ts';
import type { Sight } from './eyes.ts';
import { watchLight } from './first-look.ts';
import {
  HINT_HOLD_MS,
  type Hint,
  hintFor,
  onlyFace,
  RECORDING_HINT_HOLD_MS,
  steady,
  unsteady,
} from './hint.ts';
import { keepLooking, PATIENCE_MS } from './looking.ts';
import type { LightHint } from './luma.ts';
import { ovalOf } from './oval.ts';

/** What one look at the picture says of the prompts. */
export interface Look {
  /** The one face; null where there is none, or more. */
  readonly face: AnswerMeasures | null;
  /** When the picture was taken, on the clock of performance.now(). */
  readonly atMs: number;
}

export interface GuideEvents {
  live(): void;
  off(): void;
  hint(hint: Hint): void;
  /** Of the light alone: told until hints are there, and again where they are not any more. */
  light(hint: LightHint): void;
  aligned(): void;
}

export interface Guide {
  /** Loads the detector (2 MB) ahead of its use; once. */
  load(): void;
  /** Starts looking at a playing video; what was looked at before is not any more. */
  watch(video: HTMLVideoElement, events: GuideEvents): void;
  /** The recording begins: guidance rests for as long as it looks, as the encoder comes first; hints must last to be told. */
  beginRecording(): void;
  /** The recording loses pictures, or will: guidance looks a fifth of the time while it goes on. False where it does already. */
  giveWay(): boolean;
  /** Has every look told from now on; answers how to end that. */
  onLook(looked: (look: Look) => void): () => void;
  /** How guidance fared for the recording: whether hints were there when it began, and are alive. */
  state(): GuidanceState;
  /** Stops looking; the detector stays loaded for another try. */
  rest(): void;
}

/** One watch over a video, from `watch` to `rest` or the next. */
interface Watch {
  readonly events: GuideEvents;
  readonly video: HTMLVideoElement;
  readonly ending: AbortController;
  /** Ends the look at the light alone. */
  byLight: AbortController;
  /** Whether hints are there now. */
  live: boolean;
  recording: boolean;
  /** Whether the recording was losing pictures. */
  givesWay: boolean;
  /** Whether hints were there when the recording began. */
  inTime: boolean;
}

/** A guide that has loaded nothing yet. */
export function createGuide(): Guide {
  let watch: Watch | null = null;
  let looked: ((look: Look) => void) | null = null;
  let failed = false;
  /** Looks end one after the other: a watch begins when the last look of the one before has ended. */
  let looking: Promise<void> = Promise.resolve();

  const detector = createDetector(() => {
    failed = true;
    if (watch) hintsOff(watch);
    watch?.ending.abort();
  });

  const begin = (video: HTMLVideoElement, events: GuideEvents) => {
    const eyes = detector.load();
    const ending = new AbortController();
    const byLight = new AbortController();
    const untold = { live: false, recording: false, givesWay: false, inTime: false };
    const now: Watch = { events, video, ending, byLight, ...untold };
    watch?.ending.abort();
    watch = now;
    ending.signal.addEventListener('abort', () => now.byLight.abort());
    watchLight(video, events.light, byLight.signal);
    if (!eyes) return events.off();
    const looker = {
      seen: seeing(now, (look) => looked?.(look)),
      stalled: () => hintsOff(now),
      failed: detector.giveUp,
      restShare: () => (now.recording ? (now.givesWay ? 4 : 1) : 0),
    };
    looking = looking.then(() => keepLooking(eyes, video, looker, ending.signal)).catch(() => undefined);
  };

  return {
    load: () => void detector.load(),
    watch: begin,
    beginRecording: () => {
      if (!watch) return;
      watch.recording = true;
      watch.inTime = watch.live;
      watch.byLight.abort();
    },
    giveWay: () => {
      if (!watch || watch.givesWay || failed) return false;
      watch.givesWay = true;
      return true;
    },
    onLook: (given) => {
      looked = given;
      return () => {
        if (looked === given) looked = null;
      };
    },
    state: () => {
      if (watch?.inTime && watch.live) return 'on';
      return failed || watch?.inTime ? 'failed' : 'late';
    },
    rest: () => watch?.ending.abort(),
  };
}

/** Tells that there are no hints now, unless the watch is over; the light is looked at instead. */
function hintsOff(watch: Watch): void {
  const { ending, events, video, live, recording } = watch;
  watch.live = false;
  if (ending.signal.aborted) return;
  events.off();
  if (!live || recording) return;
  watch.byLight = new AbortController();
  watchLight(video, events.light, watch.byLight.signal);
}

/** What a watch makes of each look. Where none comes in time, it tells that there are no hints. */
function seeing(watch: Watch, looked: (look: Look) => void): (sight: Sight) => void {
  const { events, video, ending } = watch;
  const patience = setTimeout(events.off, PATIENCE_MS);
  ending.signal.addEventListener('abort', () => clearTimeout(patience));
  const holdMs = () => (watch.recording ? RECORDING_HINT_HOLD_MS : HINT_HOLD_MS);
  const show = hinter(video, events, holdMs);
  return (sight) => {
    clearTimeout(patience);
    if (!watch.live) events.live();
    watch.live = true;
    watch.byLight.abort();
    show(sight);
    looked(lookOf(sight));
  };
}

function lookOf({ observation, atMs }: Sight): Look {
  const face = onlyFace(observation);
  return { face: typeof face === 'string' ? null : face.measures, atMs };
}

/** Hints held still, and the word that the face has been in place for long enough. */
function hinter(video: HTMLVideoElement, events: GuideEvents, holdMs: () => number): (sight: Sight) => void {
  let memory = unsteady;
  return ({ observation }) => {
    const before = memory.shown;
    const seen = hintFor(observation, ovalOf(video.videoWidth, video.videoHeight));
    const next = steady(memory, seen, performance.now(), holdMs());
    memory = next.memory;
    if (memory.shown !== null && memory.shown !== before) events.hint(memory.shown);
    if (next.aligned) events.aligned();
  };
}
