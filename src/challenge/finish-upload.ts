// From a complete upload to a judge job: hash checked, asset stored encrypted, then one transaction. Run by the request
// that brought the last byte, and by the sweep where that request died.
import { createHash } from 'node:crypto';
import { newId } from '../base/ids.ts';
import type { Capture, Challenge } from './challenge.ts';
import { ACTIONS } from './lifecycle.ts';
import type { ChallengeParts } from './parts.ts';
import { macOfVideo, openChunk, recordingsOf } from './seals.ts';
import { videoTypeOf } from './video-type.ts';

type Parts = Pick<ChallengeParts, 'store' | 'assets' | 'custody'>;

/**
 * `superseded`: another run was first, or the challenge closed meanwhile. A crash before the transaction leaves an
 * orphan asset to the sweep and the chunks in place: the next run starts again.
 */
export async function finishUpload(
  parts: Parts,
  captureId: string,
): Promise<'submitted' | 'hash_mismatch' | 'superseded'> {
  const found = await parts.store.findCapture(captureId);
  if (found?.capture.state !== 'committed') return 'superseded';
  const { accountId, id: challengeId } = found.challenge;
  const bytes = await readUpload(parts, found.challenge, captureId);
  if (!(await isCommitted(parts, found, bytes))) {
    // Also where another run has just taken the chunks away: then this abandons nothing.
    return (await parts.store.abandonCapture(captureId)) ? 'hash_mismatch' : 'superseded';
  }
  const id = newId('asset');
  const holder = recordingsOf(found.challenge);
  const { sealedKey } = await parts.assets.put({ holder, assetId: id, bytes });
  const asset = { id, accountId, challengeId, kind: 'liveness_video', sealedKey } as const;
  const applied = await parts.store.apply({
    challengeId,
    action: ACTIONS.submitCapture,
    needsConsent: true,
    assets: [{ ...asset, mimeType: videoTypeOf(bytes), sizeBytes: bytes.length }],
    capture: { kind: 'submit', id: captureId, assetId: id },
  });
  if (applied.status === 'applied') return 'submitted';
  await parts.assets.delete(id);
  return 'superseded';
}

/** Whether these are the bytes whose hash the page committed to. */
async function isCommitted(
  parts: Pick<Parts, 'custody'>,
  { challenge, capture }: { challenge: Challenge; capture: Capture },
  bytes: Uint8Array,
): Promise<boolean> {
  const sha256 = createHash('sha256').update(bytes).digest();
  return capture.videoMac?.equals(await macOfVideo(parts.custody, challenge, sha256)) ?? false;
}

async function readUpload(parts: Parts, challenge: Challenge, captureId: string): Promise<Buffer> {
  const chunks = await parts.store.readChunks(captureId);
  const opened = chunks.map((chunk) =>
    openChunk(parts.custody, challenge, captureId, chunk.position, chunk.sealedBytes),
  );
  return Buffer.concat(await Promise.all(opened));
}
