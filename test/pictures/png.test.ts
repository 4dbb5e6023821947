// Stripping a PNG file before its decoder sees it: the picture stays, and nothing that inflates.
import { crc32, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pictureChunks } from '../../src/pictures/png.ts';
import { sharp } from '../../src/pictures/sharp.ts';

function chunk(type: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length, 0);
  head.write(type, 4, 'latin1');
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(data, crc32(Buffer.from(type, 'latin1'))), 0);
  return Buffer.concat([head, data, sum]);
}

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** 100 × 100 pixels, RGB. */
const HEAD = chunk('IHDR', Buffer.from('00000064000000640802000000', 'hex'));
const ROWS = chunk('IDAT', deflateSync(Buffer.alloc(301 * 100, 7)));
const END = chunk('IEND', Buffer.alloc(0));
const png = (...chunks: Buffer[]) => Buffer.concat([SIGNATURE, ...chunks]);
const plain = png(HEAD, ROWS, END);

describe('pictureChunks', () => {
  it.each(['zTXt', 'iTXt', 'tEXt', 'fdAT', 'prVt'])('drops %s, wherever and however often', (type) => {
    const text = chunk(
      type,
      Buffer.concat([Buffer.from('k\0\0'), deflateSync(Buffer.alloc(5_000_000), { level: 9 })]),
    );
    const bomb = png(HEAD, ...Array<Buffer>(20).fill(text), ROWS, text, END, text);
    expect(Buffer.from(pictureChunks(bomb)).equals(plain)).toBe(true);
  });

  it('keeps one small colour profile', () => {
    const profile = (bytes: number) => chunk('iCCP', Buffer.alloc(bytes, 1));
    const kept = png(HEAD, profile(3_000), ROWS, END);
    expect(
      Buffer.from(pictureChunks(png(HEAD, profile(3_000), profile(3_000), ROWS, END))).equals(kept),
    ).toBe(true);
    expect(Buffer.from(pictureChunks(png(HEAD, profile(20_000), ROWS, END))).equals(plain)).toBe(true);
  });

  it('leaves the pixels of real pictures as they are', async () => {
    const source = sharp({ create: { width: 40, height: 30, channels: 4, background: '#12345680' } });
    for (const options of [{}, { palette: true }, { progressive: true }]) {
      const file = await source
        .clone()
        .withExif({ IFD0: { Copyright: 'x' } })
        .png(options)
        .toBuffer();
      const pixels = (bytes: Uint8Array) => sharp(bytes, { failOn: 'error' }).raw().toBuffer();
      expect((await pixels(pictureChunks(file))).equals(await pixels(file))).toBe(true);
    }
  });

  it('never fails, never grows a file, and leaves other files alone', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(80), (noise, cut) => {
        expect(pictureChunks(noise).length).toBeLessThanOrEqual(noise.length);
        const torn = Buffer.concat([plain.subarray(0, cut), noise]);
        expect(pictureChunks(torn).length).toBeLessThanOrEqual(torn.length);
      }),
    );
    const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex');
    expect(pictureChunks(jpeg)).toBe(jpeg);
  });
});
