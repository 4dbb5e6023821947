// HKDF with SHA-256 (RFC 5869). It derives every key that is not random itself, as master keys and account keys are.
import { hkdfSync } from 'node:crypto';

/** Derives `length` bytes (at most 8160) from a key, a salt and a purpose (`info`). */
export const hkdfSha256 = (
  key: Uint8Array,
  salt: Uint8Array,
  info: string | Uint8Array,
  length: number,
): Buffer => Buffer.from(hkdfSync('sha256', key, salt, info, length));
