// The page's side of guidance: looks at the preview at a steady pace and turns what it sees into hints. If it cannot
// start, is slow or dies, the page continues without hints: nothing here ever blocks. The failure is logged on the
// console and reported to the server with the recording.
import type { GuidanceState } from '../../../src/contract/capture-page.ts';
import { createDetector } from './detector.ts';
import type { Sight } from './eyes.ts';
import { watchLight } from './first-look.ts';
import {
  HINT_HOLD_MS,
  type Hint,
  hintFor,
  type ObservedFace,
  onlyFace,
  RECORDING_HINT_HOLD_MS,
  type SeenFace,
  steady,
  unsteady,
} from './hint.ts';
import { keepLooking, PATIENCE_MS } from './looking.ts';
import type { LightHint } from './luma.ts';
import { ovalOf } from './oval.ts';

/** What one look at a frame says about the prompts. */
export interface Look {
  /** The only face; null if there is none, or more than one. */
  readonly face: SeenFace | null;
  /** When the frame was taken, on the clock of performance.now(). */
  readonly atMs: number;
}

export interface GuideEvents {
  live(): void;
  off(): void;
  hint(hint: Hint): void;
  /** About the light only: reported until there are hints, and again if they stop. */
  light(hint: LightHint): void;
  aligned(): void;
}

export interface Guide {
  /** Loads the detector (2 MB) ahead of its use; once. */
  load(): void;
  /** Starts looking at a playing video, and stops looking at any other. */
  watch(video: HTMLVideoElement, events: GuideEvents): void;
  /**
   * The recording begins: the encoder comes first, so guidance rests after each look for as long as the look took, and
   * shows only lasting hints.
   */
  beginRecording(): void;
  /**
   * The recording is losing frames, or will: guidance then looks a fifth of the time during it. False if it already
   * does.
   */
  slowDown(): boolean;
  /** Passes every look to the callback from now on; returns a function that stops that. */
  onLook(looked: (look: Look) => void): () => void;
  /** How guidance did during the recording: whether there were hints when it began, and still are. */
  state(): GuidanceState;
  /** Stops looking; the detector stays loaded for another try. */
  rest(): void;
}

/** One watch over a video, from `watch` to `rest` or the next. */
interface Watch {
  readonly events: GuideEvents;
  readonly video: HTMLVideoElement;
  readonly ending: AbortController;
  /** Stops the reports about the light only. */
  byLight: AbortController;
  /** Whether there are hints now. */
  live: boolean;
  recording: boolean;
  /** Whether guidance looks less often because the recording was losing frames. */
  slowed: boolean;
  /** Whether there were hints when the recording began. */
  inTime: boolean;
}

/** Creates a guide that has loaded nothing yet. */
export function createGuide(): Guide {
  let watch: Watch | null = null;
  let looked: ((look: Look) => void) | null = null;
  let failed = false;
  /** Looks never overlap: a watch starts when the last look of the previous one has ended. */
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
    const initial = { live: false, recording: false, slowed: false, inTime: false };
    const now: Watch = { events, video, ending, byLight, ...initial };
    watch?.ending.abort();
    watch = now;
    ending.signal.addEventListener('abort', () => now.byLight.abort());
    watchLight(video, events.light, byLight.signal);
    if (!eyes) return events.off();
    const looker = {
      seen: lookHandler(now, (look) => looked?.(look)),
      stalled: () => hintsOff(now),
      failed: detector.giveUp,
      restShare: () => (now.recording ? (now.slowed ? 4 : 1) : 0),
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
    slowDown: () => {
      if (!watch || watch.slowed || failed) return false;
      watch.slowed = true;
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

/** Reports that there are no hints now, unless the watch is over, and watches the light instead. */
function hintsOff(watch: Watch): void {
  const { ending, events, video, live, recording } = watch;
  watch.live = false;
  if (ending.signal.aborted) return;
  events.off();
  if (!live || recording) return;
  watch.byLight = new AbortController();
  watchLight(video, events.light, watch.byLight.signal);
}

/** Handles the looks of a watch. If none comes in time, reports that there are no hints. */
function lookHandler(watch: Watch, looked: (look: Look) => void): (sight: Sight) => void {
  const { events, video, ending } = watch;
  const patience = setTimeout(events.off, PATIENCE_MS);
  ending.signal.addEventListener('abort', () => clearTimeout(patience));
  const holdMs = () => (watch.recording ? RECORDING_HINT_HOLD_MS : HINT_HOLD_MS);
  const show = hintReporter(video, events, holdMs);
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
  return { face: typeof face !== 'string' && hasMesh(face) ? face : null, atMs };
}

function hasMesh(face: ObservedFace): face is SeenFace {
  return face.measures !== null && face.upperFace !== null;
}

/** Steadies the hints, and reports when the face has been in position for long enough. */
function hintReporter(
  video: HTMLVideoElement,
  events: GuideEvents,
  holdMs: () => number,
): (sight: Sight) => void {
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
