// A recording that nobody gets: whether this device can record at all is known before a script is drawn, and costs no try.
import { SLICE_MS } from '../../../src/contract/upload-limits.ts';
import { sha256Hex } from '../api/device.ts';
import type { RecordingLoad } from './camera.ts';
import { countFrames } from './frames.ts';
import { createRecorder, madeAtMs } from './recorder.ts';

/** Long enough that a page which does not keep up falls behind by more than it is let. Chosen. */
const REHEARSAL_MS = 3_000;
/**
 * So late a slice may be announced, but for the line: the recorder's start behind the issue of a script, its hash, the call before it
 * and its own. The service takes it for 4 s; a page that falls behind goes on falling, and a recording lasts two to ten times as long. On two
 * cores with a load of 25 a page slowed 6 times came to 690, one slowed 20 times to 2,300–6,800; at 2,300 its recording was lost.
 */
const MAX_LATE_MS = 1_500;
/** With fewer pictures nothing can be judged. Recordings of 12 a second passed (docs/capture-page.md). */
const MIN_FRAMES = 10 * (REHEARSAL_MS / 1_000);
/** A recorder that has not come to its end by then never will. */
const TIMEOUT_MS = 10_000;

/**
 * Records as for the server, hashes the slices, makes calls meanwhile, and lets all go.
 * @param load what the stream was opened for
 * @param call any call to the server: what an announcement would take
 * @param signal the person leaves: the answer means nothing then
 * @returns whether the page would have announced its slices in time, with enough pictures in them
 */
export async function rehearse(
  stream: MediaStream,
  load: RecordingLoad,
  call: () => Promise<unknown>,
  signal: AbortSignal,
): Promise<boolean> {
  const { recorder } = createRecorder(stream, load);
  const slices: Promise<Uint8Array>[] = [];
  const longest = { startMs: 0, hashMs: 0, callMs: 0 };
  const fromMs = performance.now();
  let calling = Promise.resolve();
  const over = new Promise<boolean>((resolve) => {
    signal.addEventListener('abort', () => resolve(false));
    setTimeout(() => resolve(false), TIMEOUT_MS);
    recorder.onerror = () => resolve(false);
    recorder.ondataavailable = (event) => {
      const hashed = hashedBytes(event.data).then((bytes) => {
        longest.hashMs = Math.max(longest.hashMs, performance.now() - madeAtMs(event));
        return bytes;
      });
      slices.push(hashed);
      calling = calling.then(async () => {
        await hashed;
        const calledMs = performance.now();
        await call();
        longest.callMs = Math.max(longest.callMs, ownMs(calledMs, performance.now()));
      });
      calling.catch(() => resolve(false));
    };
    recorder.onstart = () => {
      longest.startMs = performance.now() - fromMs;
      recorder.onstop = () => resolve(true);
      setTimeout(() => stop(recorder), REHEARSAL_MS);
    };
  });
  recorder.start(SLICE_MS);
  const ended = await over;
  stop(recorder);
  if (!ended) return false;
  await calling;
  const counter = countFrames();
  for (const bytes of await Promise.all(slices)) counter.add(bytes);
  const lateMs = longest.startMs + longest.hashMs + 2 * longest.callMs;
  return lateMs <= MAX_LATE_MS && (counter.frames ?? MIN_FRAMES) >= MIN_FRAMES;
}

/** What of a call that just ended was this page's own time. The line's is told by the browser, where it is told. */
function ownMs(fromMs: number, toMs: number): number {
  const last = performance.getEntriesByType('resource').at(-1);
  const lineMs = last && last.startTime >= fromMs ? last.duration : 0;
  return Math.max(0, toMs - fromMs - lineMs);
}

async function hashedBytes(slice: Blob): Promise<Uint8Array> {
  const bytes = await slice.arrayBuffer();
  await sha256Hex(bytes);
  return new Uint8Array(bytes);
}

function stop(recorder: MediaRecorder): void {
  if (recorder.state !== 'inactive') recorder.stop();
}
