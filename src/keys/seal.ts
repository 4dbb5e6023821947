// Authenticated encryption of one record: AES-256-GCM with a key of its own, derived from the owner's key.
// A sealed record: version (1 byte) ‖ salt (32) ‖ ciphertext ‖ tag (16).
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Fault } from '../base/errors.ts';
import { hkdfSha256 } from './hkdf.ts';

const VERSION = 1;
const SALT_BYTES = 32;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + SALT_BYTES;

/** Bytes that sealing adds to a record. */
export const SEAL_OVERHEAD_BYTES = HEADER_BYTES + TAG_BYTES;

/**
 * Seals a record. `context` names the purpose of the key, `associatedData` the place where the record belongs; opening
 * needs both. Every call draws a 256-bit salt and derives key and nonce from it (HKDF-SHA-256, RFC 5869), so that no
 * pair of key and nonce repeats, however many records one key seals.
 */
export function sealRecord(
  key: Uint8Array,
  context: string,
  plaintext: Uint8Array,
  associatedData: string,
): Buffer {
  const salt = randomBytes(SALT_BYTES);
  const header = Buffer.concat([Buffer.of(VERSION), salt]);
  const derived = deriveRecordKey(key, salt, context);
  const cipher = createCipheriv('aes-256-gcm', derived.key, derived.nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(frame(header, associatedData));
  return Buffer.concat([header, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** Opens what {@link sealRecord} made. @throws Fault SEAL_BROKEN for anything else. */
export function openRecord(
  key: Uint8Array,
  context: string,
  sealed: Uint8Array,
  associatedData: string,
): Buffer {
  if (sealed.length < SEAL_OVERHEAD_BYTES || sealed[0] !== VERSION) {
    throw new Fault('SEAL_BROKEN', `${context}: unknown format`);
  }
  const header = sealed.subarray(0, HEADER_BYTES);
  const derived = deriveRecordKey(key, header.subarray(1), context);
  const decipher = createDecipheriv('aes-256-gcm', derived.key, derived.nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(frame(header, associatedData)).setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    const body = decipher.update(sealed.subarray(HEADER_BYTES, -TAG_BYTES));
    return Buffer.concat([body, decipher.final()]);
  } catch (error) {
    throw new Fault('SEAL_BROKEN', context, { cause: error });
  }
}

function deriveRecordKey(key: Uint8Array, salt: Uint8Array, context: string): { key: Buffer; nonce: Buffer } {
  const bytes = hkdfSha256(key, salt, `likeness record v1\0${context}`, 44);
  return { key: bytes.subarray(0, 32), nonce: bytes.subarray(32) };
}

/** The header has a fixed length, so this is unambiguous. */
function frame(header: Uint8Array, associatedData: string): Buffer {
  return Buffer.concat([header, Buffer.from(associatedData)]);
}
