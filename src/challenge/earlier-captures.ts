// Whether a video was sent before: the keyed prints of its frames against those of the account's earlier captures.
import type { Capture, Challenge } from './challenge.ts';
import type { ChallengeParts } from './parts.ts';
import { fingerprintFrame } from './seals.ts';

/** Bytes kept of each HMAC: no two of a billion frames meet. */
const PRINT_BYTES = 16;

/**
 * Share of the prints, 0–1, that one capture of the account holds which was compared before; null where there are none, or
 * the capture was erased meanwhile. Earlier is what was compared earlier: when a recording was committed or sent is its
 * sender's choice, who could hold back the earliest of several until the others have passed. Remembers them for the days of
 * REPLAY_WINDOW_DAYS, and no longer than the challenge; safe to run again for the same capture.
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
