// The page's side of guidance: feeds the Worker with small frames at a steady pace and turns what it saw into hints.
// If the Worker cannot start, is slow or dies, the page goes on without hints: nothing here ever blocks.

import { type Hint, hintFor, steady, unsteady } from './hint.ts';
import { ovalOf } from './oval.ts';
import type { FromWorker, ToWorker } from './worker.ts';

/** Folder of the models and wasm files, put in by the build. */
declare const __GUIDANCE_ASSETS__: string;

/** Longer side of the frames that the Worker gets: blazeface sees 256 px anyway. */
const FRAME_PX = 320;
const POSITION_INTERVAL_MS = 100;
/** While recording the encoder comes first. */
const RECORDING_INTERVAL_MS = 300;
/** Without a first answer by then, the page offers to go on without hints (the Worker may still come). */
const LOAD_PATIENCE_MS = 12_000;
/** A frame that takes longer is no live hint any more (30–50 ms is usual), and the recorder needs the processor. */
const TOO_SLOW_MS = 1_000;
/** Failed or too slow frames in a row before guidance gives up. */
const MAX_FAILURES = 3;

export interface GuideEvents {
  live(): void;
  off(): void;
  hint(hint: Hint): void;
  aligned(): void;
}

export interface Guide {
  /** Loads the detector (2 MB) ahead of its use; once. */
  load(): void;
  /** Starts looking at a playing video. */
  watch(video: HTMLVideoElement, events: GuideEvents): void;
  /** Fewer frames from now on, to leave the processor to the recorder. */
  slow(): void;
  /** Stops looking; the Worker stays loaded for another try. */
  rest(): void;
}

/** A guide that has loaded nothing yet. */
export function createGuide(): Guide {
  let worker: Worker | null = null;
  let asked = false;
  let ready = false;
  let failures = 0;
  let looking: { video: HTMLVideoElement; events: GuideEvents } | null = null;
  let intervalMs = POSITION_INTERVAL_MS;
  let memory = unsteady;
  let live = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;

  const giveUp = () => {
    worker?.terminate();
    worker = null;
    clearTimeout(patience);
    clearTimeout(timer);
    looking?.events.off();
  };

  const sendFrame = async () => {
    if (!looking || !worker || !ready) return;
    const { video } = looking;
    try {
      const scale = Math.max(video.videoWidth, video.videoHeight) / FRAME_PX;
      if (!(scale > 0)) throw new Error('no frame yet');
      const frame = await createImageBitmap(video, {
        resizeWidth: Math.round(video.videoWidth / scale),
        resizeHeight: Math.round(video.videoHeight / scale),
        resizeQuality: 'low',
      });
      post(worker, { kind: 'look', frame, scale }, [frame]);
    } catch {
      timer = setTimeout(sendFrame, intervalMs);
    }
  };

  const take = (message: FromWorker) => {
    if (message.kind === 'ready') {
      ready = true;
      void sendFrame();
      return;
    }
    if (message.kind === 'failed') {
      failures += 1;
      if (!ready || failures >= MAX_FAILURES) giveUp();
      else timer = setTimeout(sendFrame, intervalMs);
      return;
    }
    failures = message.tookMs > TOO_SLOW_MS ? failures + 1 : 0;
    if (failures >= MAX_FAILURES) return giveUp();
    if (!looking) return;
    clearTimeout(patience);
    const { video, events } = looking;
    if (!live) events.live();
    live = true;
    const seen = hintFor(message.observation, ovalOf(video.videoWidth, video.videoHeight));
    const before = memory.shown;
    const next = steady(memory, seen, performance.now());
    memory = next.memory;
    if (memory.shown !== null && memory.shown !== before) events.hint(memory.shown);
    timer = setTimeout(sendFrame, Math.max(0, intervalMs - message.tookMs));
    if (next.aligned) events.aligned();
  };

  const load = () => {
    if (asked) return;
    asked = true;
    worker = startWorker();
    worker?.addEventListener('message', (event: MessageEvent<FromWorker>) => take(event.data));
    worker?.addEventListener('error', giveUp);
  };

  return {
    load,
    watch: (video, events) => {
      load();
      looking = { video, events };
      intervalMs = POSITION_INTERVAL_MS;
      memory = unsteady;
      live = false;
      if (!worker) {
        events.off();
        return;
      }
      clearTimeout(timer);
      clearTimeout(patience);
      patience = setTimeout(() => looking?.events.off(), LOAD_PATIENCE_MS);
      void sendFrame();
    },
    slow: () => {
      intervalMs = RECORDING_INTERVAL_MS;
    },
    rest: () => {
      looking = null;
      clearTimeout(timer);
      clearTimeout(patience);
    },
  };
}

function startWorker(): Worker | null {
  try {
    if (typeof OffscreenCanvas === 'undefined' || typeof WebAssembly === 'undefined') return null;
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'guidance' });
    post(worker, { kind: 'setup', assets: new URL(__GUIDANCE_ASSETS__, location.href).href }, []);
    return worker;
  } catch {
    return null;
  }
}

function post(worker: Worker, message: ToWorker, transfer: Transferable[]): void {
  worker.postMessage(message, transfer);
}
