// Codes that might have been drawn instead; the true code of a capture is ranked among them.
import { createCipheriv, createHash } from 'node:crypto';

/** Enough to resolve a probability of 1 in 1,000 in steps of a tenth of itself. */
export const FRESH_CODES = 10_000;

/**
 * FRESH_CODES codes of `bytes` bytes, one after another: the keystream of AES-256-CTR under a hash of the drawn code.
 * Deterministic, and the sender of a video cannot choose them: the server draws the code, after any prerecorded video
 * was made.
 */
export function freshCodes(code: string, bytes: number): Uint8Array {
  const key = createHash('sha256').update('fresh light codes\0').update(code).digest();
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(FRESH_CODES * bytes));
}
