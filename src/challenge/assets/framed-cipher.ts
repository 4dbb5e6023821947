// Encryption of an asset's bytes: AES-256-GCM in frames (the STREAM construction, Hoang et al. 2015), so that a large
// file is sealed and opened piece by piece, any part can be read alone, and no piece can be moved, left out or cut off.
// An encrypted asset: version (1 byte) ‖ frames of up to 65,536 plaintext bytes, each with its tag (16).
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { Fault } from '../../base/errors.ts';
import type { ByteRange, SizedBytes } from '../../base/sized-bytes.ts';

const VERSION = Buffer.of(1);
const FRAME_BYTES = 65_536;
const TAG_BYTES = 16;
const SEALED_FRAME_BYTES = FRAME_BYTES + TAG_BYTES;

/**
 * Encrypts under a key that is used for this one asset only: frame numbers are the nonces.
 * Reading it throws Fault INVARIANT if the plaintext is not as long as declared.
 */
export function encryptFrames(key: Uint8Array, plaintext: SizedBytes): SizedBytes {
  const count = frameCount(plaintext.sizeBytes);
  const chunks = async function* () {
    yield VERSION;
    let index = 0;
    for await (const frame of inPieces(plaintext.chunks, FRAME_BYTES)) {
      checkLength(frame.length, frameLength(plaintext.sizeBytes, index));
      yield sealFrame(key, frame, index++, count);
    }
    // Empty input is one empty frame.
    if (plaintext.sizeBytes === 0) yield sealFrame(key, Buffer.alloc(0), index++, count);
    checkLength(index, count);
  };
  return { sizeBytes: VERSION.length + plaintext.sizeBytes + count * TAG_BYTES, chunks: chunks() };
}

/**
 * The byte range of the encrypted asset that holds this range of the plaintext; undefined stands for the whole asset.
 */
export function encryptedRange(sizeBytes: number, range: ByteRange | undefined): ByteRange | undefined {
  if (!range) return undefined;
  const [first, last] = [frameOf(range.from), frameOf(range.to)];
  const end = Math.min(
    VERSION.length + (last + 1) * SEALED_FRAME_BYTES,
    VERSION.length + sizeBytes + frameCount(sizeBytes) * TAG_BYTES,
  );
  return { from: first === 0 ? 0 : VERSION.length + first * SEALED_FRAME_BYTES, to: end - 1 };
}

/**
 * Decrypts what {@link encryptFrames} made of `sizeBytes` bytes: all of it, or a range, for which `encrypted` must be
 * {@link encryptedRange}. No byte comes out before it is authenticated. Reading throws Fault SEAL_BROKEN for any other
 * input.
 */
export async function* decryptFrames(
  key: Uint8Array,
  encrypted: AsyncIterable<Uint8Array>,
  sizeBytes: number,
  range: ByteRange = { from: 0, to: sizeBytes - 1 },
): AsyncGenerator<Buffer> {
  const count = frameCount(sizeBytes);
  const [first, last] = [frameOf(range.from), Math.max(0, frameOf(range.to))];
  let index = first;
  const body = first === 0 ? withoutVersion(encrypted) : encrypted;
  for await (const sealed of inPieces(body, SEALED_FRAME_BYTES)) {
    if (index > last) throw new Fault('SEAL_BROKEN', 'asset too long');
    if (sealed.length !== frameLength(sizeBytes, index) + TAG_BYTES)
      throw new Fault('SEAL_BROKEN', 'asset truncated');
    const frame = openFrame(key, sealed, index, count);
    const begin = index * FRAME_BYTES;
    yield frame.subarray(Math.max(0, range.from - begin), Math.max(0, range.to + 1 - begin));
    index++;
  }
  if (index !== last + 1) throw new Fault('SEAL_BROKEN', 'asset truncated');
}

const frameCount = (sizeBytes: number): number => Math.max(1, Math.ceil(sizeBytes / FRAME_BYTES));
const frameOf = (at: number): number => Math.floor(at / FRAME_BYTES);
const frameLength = (sizeBytes: number, index: number): number =>
  Math.min(FRAME_BYTES, sizeBytes - index * FRAME_BYTES);

function sealFrame(key: Uint8Array, frame: Uint8Array, index: number, count: number): Buffer {
  const nonce = nonceOf(index, index === count - 1);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(VERSION);
  return Buffer.concat([cipher.update(frame), cipher.final(), cipher.getAuthTag()]);
}

function openFrame(key: Uint8Array, sealed: Uint8Array, index: number, count: number): Buffer {
  const nonce = nonceOf(index, index === count - 1);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(VERSION).setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    // GCM is a stream cipher: `final` gives no bytes, it checks those of `update`.
    const frame = decipher.update(sealed.subarray(0, -TAG_BYTES));
    decipher.final();
    return frame;
  } catch (error) {
    throw new Fault('SEAL_BROKEN', 'asset bytes', { cause: error });
  }
}

/**
 * Frame number (11 bytes) and whether it is the last (1 byte): an asset truncated at the end of a frame does not open.
 */
function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(index, 7);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

async function* withoutVersion(encrypted: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const chunk of encrypted) {
    if (chunk.length === 0) continue;
    if (isFirst && chunk[0] !== VERSION[0]) throw new Fault('SEAL_BROKEN', 'asset format');
    yield isFirst ? chunk.subarray(VERSION.length) : chunk;
    isFirst = false;
  }
}

/** Splits the bytes into pieces of one size; the last may be smaller, but is not empty. */
async function* inPieces(chunks: AsyncIterable<Uint8Array>, pieceBytes: number): AsyncGenerator<Buffer> {
  let piece = Buffer.allocUnsafe(pieceBytes);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + pieceBytes - filled);
      piece.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < pieceBytes) continue;
      yield piece;
      piece = Buffer.allocUnsafe(pieceBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}

function checkLength(found: number, said: number): void {
  if (found !== said) throw new Fault('INVARIANT', 'the length of an asset differs from its stated length');
}
