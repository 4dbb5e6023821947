// The outer layer of a stored template, under the FeatureID's erasure key. Once that key is destroyed the rest is noise,
// whatever other keys somebody holds.
import { createCipheriv } from 'node:crypto';

/** A key masks one template only, so that its counter may begin at zero. */
const FIRST_BLOCK = Buffer.alloc(16);

/**
 * Puts the mask on, or takes it off: AES-256-CTR. It hides but does not authenticate: the seal below it
 * does. A second layer of authenticated encryption would add a derivation of a key to each of a hundred references.
 */
export function maskTemplate(erasureKey: Uint8Array, template: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-ctr', erasureKey, FIRST_BLOCK);
  return Buffer.concat([cipher.update(template), cipher.final()]);
}
