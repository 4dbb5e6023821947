// Signed links to assets: {BASE_URL}/assets/links/{asset_id}?expires&signature. They work without the API key, for that
// one asset, until they expire. The signature is an HMAC under a key of the asset's account.
import type { Readable } from 'node:stream';
import { areEqualSecrets } from '../../base/secrets.ts';
import type { ByteRange } from '../../base/sized-bytes.ts';
import type { AssetLink } from '../../contract/result.ts';
import type { Custody } from '../../keys/account-keys.ts';
import type { Asset } from '../challenge.ts';
import type { ChallengeParts } from '../parts.ts';
import type { AssetOutcome } from '../services.ts';

const PURPOSE = 'asset-link';

/** An asset that links can be made for: a recording or a frame. */
export type LinkableAsset = Asset & { readonly kind: AssetLink['asset_type'] };

/** Whether links can be made for an asset. A client's logo is stored as an asset too, but has no links. */
export function isLinkable<A extends Asset>(asset: A): asset is A & LinkableAsset {
  return asset.kind !== 'logo';
}

/** Makes a new link. `size_kb` counts units of 1024 bytes, rounded up. */
export async function makeAssetLink(
  parts: Pick<ChallengeParts, 'custody' | 'clock' | 'settings'>,
  asset: LinkableAsset,
): Promise<AssetLink> {
  const { baseUrl, assetLinkTtlSeconds } = parts.settings;
  const expires = Math.floor(parts.clock.now().getTime() / 1000) + assetLinkTtlSeconds;
  const signature = await sign(parts.custody, asset, String(expires));
  const query = `expires=${expires}&signature=${signature.toString('base64url')}`;
  return {
    asset_type: asset.kind,
    mime_type: asset.mimeType,
    size_kb: Math.ceil(asset.sizeBytes / 1024),
    presigned_url: `${baseUrl}/assets/links/${asset.id}?${query}`,
    presigned_url_valid_until: new Date(expires * 1000).toISOString().replace('Z', '+00:00'),
  };
}

/** The asset behind a link; a wrong signature looks like an asset that does not exist. */
export async function readAsset(
  parts: Pick<ChallengeParts, 'store' | 'assets' | 'custody' | 'clock'>,
  assetId: string,
  query: { expires: string; signature: string },
): Promise<AssetOutcome> {
  const asset = await parts.store.findAsset(assetId);
  if (!asset) return { status: 'not_found' };
  const expected = await sign(parts.custody, asset, query.expires);
  const given = Buffer.from(query.signature, 'base64url');
  if (!areEqualSecrets(given, expected)) return { status: 'not_found' };
  // Only values that we signed get here, so this is a number.
  if (Number(query.expires) * 1000 <= parts.clock.now().getTime()) return { status: 'expired' };
  const { mimeType, sizeBytes } = asset;
  return { status: 'ok', mimeType, sizeBytes, open: (range) => openAsset(parts, asset, range) };
}

/** Opens the asset of a valid link. The audit log names the reader `link`, because the holder is not known. */
async function openAsset(
  parts: Pick<ChallengeParts, 'store' | 'assets'>,
  asset: Asset,
  range: ByteRange | undefined,
): Promise<Readable> {
  const { id: assetId, accountId, holder, sealedKey, sizeBytes } = asset;
  const bytes = await parts.assets.open({ holder, assetId, sealedKey, sizeBytes }, range);
  try {
    const subject = asset.challengeId ?? assetId;
    await parts.store.auditRead({ actor: 'link', action: `${asset.kind}.read`, accountId, subject });
    return bytes;
  } catch (error) {
    // No bytes are given out without an audit line.
    bytes.destroy();
    throw error;
  }
}

function sign(custody: Custody, asset: Asset, expires: string): Promise<Buffer> {
  return custody.fingerprint(asset.accountId, PURPOSE, Buffer.from(`${asset.id}\n${expires}`));
}
