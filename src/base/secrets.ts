// Unguessable secrets: how they are made, stored and compared.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A random secret, base64url without padding. `bytes` × 8 bits of entropy. */
export function randomSecret(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

/**
 * SHA-256, stored in place of a random secret (32 bytes). A secret of 128 random bits or more cannot be guessed, so
 * neither a salt nor a slow password hash would add anything. Not for passwords.
 */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Whether both are the same bytes. The time taken reveals nothing but their lengths. */
export function areEqualSecrets(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
