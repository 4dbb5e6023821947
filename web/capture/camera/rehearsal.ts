// A recording that nobody gets: whether this device can record at all is known before a script is drawn, and costs no try.
import { SLICE_MS } from '../../../src/contract/upload-limits.ts';
import type { Answer, CallFault } from '../api/calls.ts';
import { sha256Hex } from '../api/device.ts';
import { within } from '../time/within.ts';
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
/** A call that has no answer so long after the recording's end is as good as lost: no slice waits longer for its announcement. */
const CALL_PATIENCE_MS = 4_000;

/** What a rehearsal shows: whether this device would have announced its slices in time; or why the server cannot be asked for a script. */
export type Rehearsed =
  | { readonly ok: true; readonly inTime: boolean }
  | { readonly ok: false; readonly fault: CallFault };

const TOO_SLOW: Rehearsed = { ok: true, inTime: false };

/**
 * Records as for the server, hashes the slices, makes calls meanwhile, and lets all go.
 * @param load what the stream was opened for
 * @param call any call to the server: what an announcement would take
 * @param signal the person leaves: the answer means nothing then
 * @returns a device that is too slow is told before a lost connection, which it may only seem to have
 */
export async function rehearse(
  stream: MediaStream,
  load: RecordingLoad,
  call: () => Promise<Answer<unknown>>,
  signal: AbortSignal,
): Promise<Rehearsed> {
  const { recorder } = createRecorder(stream, load);
  const slices: Promise<Uint8Array>[] = [];
  const longest = { startMs: 0, hashMs: 0 };
  // Browsers keep 250 of these, and note no more.
  performance.clearResourceTimings();
  const fromMs = performance.now();
  const calls = callsInTurn(call);
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
      hashed.then(calls.next, () => resolve(false));
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
  if (!ended) return TOO_SLOW;
  const counter = countFrames();
  for (const bytes of await Promise.all(slices)) counter.add(bytes);
  if ((counter.frames ?? MIN_FRAMES) < MIN_FRAMES) return TOO_SLOW;
  const { ownMs, fault } = await calls.last();
  const lateMs = longest.startMs + longest.hashMs + 2 * ownMs;
  if (lateMs > MAX_LATE_MS) return TOO_SLOW;
  return fault === null ? { ok: true, inTime: true } : { ok: false, fault };
}

/** Calls one after the other, as announcements are made: a slice that comes while one is under way is the next one's. */
function callsInTurn(call: () => Promise<Answer<unknown>>) {
  let calling: Promise<void> | null = null;
  let longestMs = 0;
  let fault: CallFault | null = null;
  const make = async () => {
    const fromMs = performance.now();
    const answer = await call();
    // Of a call that failed nobody knows whose the time was.
    if (answer.ok) longestMs = Math.max(longestMs, ownTime(fromMs, performance.now()));
    fault = answer.ok ? null : answer.fault;
    calling = null;
  };
  return {
    next: () => {
      calling ??= make();
    },
    /** The most of this page's own time that a call took, and why the last one failed; a call that hangs is waited for a while. */
    last: async (): Promise<{ ownMs: number; fault: CallFault | null }> => {
      if (calling) await within(CALL_PATIENCE_MS, calling, undefined);
      return { ownMs: longestMs, fault: calling ? 'offline' : fault };
    },
  };
}

/** What of a call that just ended was this page's own time. The line's is told by the browser, where it is told. */
function ownTime(fromMs: number, toMs: number): number {
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
