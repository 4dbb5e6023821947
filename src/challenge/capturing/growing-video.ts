// A recording that is still being uploaded, read as its chunks arrive.
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../../base/errors.ts';
import type { Capture, Challenge } from '../challenge.ts';
import type { ChallengeParts } from '../parts.ts';
import { openChunk } from '../seals.ts';

type Parts = Pick<ChallengeParts, 'store' | 'assets' | 'custody'>;

/** Thrown if a recording is followed no further: it was given up, its bytes stopped arriving, or it costs too much. */
export class RecordingEnded extends Error {}

/**
 * Polling intervals, before and after the last prompt is handed out: after it, somebody will soon wait for the answer.
 */
const POLL_MS = 100;
const LAST_STEP_POLL_MS = 25;
/**
 * In every stretch of this length a page sends {@link MIN_SHARE} of the bytes that it has announced and that were
 * missing at its beginning; otherwise its line is lost or too slow, and the reader gives up its place. Chosen, not
 * measured.
 */
const STRETCH_MS = 5_000;
const MIN_SHARE = 0.1;

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
  let stretch = stretchFrom(capture);
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
    }
    if (now.state === 'committed' && at === now.sizeBytes) return;
    if (signal.aborted) throw new RecordingEnded('stalled');
    if (performance.now() - stretch.sinceMs > STRETCH_MS) {
      // At least one byte, even if none was missing: nothing announced for so long is nothing sent.
      if (now.receivedBytes - stretch.received < Math.max(1, stretch.missing * MIN_SHARE))
        throw new RecordingEnded('stalled');
      stretch = stretchFrom(now);
    }
    const isLast = now.handedOutMs.length === now.script.steps.length;
    await delay(isLast ? LAST_STEP_POLL_MS : POLL_MS);
  }
}

const stretchFrom = ({ receivedBytes, sizeBytes }: Capture) => ({
  received: receivedBytes,
  missing: (sizeBytes ?? 0) - receivedBytes,
  sinceMs: performance.now(),
});

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
