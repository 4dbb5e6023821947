import { hkdfSync } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hkdfSha256 } from '../../src/keys/hkdf.ts';

const range = (from: number, to: number) =>
  Buffer.from(Array.from({ length: to - from }, (_, at) => from + at));
const NONE = Buffer.alloc(0);

test.each([
  {
    name: 'A.1',
    key: Buffer.alloc(22, 0x0b),
    salt: range(0, 0x0d),
    info: range(0xf0, 0xfa),
    length: 42,
    expected: '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865',
  },
  {
    name: 'A.2',
    key: range(0, 0x50),
    salt: range(0x60, 0xb0),
    info: range(0xb0, 0x100),
    length: 82,
    expected:
      'b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87',
  },
  {
    name: 'A.3',
    key: Buffer.alloc(22, 0x0b),
    salt: NONE,
    info: NONE,
    length: 42,
    expected: '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8',
  },
])('matches RFC 5869: $name', ({ key, salt, info, length, expected }) => {
  expect(hkdfSha256(key, salt, info, length).toString('hex')).toBe(expected);
});

test("matches node's implementation for any lengths", () => {
  const some = (maxLength: number) => fc.uint8Array({ maxLength });
  fc.assert(
    fc.property(
      some(100),
      some(100),
      fc.string({ maxLength: 40 }),
      // Newer versions of node derive no empty key.
      fc.integer({ min: 1, max: 300 }),
      (key, salt, info, length) => {
        const expected = Buffer.from(hkdfSync('sha256', key, salt, info, length));
        expect(hkdfSha256(key, salt, info, length).equals(expected)).toBe(true);
      },
    ),
  );
});

test('refuses more output than RFC 5869 allows', () => {
  expect(hkdfSha256(NONE, NONE, '', 8160)).toHaveLength(8160);
  expect(() => hkdfSha256(NONE, NONE, '', 8161)).toThrow(RangeError);
});
