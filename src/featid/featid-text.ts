// The FeatureID as text, which the client keeps. It consists of an id and a key, both random, and holds no biometric
// data.
import { randomBytes } from 'node:crypto';
import { base62Length, decodeToken, encodeToken, type TokenFormat, toBase62 } from '../base/checked-token.ts';

/** `lfid1_`, then id (128 bits), key (256 bits) and CRC-32 in base62: 77 characters. */
const FORMAT: TokenFormat = { prefix: 'lfid1_', partBytes: [16, 32] };
const ID_DIGITS = base62Length(16);

/** The parts of a FeatureID. */
export interface FeatidParts {
  /** Names the row in the database; 22 base62 digits. */
  readonly id: string;
  /** One half of the key that opens the template. Never stored. */
  readonly key: Buffer;
}

/** Makes a new FeatureID. */
export function generateFeatid(): FeatidParts & { text: string } {
  const [id, key] = [randomBytes(16), randomBytes(32)];
  return { id: toBase62(id), key, text: encodeToken(FORMAT, [id, key]) };
}

/** Parses a FeatureID strictly: undefined for anything that {@link generateFeatid} could not have made. */
export function parseFeatid(text: string): FeatidParts | undefined {
  const parts = decodeToken(FORMAT, text);
  // The encoding is unique, so the digits of the id need not be computed again.
  return parts && { id: text.slice(FORMAT.prefix.length, FORMAT.prefix.length + ID_DIGITS), key: parts[1]! };
}
