// The FeatureID as text: what the client keeps. An id and a key, both random: no biometric data at all.
import { randomBytes } from 'node:crypto';
import { base62Length, decodeToken, encodeToken, type TokenFormat, toBase62 } from '../base/checked-token.ts';

/** `lfid1_`, id (128 bits), key (256 bits), CRC-32; all but the prefix in base62: 77 characters. */
const FORMAT: TokenFormat = { prefix: 'lfid1_', partBytes: [16, 32] };
const ID_DIGITS = base62Length(16);

/** The parts of a FeatureID. */
export interface FeatidParts {
  /** Names the row in the database; 22 base62 digits. */
  readonly id: string;
  /** Half of what opens the template. Never stored. */
  readonly key: Buffer;
}

/** Makes a new FeatureID. */
export function generateFeatid(): FeatidParts & { text: string } {
  const [id, key] = [randomBytes(16), randomBytes(32)];
  return { id: toBase62(id), key, text: encodeToken(FORMAT, [id, key]) };
}

/** Reads a FeatureID strictly: undefined for anything but a string that {@link generateFeatid} could have made. */
export function parseFeatid(text: string): FeatidParts | undefined {
  const parts = decodeToken(FORMAT, text);
  // Bytes have exactly one spelling: the digits of the id need not be computed again.
  return parts && { id: text.slice(FORMAT.prefix.length, FORMAT.prefix.length + ID_DIGITS), key: parts[1]! };
}
