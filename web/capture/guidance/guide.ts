// The page's side of guidance: looks at the preview at a steady pace and turns what was seen into hints. Where it cannot
// start, is slow or dies, the page goes on without hints: nothing here ever blocks. That it did is said on the console
// and, with the recording, to the server.
import type { GuidanceState } from '../../../src/contract/capture-page.ts';
import type { Measures } from './answers.ts';
import { type Eyes, openEyes, type Sight } from './eyes.ts';
import {
  HINT_HOLD_MS,
  type Hint,
  hintFor,
  onlyFace,
  RECORDING_HINT_HOLD_MS,
  steady,
  unsteady,
} from './hint.ts';
import { ovalOf } from './oval.ts';

/** Ten looks a second, where the device can. */
const LOOK_INTERVAL_MS = 100;
/** Without an answer by then, the page offers to go on without hints (they may still come). */
const PATIENCE_MS = 12_000;
/** A frame that takes longer is no live hint any more (30–50 ms is usual), and the recorder needs the processor. */
const TOO_SLOW_MS = 1_000;
/** Failed or too slow frames in a row before guidance gives up. */
const MAX_FAILURES = 3;

/** What one look at the picture says of the prompts. */
export interface Look {
  /** The one face; null where there is none, or more. */
  readonly face: Measures | null;
  /** When the picture was taken, on the clock of performance.now(). */
  readonly atMs: number;
}

export interface GuideEvents {
  live(): void;
  off(): void;
  hint(hint: Hint): void;
  aligned(): void;
}

export interface Guide {
  /** Loads the detector (2 MB) ahead of its use; once. */
  load(): void;
  /** Starts looking at a playing video; what was looked at before is not any more. */
  watch(video: HTMLVideoElement, events: GuideEvents): void;
  /** The recording begins: guidance rests for as long as it looks, as the encoder comes first; hints must last to be told. */
  beginRecording(): void;
  /** Has every look told from now on; answers how to end that. */
  onLook(looked: (look: Look) => void): () => void;
  /** How guidance fared for the recording: whether hints were there when it began, and are alive. */
  state(): GuidanceState;
  /** Stops looking; the detector stays loaded for another try. */
  rest(): void;
}

/** A guide that has loaded nothing yet. */
export function createGuide(): Guide {
  let eyes: Eyes | null = null;
  let failed = false;
  let watching = new AbortController();
  let events: GuideEvents | null = null;
  let recording = false;
  let looked: ((look: Look) => void) | null = null;
  let live = false;
  let inTime = false;
  /** Looks end one after the other: a watch begins when the last look of the one before has ended. */
  let looking: Promise<void> = Promise.resolve();

  const giveUp = (why: unknown) => {
    if (failed) return;
    failed = true;
    live = false;
    console.warn('Hints for the camera are off:', why);
    eyes?.close();
    watching.abort();
    events?.off();
  };

  const load = () => {
    if (eyes || failed) return;
    try {
      eyes = openEyes();
      eyes.onDeath(giveUp);
      eyes.ready.catch(giveUp);
    } catch (error) {
      giveUp(error);
    }
  };

  const look = async (seen: (sight: Sight) => void, video: HTMLVideoElement, signal: AbortSignal) => {
    await eyes!.ready;
    for (let failures = 0; !signal.aborted; ) {
      const fromMs = performance.now();
      const stalled = setTimeout(() => {
        live = false;
        events?.off();
      }, PATIENCE_MS);
      try {
        const sight = await eyes!.look(video);
        failures = sight.tookMs > TOO_SLOW_MS ? failures + 1 : 0;
        if (!signal.aborted) seen(sight);
        if (failures >= MAX_FAILURES) return giveUp(`frames take ${Math.round(sight.tookMs)} ms`);
      } catch (error) {
        failures += 1;
        if (failures >= MAX_FAILURES && video.videoWidth > 0) return giveUp(error);
      } finally {
        clearTimeout(stalled);
      }
      const tookMs = performance.now() - fromMs;
      await pause(Math.max(LOOK_INTERVAL_MS - tookMs, recording ? tookMs : 0), signal);
    }
  };

  return {
    load,
    watch: (video, given) => {
      load();
      watching.abort();
      events = given;
      recording = false;
      live = false;
      if (failed) return given.off();
      watching = new AbortController();
      const { signal } = watching;
      const patience = setTimeout(given.off, PATIENCE_MS);
      signal.addEventListener('abort', () => clearTimeout(patience));
      const show = hinter(video, given, () => (recording ? RECORDING_HINT_HOLD_MS : HINT_HOLD_MS));
      const seen = (sight: Sight) => {
        clearTimeout(patience);
        if (!live) given.live();
        live = true;
        show(sight);
        looked?.(lookOf(sight));
      };
      looking = looking.then(() => look(seen, video, signal)).catch(() => undefined);
    },
    beginRecording: () => {
      recording = true;
      inTime = live;
    },
    onLook: (given) => {
      looked = given;
      return () => {
        if (looked === given) looked = null;
      };
    },
    state: () => {
      if (inTime && live) return 'on';
      return failed || inTime ? 'failed' : 'late';
    },
    rest: () => {
      watching.abort();
      events = null;
    },
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

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
