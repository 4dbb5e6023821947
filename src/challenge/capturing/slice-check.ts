// Checks a recording's bytes against the announced slices, in whatever chunks they come.
import { createHash } from 'node:crypto';
import type { Custody } from '../../keys/account-keys.ts';
import type { Capture, ChallengePlace, Slice } from '../challenge.ts';
import { macOfSlice } from '../seals.ts';

/**
 * Chunks have this size on average, beyond one for each slice and some spare ones; the page's smallest has twice as
 * much.
 */
const MEAN_CHUNK_BYTES = 16 * 1024;
const SPARE_CHUNKS = 64;

/** Whether a recording came in more chunks than a page sends: each costs a row and a write to the disk. */
export const hasTooManyChunks = ({ chunks, slices, sizeBytes }: Capture): boolean =>
  chunks >= slices.length + (sizeBytes ?? 0) / MEAN_CHUNK_BYTES + SPARE_CHUNKS;

export interface SliceCheck {
  /**
   * Takes the next bytes of a recording; false if a slice that they complete is not the announced one, or was not
   * announced.
   */
  take(bytes: Uint8Array): Promise<boolean>;
  /** Head of the chain of the slices so far (contract/device.ts). */
  head(): Buffer;
}

/** Creates a check that begins at the recording's first byte. */
export function createSliceCheck(
  custody: Custody,
  place: ChallengePlace,
  slices: readonly Slice[],
): SliceCheck {
  let index = 0;
  let taken = 0;
  let hash = createHash('sha256');
  let macBefore: Buffer | null = null;
  let head: Buffer = Buffer.alloc(0);
  const take = async (bytes: Uint8Array): Promise<boolean> => {
    for (let at = 0; at < bytes.length; ) {
      const slice = slices[index];
      if (!slice) return false;
      const part = bytes.subarray(at, at + slice.size_bytes - taken);
      hash.update(part);
      at += part.length;
      taken += part.length;
      if (taken < slice.size_bytes) continue;
      const sha256 = hash.digest();
      head = createHash('sha256').update(head).update(sha256).digest();
      const mac = await macOfSlice(custody, place, macBefore, sha256);
      if (!mac.equals(Buffer.from(slice.mac, 'base64'))) return false;
      macBefore = mac;
      hash = createHash('sha256');
      taken = 0;
      index += 1;
    }
    return true;
  };
  return { take, head: () => head };
}
