// Pictures for FeatureIDs: good ones in every format, and the reason for each that is refused.
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { cosineSimilarity } from '../../src/evaluation/recognition/vector.ts';
import { templateOfPicture } from '../../src/evaluation/template-of-picture.ts';
import { FACES_DIR, facePath, HAS_FACES } from '../support/faces.ts';
import { demoPhoto, useModels } from './picture.ts';

const held = useModels();
const read = (picture: Uint8Array | string) => templateOfPicture(picture, held.models);

it('refuses a photograph of a group', async () => {
  expect(await read(demoPhoto(1))).toEqual({ status: 'refused', fault: 'several_faces' });
});

it.each([
  ['nothing', Buffer.alloc(0), 'picture_empty'],
  ['text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'picture_not_supported'],
  ['half a JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), 'picture_damaged'],
] as const)('refuses %s', async (_what, bytes, fault) => {
  expect(await read(bytes)).toEqual({ status: 'refused', fault });
});

it('refuses pictures that decode to more than allowed, before they are decoded', async () => {
  const create = { width: 8000, height: 8000, channels: 3, background: 'grey' } as const;
  const bomb = await sharp({ create, limitInputPixels: false }).png().toBuffer();
  expect(bomb.length).toBeLessThan(1_000_000);
  expect(await read(bomb)).toEqual({ status: 'refused', fault: 'picture_too_large' });
  const empty = await sharp({ create: { ...create, width: 400, height: 400 } })
    .gif()
    .toBuffer();
  expect(await read(empty)).toEqual({ status: 'refused', fault: 'picture_not_supported' });
});

describe.skipIf(!HAS_FACES)(`pictures (FACES_DIR: ${FACES_DIR})`, () => {
  const GOOD = [
    'exif_orientation_6.jpg',
    'gray.jpg',
    'cmyk.jpg',
    'rgba.png',
    'webp.webp',
    'bmp_named_jpg.jpg',
  ];
  const malformed = (file: string) => facePath(`negative/malformed/${file}`);

  it('are read in every format, as one frame, with their quality', async () => {
    const person = await read(await readFile(malformed('webp.webp')));
    if (person.status !== 'made') throw new Error(person.fault);
    expect(person.template.frames).toBe(1);
    expect(person.quality.eye_distance_px).toBeGreaterThan(40);
    for (const file of GOOD) {
      const made = await read(malformed(file));
      if (made.status !== 'made') throw new Error(`${file}: ${made.fault}`);
      expect(cosineSimilarity(made.template.embedding, person.template.embedding)).toBeGreaterThan(0.602);
    }
  });

  it('are refused with the right reason when degraded', async () => {
    const good = await sharp(malformed('webp.webp')).removeAlpha().png().toBuffer();
    const { width, height } = await sharp(good).metadata();
    const person = await read(good);
    if (person.status !== 'made') throw new Error(person.fault);
    const { eye_distance_px: eyes } = person.quality;
    const small = await sharp(good)
      .resize(Math.round((width * 33) / eyes))
      .png()
      .toBuffer();
    expect(await read(small)).toEqual({ status: 'refused', fault: 'face_too_small' });
    const blurred = await sharp(good)
      .blur(Math.max(3, eyes / 12))
      .png()
      .toBuffer();
    expect(await read(blurred)).toEqual({ status: 'refused', fault: 'blurred' });
    const dark = await sharp(good).linear(0.12, 0).png().toBuffer();
    expect(await read(dark)).toMatchObject({ status: 'made', quality: { flaws: ['dark'] } });
    const twice = await sharp(good)
      .extend({ right: width, background: 'grey' })
      .composite([{ input: good, left: width, top: 0 }])
      .png()
      .toBuffer();
    expect(await read(twice)).toEqual({ status: 'refused', fault: 'several_faces' });
    const cut = await sharp(good)
      .extract({ left: 0, top: 0, width, height: Math.round(height / 8) })
      .png();
    expect(await read(await cut.toBuffer())).toMatchObject({ status: 'refused' });
  });
});
