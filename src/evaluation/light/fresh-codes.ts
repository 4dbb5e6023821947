// Codes that might have been drawn instead: what the true code of a capture is ranked among.
import { createCipheriv, createHash } from 'node:crypto';

/** Enough for a chance of 1 in 1,000 to be told within a tenth of itself. */
export const FRESH_CODES = 10_000;

/**
 * FRESH_CODES codes of `bytes` bytes, one after another: the keystream of AES-256-CTR under a hash of the code that was
 * drawn. Deterministic, and nobody who sends a video chooses them: the code is the server's, drawn after any video that
 * was made before it.
 */
export function freshCodes(code: string, bytes: number): Uint8Array {
  const key = createHash('sha256').update('fresh light codes\0').update(code).digest();
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(FRESH_CODES * bytes));
}
