// The client's logo on our own page. The server fetches it, re-encodes it and keeps it as an asset of the challenge, so
// that the person's browser calls nobody else and receives no bytes supplied by the client.
import { newId } from '../../base/ids.ts';
import { pictureChunks } from '../../base/png.ts';
import { sharp } from '../../base/sharp.ts';
import type { Challenge } from '../challenge.ts';
import type { ChallengeParts } from '../parts.ts';
import { detailsOf, openRequest } from '../seals.ts';
import type { Link, LogoOutcome } from '../services.ts';
import { closedStatus, findLinked } from './link.ts';

type Parts = Pick<ChallengeParts, 'store' | 'custody' | 'assets' | 'room' | 'fetchImage'>;

/** Promised in docs/interface.md. Chosen, not measured: a logo of 480 pixels has some 100 kB. */
const MAX_BYTES = 1_000_000;
const FETCH_TIMEOUT_MS = 5_000;
/** Most pixels to decode: a small file can expand to gigabytes. */
const MAX_PIXELS = 16_000_000;
/** The page shows it at most 160 CSS pixels high; three times that is sharp on every screen. */
const MAX_SIDE_PX = 480;

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
  const png = fetched && (await reencode(fetched));
  if (!png) return { status: 'not_found' };
  await keep(parts, challenge, png);
  return { status: 'ok', png };
}

/** Decodes and re-encodes without metadata; null if the bytes are not an image. */
async function reencode(bytes: Uint8Array): Promise<Buffer | null> {
  if (bytes.length > MAX_BYTES) return null;
  try {
    return await sharp(pictureChunks(bytes), {
      limitInputPixels: MAX_PIXELS,
      failOn: 'error',
      animated: false,
    })
      .rotate()
      .resize({ width: MAX_SIDE_PX, height: MAX_SIDE_PX, fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer();
  } catch {
    // Not an image, or a broken one: the page shows none.
    return null;
  }
}

async function keep(parts: Parts, challenge: Challenge, png: Buffer): Promise<void> {
  const { accountId } = challenge;
  const id = newId('asset');
  const { sealedKey } = await parts.assets.put({ holder: detailsOf(challenge), assetId: id, bytes: png });
  const asset = { id, accountId, challengeId: challenge.id, kind: 'logo', sealedKey } as const;
  const inserted = await parts.store.insertAsset({ ...asset, mimeType: 'image/png', sizeBytes: png.length });
  if (!inserted) await parts.assets.delete(id);
}
