// A recording that is still being uploaded, read as its chunks arrive.
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../../base/errors.ts';
import type { Capture, Challenge } from '../challenge.ts';
import type { ChallengeParts } from '../parts.ts';
import { openChunk } from '../seals.ts';

type Parts = Pick<ChallengeParts, 'store' | 'assets' | 'custody'>;

/** Thrown if a recording cannot be read to its end: it was given up, or its bytes have stopped arriving. */
export class RecordingEnded extends Error {}

/**
 * Polling intervals, before and after the last prompt is handed out: after it, somebody will soon wait for the answer.
 */
const POLL_MS = 100;
const LAST_STEP_POLL_MS = 25;
/** A page that has sent nothing for this long has lost its connection; the reader gives up. Chosen, not measured. */
const STALL_MS = 5_000;

/**
 * Yields the bytes of a recording as they arrive, from the first to the last.
 * @param signal aborts the wait for more bytes
 * @throws RecordingEnded
 */
export async function* readGrowing(
  parts: Parts,
  { capture, challenge }: { capture: Capture; challenge: Challenge },
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  let lastAtMs = performance.now();
  for (;;) {
    const found = await parts.store.findCapture(capture.id);
    const now = found?.capture;
    if (now?.state === 'submitted') {
      yield* restOf(parts, now, at);
      return;
    }
    if (now?.state !== 'issued' && now?.state !== 'committed') throw new RecordingEnded('given_up');
    while (at < now.receivedBytes) {
      const chunk = await parts.store.readChunk(capture.id, at);
      // Submitted in between: the chunks have become an asset.
      if (!chunk) break;
      const bytes = await openChunk(parts.custody, challenge, capture.id, at, chunk);
      yield bytes;
      at += bytes.length;
      lastAtMs = performance.now();
    }
    if (now.state === 'committed' && at === now.sizeBytes) return;
    if (signal.aborted || performance.now() - lastAtMs > STALL_MS) throw new RecordingEnded('stalled');
    const isLast = now.handedOutMs.length === now.script.steps.length;
    await delay(isLast ? LAST_STEP_POLL_MS : POLL_MS);
  }
}

async function* restOf(
  parts: Pick<Parts, 'store' | 'assets'>,
  { assetId }: Capture,
  from: number,
): AsyncGenerator<Uint8Array> {
  const asset = assetId && (await parts.store.findAsset(assetId));
  if (!asset) throw new RecordingEnded('given_up');
  const video = await parts.assets.get({ ...asset, assetId: asset.id });
  if (from > video.length) throw new Fault('INVARIANT', 'a stored video is shorter than its recording');
  yield video.subarray(from);
}
