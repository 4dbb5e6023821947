// Encryption of an asset's bytes: AES-256-GCM in frames (the STREAM construction, Hoang et al. 2015), so that a large
// file can be opened piece by piece, and no piece can be moved, left out or cut off.
// An encrypted asset: version (1 byte) ‖ frames of up to 65,536 plaintext bytes, each with its tag (16).
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { Fault } from '../../base/errors.ts';

const VERSION = Buffer.of(1);
const FRAME_BYTES = 65_536;
const TAG_BYTES = 16;
const SEALED_FRAME_BYTES = FRAME_BYTES + TAG_BYTES;

/** Encrypts under a key that is used for this one asset only: frame numbers are the nonces. */
export function encryptFrames(key: Uint8Array, plaintext: Uint8Array): Buffer {
  const frames: Uint8Array[] = [VERSION];
  const count = Math.max(1, Math.ceil(plaintext.length / FRAME_BYTES));
  for (let index = 0; index < count; index++) {
    const frame = plaintext.subarray(index * FRAME_BYTES, (index + 1) * FRAME_BYTES);
    const nonce = nonceOf(index, index === count - 1);
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(VERSION);
    frames.push(cipher.update(frame), cipher.final(), cipher.getAuthTag());
  }
  return Buffer.concat(frames);
}

/** Opens what {@link encryptFrames} made. @throws Fault SEAL_BROKEN for anything else. */
export function decryptFrames(key: Uint8Array, encrypted: Uint8Array): Buffer {
  const body = encrypted.subarray(VERSION.length);
  if (encrypted[0] !== VERSION[0] || body.length < TAG_BYTES) throw new Fault('SEAL_BROKEN', 'asset format');
  const frames: Buffer[] = [];
  const count = Math.ceil(body.length / SEALED_FRAME_BYTES);
  for (let index = 0; index < count; index++) {
    const sealed = body.subarray(index * SEALED_FRAME_BYTES, (index + 1) * SEALED_FRAME_BYTES);
    if (sealed.length < TAG_BYTES) throw new Fault('SEAL_BROKEN', 'asset cut off');
    const nonce = nonceOf(index, index === count - 1);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(VERSION).setAuthTag(sealed.subarray(-TAG_BYTES));
    try {
      frames.push(decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final());
    } catch (error) {
      throw new Fault('SEAL_BROKEN', 'asset bytes', { cause: error });
    }
  }
  return Buffer.concat(frames);
}

/** Frame number (11 bytes) and whether it is the last (1 byte): an asset cut at a frame's end does not open. */
function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(index, 7);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}
