// The page's end of the guidance Worker: starts it, gives it one small frame at a time, and returns what it saw.
import type { Observation } from './hint.ts';
import type { FromWorker, ToWorker } from './worker.ts';

/** Folder of the models and wasm files; the build fills it in. */
declare const __GUIDANCE_ASSETS__: string;

/**
 * Longer side, in pixels, of the frames that the Worker gets. BlazeFace sees 256 px anyway, but human returns the mesh
 * in whole pixels: at 320, one pixel for a corner of the mouth is a quarter of what makes a smile.
 */
const FRAME_PX = 640;

export interface Sight {
  readonly observation: Observation;
  /** When the frame was taken, on the clock of performance.now(). */
  readonly atMs: number;
  /** Time from the frame's arrival in the Worker to its answer. */
  readonly tookMs: number;
}

export interface Eyes {
  /** Settles once the networks are loaded, or cannot be. */
  readonly ready: Promise<void>;
  /** Looks at the frame that the video shows now; rejects if that frame could not be analysed. One at a time. */
  look(video: HTMLVideoElement): Promise<Sight>;
  /** Calls back when the Worker has died; every pending look then rejects. */
  onDeath(died: (why: string) => void): void;
  close(): void;
}

/**
 * The frame that the video shows now. A VideoFrame is transferred as it is and drawn by the Worker; a bitmap is drawn
 * here, which took a quarter of the time that this page needs while it records. Only in Chromium, recognised by
 * MediaStreamTrackProcessor; other browsers were not measured.
 */
async function pictureOf(
  video: HTMLVideoElement,
  { width, height }: { width: number; height: number },
): Promise<VideoFrame | ImageBitmap> {
  if ('MediaStreamTrackProcessor' in window) return new VideoFrame(video);
  return createImageBitmap(video, { resizeWidth: width, resizeHeight: height, resizeQuality: 'low' });
}

/** The Worker's largest files. Three, because HTTP/1.1 has six connections and the person's taps need some of them. */
const FETCHED_AHEAD = ['facemesh.bin', 'blazeface.bin', 'tfjs-backend-wasm-simd.wasm'];

/**
 * Prefetches what the Worker, which is still loading itself, will request one after another, so that it finds them in
 * the cache.
 */
function fetchAhead(folder: string): void {
  for (const name of FETCHED_AHEAD) {
    // Read to the end, or the body does not fully arrive. The Worker requests again what fails here.
    fetch(folder + name, { priority: 'low' })
      .then((response) => response.arrayBuffer())
      .catch(() => undefined);
  }
}

/**
 * Starts the Worker and the prefetch of its files.
 * @throws if the browser cannot run such a Worker
 */
export function openEyes(): Eyes {
  if (typeof OffscreenCanvas === 'undefined') throw new Error('no OffscreenCanvas');
  if (typeof WebAssembly === 'undefined') throw new Error('no WebAssembly');
  const assets = new URL(__GUIDANCE_ASSETS__, import.meta.url).href;
  fetchAhead(assets);
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'guidance' });
  let died: (why: string) => void = () => undefined;
  let waiting: { resolve(message: FromWorker): void; reject(error: Error): void } | null = null;
  const ask = (message: ToWorker, transfer: Transferable[]) =>
    new Promise<FromWorker>((resolve, reject) => {
      waiting = { resolve, reject };
      worker.postMessage(message, transfer);
    });
  const die = (why: string) => {
    waiting?.reject(new Error(why));
    died(why);
  };
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => waiting?.resolve(data));
  worker.addEventListener('error', ({ message }) => die(message || 'its Worker did not load'));
  worker.addEventListener('messageerror', () => die('a message of its Worker was lost'));
  const ready = ask({ kind: 'setup', assets }, []).then((answer) => {
    if (answer.kind === 'failed') throw new Error(answer.why);
  });
  return {
    ready,
    look: async (video) => {
      const scale = Math.max(video.videoWidth, video.videoHeight) / FRAME_PX;
      if (!(scale > 0)) throw new Error('no frame yet');
      const atMs = performance.now();
      const size = {
        width: Math.round(video.videoWidth / scale),
        height: Math.round(video.videoHeight / scale),
      };
      const frame = await pictureOf(video, size);
      const answer = await ask({ kind: 'look', frame, size, scale }, [frame]);
      if (answer.kind !== 'seen') throw new Error(answer.kind === 'failed' ? answer.why : answer.kind);
      const { observation, tookMs } = answer;
      return { observation, tookMs, atMs };
    },
    onDeath: (callback) => {
      died = callback;
    },
    close: () => worker.terminate(),
  };
}
