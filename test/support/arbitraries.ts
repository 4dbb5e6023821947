// Generators shared by property-based tests.
import fc from 'fast-check';

const SIGNS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-+/ \u00e9';

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
