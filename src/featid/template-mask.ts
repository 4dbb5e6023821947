// The outer layer of a stored template, under the FeatureID's erasure key. Once that key is destroyed, the rest is
// noise, whatever other keys someone holds.
import { createCipheriv } from 'node:crypto';

/** Each key masks only one template, so its counter may start at zero. */
const FIRST_BLOCK = Buffer.alloc(16);

/**
 * Applies or removes the mask (AES-256-CTR). It encrypts without authenticating; the seal inside it authenticates. A
 * second layer of authenticated encryption would cost a key derivation for each of up to a hundred references.
 */
export function maskTemplate(erasureKey: Uint8Array, template: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-ctr', erasureKey, FIRST_BLOCK);
  return Buffer.concat([cipher.update(template), cipher.final()]);
}
