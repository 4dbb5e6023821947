// Hostile pictures through the real decoder, in its own confined process.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { findConfinement } from '../../src/confined/confinement.ts';
import { mediaTool } from '../../src/confined/program.ts';
import { DECODER, decodePicture } from '../../src/pictures/decode-picture.ts';
import type { PictureOrder } from '../../src/pictures/order.ts';

const LOGO: PictureOrder = { form: 'png', maxPixels: 16_000_000, maxSidePx: 480, drawings: true };
const PORTRAIT: PictureOrder = { form: 'rgb', maxPixels: 50_000_000, maxSidePx: 1600, drawings: false };
const colour = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } });
const drawing = (content: string, head = '') =>
  Buffer.from(
    `${head}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="30">${content}</svg>`,
  );

const folder = mkdtempSync(join(tmpdir(), 'likeness-pictures-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a picture', () => {
  it.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('is decoded from %s, shrunk', async (format) => {
    const file = await colour(960, 320).toFormat(format).toBuffer();
    const png = await decodePicture(file, LOGO, 'a');
    if (png.status !== 'decoded') throw new Error(png.because);
    expect(await sharp(png.data).metadata()).toMatchObject({ format: 'png', width: 480, height: 160 });
    const rgb = await decodePicture(file, PORTRAIT, 'a');
    expect(rgb).toMatchObject({ status: 'decoded', width: 960, height: 320 });
    const [r, g, b] = rgb.status === 'decoded' ? rgb.data : [];
    for (const [value, wanted] of [
      [r, 0x33],
      [g, 0x66],
      [b, 0x99],
    ] as const)
      expect(Math.abs(value! - wanted)).toBeLessThan(8);
  });

  it('is turned upright, and its transparency becomes grey', async () => {
    const lying = await colour(80, 40).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    expect(await decodePicture(lying, PORTRAIT, 'a')).toMatchObject({ width: 40, height: 80 });
    const glass = { r: 255, g: 0, b: 0, alpha: 0 };
    const clear = await sharp({ create: { width: 8, height: 8, channels: 4, background: glass } })
      .png()
      .toBuffer();
    const made = await decodePicture(clear, PORTRAIT, 'a');
    expect(made.status === 'decoded' && [...made.data.subarray(0, 3)]).toEqual([0x80, 0x80, 0x80]);
  });

  it('is refused if it is none, is cut off, or has too many pixels', async () => {
    const whole = await colour(400, 400).png().toBuffer();
    const failed = { status: 'refused', because: 'decode_failed' };
    for (const file of [Buffer.alloc(0), Buffer.from('<script>1</script>'), whole.subarray(0, 300)])
      expect(await decodePicture(file, LOGO, 'a')).toEqual(failed);
    expect(await decodePicture(await colour(40, 40).tiff().toBuffer(), LOGO, 'a')).toEqual(failed);
    expect(await decodePicture(await colour(4001, 4000).png().toBuffer(), LOGO, 'a')).toEqual({
      status: 'refused',
      because: 'too_large_dimensions',
    });
  });
});

describe('a drawing', () => {
  it('is decoded where it is wanted', async () => {
    const file = drawing('<rect width="90" height="30" fill="red"/>');
    expect(await decodePicture(file, LOGO, 'a')).toMatchObject({ status: 'decoded', width: 90, height: 30 });
    expect(await decodePicture(file, PORTRAIT, 'a')).toMatchObject({ status: 'refused' });
  });

  it('shows no file of this machine', async () => {
    const path = join(folder, 'secret.png');
    writeFileSync(path, await colour(90, 30).png().toBuffer(), { mode: 0o644 });
    const [empty, ...reading] = await Promise.all(
      [
        drawing(''),
        drawing(`<image href="file://${path}" width="90" height="30"/>`),
        drawing(`<image xlink:href="${path}" width="90" height="30"/>`),
        drawing('<text y="20">&x;</text>', `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>`),
      ].map((file) => decodePicture(file, LOGO, 'a')),
    );
    if (empty!.status !== 'decoded') throw new Error(empty!.because);
    for (const made of reading)
      if (made.status === 'decoded') expect(made.data.equals(empty!.data)).toBe(true);
  });

  it('that never ends is ended', async () => {
    const filter =
      '<filter id="f"><feTurbulence numOctaves="9"/><feGaussianBlur stdDeviation="99"/></filter>';
    const file = drawing(
      filter + '<rect width="90" height="30" filter="url(#f)"/>'.repeat(20_000),
    ).toString();
    const large = Buffer.from(file.replace('width="90" height="30">', 'width="3000" height="3000">'));
    const startedAt = performance.now();
    expect(await decodePicture(large, LOGO, 'a')).toMatchObject({ status: 'refused' });
    expect(performance.now() - startedAt).toBeLessThan(25_000);
  }, 30_000);
});

it('inflates no text that a PNG file carries', async () => {
  const text = chunk('zTXt', Buffer.concat([Buffer.from('k\0\0'), deflateSync(Buffer.alloc(50_000_000))]));
  const whole = await colour(100, 100).png().toBuffer();
  const bomb = Buffer.concat([whole.subarray(0, 33), ...Array(18).fill(text), whole.subarray(33)]);
  const startedAt = process.cpuUsage();
  expect(await decodePicture(bomb, LOGO, 'a')).toMatchObject({ status: 'decoded', width: 100 });
  expect(process.cpuUsage(startedAt).user).toBeLessThan(2e6);
});

it('is confined as the decoder of videos is, if another user can enter this folder', async () => {
  const [pictures, videos] = await Promise.all(
    [DECODER, mediaTool('ffmpeg')].map((each) => findConfinement(each)),
  );
  const needsAnother = process.getuid?.() === 0 && videos!.by !== 'bubblewrap';
  expect(pictures!.by).toBe(needsAnother && !othersCanEnter(resolve()) ? 'limits' : videos!.by);
});

const othersCanEnter = (folder: string): boolean =>
  (statSync(folder).mode & 1) === 1 && (folder === dirname(folder) || othersCanEnter(dirname(folder)));

function chunk(kind: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.length);
  head.write(kind, 4, 'latin1');
  return Buffer.concat([head, data, Buffer.alloc(4)]);
}
