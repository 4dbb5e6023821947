// Whether a video was sent before: compares keyed fingerprints of its frames with those of the account's earlier
// captures.
import type { Capture, Challenge } from '../challenge.ts';
import type { ChallengeParts } from '../parts.ts';
import { fingerprintFrame } from '../seals.ts';

/** Bytes kept of each HMAC: enough that no two of a billion frames collide. */
const PRINT_BYTES = 16;

/**
 * The largest share of the prints (0–1) that any one capture compared earlier for the account holds; null if there are
 * no prints or the capture was erased meanwhile. What counts is when captures were compared: the sender chooses when a
 * recording is committed or sent, and could hold back the earliest of several until the others have passed. Remembers
 * the prints for days, and no longer than the challenge. Safe to run again for the same capture.
 */
export async function seenBefore(
  parts: Pick<ChallengeParts, 'store' | 'custody'>,
  capture: Pick<Capture, 'id'>,
  challenge: Pick<Challenge, 'accountId'>,
  framePrints: readonly Uint8Array[],
): Promise<number | null> {
  if (framePrints.length === 0) return null;
  const { accountId } = challenge;
  const keyed = await Promise.all(
    framePrints.map((print) => fingerprintFrame(parts.custody, accountId, print)),
  );
  const prints = keyed.map((print) => print.subarray(0, PRINT_BYTES));
  const shared = await parts.store.rememberFrames({ captureId: capture.id, accountId, prints });
  return shared === null ? null : shared / prints.length;
}
