// The client's logo on our own page. The server fetches it, re-encodes it and keeps it as an asset of the challenge, so
// that the person's browser calls nobody else and receives no bytes supplied by the client.
import { newId } from '../../base/ids.ts';
import { decodePicture } from '../../pictures/decode-picture.ts';
import type { Challenge } from '../challenge.ts';
import type { ChallengeParts } from '../parts.ts';
import { detailsOf, openRequest } from '../seals.ts';
import type { Link, LogoOutcome } from '../services.ts';
import { closedStatus, findLinked } from './link.ts';

type Parts = Pick<ChallengeParts, 'store' | 'custody' | 'assets' | 'room' | 'fetchImage'>;

/** Promised in docs/interface.md. Chosen, not measured: a logo of 480 pixels has some 100 kB. */
const MAX_BYTES = 1_000_000;
const FETCH_TIMEOUT_MS = 5_000;
/** A small file can expand to gigabytes. The page shows it at most 160 CSS pixels high: three times that is sharp. */
const ORDER = { form: 'png', maxPixels: 16_000_000, maxSidePx: 480, drawings: true } as const;

export async function readLogo(parts: Parts, link: Link): Promise<LogoOutcome> {
  const found = await findLinked(parts.store, link);
  if (found.status !== 'ok') return found;
  const { challenge } = found.linked;
  const url = (await openRequest(parts.custody, challenge)).flow.style.logo_public_url;
  if (url === undefined) return { status: 'not_found' };
  const { assets } = await parts.store.details(challenge.id);
  const kept = assets.find((asset) => asset.kind === 'logo');
  if (kept) {
    return { status: 'ok', png: await parts.assets.get({ ...kept, assetId: kept.id }) };
  }
  // The page of a closed challenge shows a logo that was fetched before, but none is fetched for it.
  if (closedStatus(found.linked)) return { status: 'not_found' };
  // Without storage for the logo, the page shows none.
  if (await parts.room.refusal(challenge.accountId)) return { status: 'not_found' };
  if (!(await parts.store.claimLogoFetch(challenge.id))) return { status: 'not_found' };
  const fetched = await parts.fetchImage(url, { maxBytes: MAX_BYTES, timeoutMs: FETCH_TIMEOUT_MS });
  const png = fetched && (await reencode(fetched, challenge.accountId));
  if (!png) return { status: 'not_found' };
  await keep(parts, challenge, png);
  return { status: 'ok', png };
}

/** Decodes and re-encodes without metadata; null if the bytes are not an image. */
async function reencode(bytes: Uint8Array, accountId: string): Promise<Buffer | null> {
  if (bytes.length > MAX_BYTES) return null;
  const decoded = await decodePicture(bytes, ORDER, accountId);
  return decoded.status === 'decoded' ? decoded.data : null;
}

async function keep(parts: Parts, challenge: Challenge, png: Buffer): Promise<void> {
  const { accountId } = challenge;
  const id = newId('asset');
  const { sealedKey } = await parts.assets.put({ holder: detailsOf(challenge), assetId: id, bytes: png });
  const asset = { id, accountId, challengeId: challenge.id, kind: 'logo', sealedKey } as const;
  const inserted = await parts.store.insertAsset({ ...asset, mimeType: 'image/png', sizeBytes: png.length });
  if (!inserted) await parts.assets.delete(id);
}
