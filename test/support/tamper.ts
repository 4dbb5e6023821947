// Alterations of sealed and signed things, one place at a time, for tests that none of them is accepted.
import fc from 'fast-check';
import { Fault } from '../../src/base/errors.ts';

const SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-+/ \u00e9';

/** A copy of the bytes with every bit of one byte flipped. */
export function byteFlipped(bytes: Uint8Array, at: number): Buffer<ArrayBuffer> {
  const changed = Buffer.from(bytes);
  changed[at]! ^= 0xff;
  return changed;
}

/** Copies of the bytes, each with every bit of one byte flipped. */
export function everyByteFlipped(bytes: Uint8Array): Buffer<ArrayBuffer>[] {
  return Array.from(bytes, (_, at) => byteFlipped(bytes, at));
}

/** The same for bytes written as base64url. */
export function everyByteFlippedIn(base64url: string): string[] {
  return everyByteFlipped(Buffer.from(base64url, 'base64url')).map((bytes) => bytes.toString('base64url'));
}

/** The same for each part of a compact JWS. */
export function everyByteFlippedInParts(jws: string): string[] {
  const parts = jws.split('.');
  return parts.flatMap((part, at) =>
    everyByteFlippedIn(part).map((flipped) => parts.with(at, flipped).join('.')),
  );
}

/** Copies of the text, each with one character replaced by another letter or digit. */
export function everyCharacterChanged(text: string): string[] {
  return Array.from(text, (sign, at) => text.slice(0, at) + (sign === 'A' ? 'B' : 'A') + text.slice(at + 1));
}

/** Every string that differs from `text` in one character. */
export function changeOneCharacter(text: string): fc.Arbitrary<string> {
  return fc
    .tuple(fc.nat(text.length - 1), fc.constantFrom(...SIGNS))
    .map(([index, sign]) => text.slice(0, index) + sign + text.slice(index + 1))
    .filter((changed) => changed !== text);
}

/** Bytes with one bit flipped. */
export function turnOneBit(bytes: Uint8Array): fc.Arbitrary<Buffer> {
  return fc.nat(bytes.length * 8 - 1).map((bit) => {
    const changed = Buffer.from(bytes);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    return changed;
  });
}

/** Whether opening it gives nothing, or fails as a broken seal does. @throws any other failure */
export async function isRefused(open: () => unknown): Promise<boolean> {
  try {
    return ((await open()) ?? null) === null;
  } catch (error) {
    if (error instanceof Fault && error.code === 'SEAL_BROKEN') return true;
    throw error;
  }
}

/** Alterations for which `isRefused` is false: the list is empty if each is refused. */
export async function accepted<T>(
  alterations: readonly T[],
  isRefused: (altered: T) => boolean | Promise<boolean>,
): Promise<T[]> {
  const found: T[] = [];
  for (const altered of alterations) if (!(await isRefused(altered))) found.push(altered);
  return found;
}
