// Photographs as references: good ones in every format give one person's template, unusable ones a reason.
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cosineSimilarity } from '../../src/evaluation/recognition/vector.ts';
import { templateOfMedia } from '../../src/evaluation/template-of-media.ts';
import { FACES_DIR, facePath, HAS_FACES } from '../support/faces.ts';
import { demoPhoto, useModels } from './picture.ts';

const held = useModels();

it('refuses a photograph of a group', async () => {
  expect(await templateOfMedia(demoPhoto(1), held.models)).toEqual({
    status: 'unusable',
    reason: 'several_faces',
  });
});

describe.skipIf(!HAS_FACES)(`photographs (FACES_DIR: ${FACES_DIR})`, () => {
  const GOOD = [
    'exif_orientation_3.jpg',
    'exif_orientation_6.jpg',
    'exif_orientation_8.jpg',
    'gray.jpg',
    'cmyk.jpg',
    'rgba.png',
    'palette.png',
    'webp.webp',
    'anim.gif',
    'bmp_named_jpg.jpg',
  ];

  it('are read in every format, upright and in the right colours', async () => {
    const person = await templateOfMedia(facePath('negative/malformed/webp.webp'), held.models);
    if (person.status !== 'made') throw new Error(person.reason);
    for (const file of GOOD) {
      const made = await templateOfMedia(facePath(`negative/malformed/${file}`), held.models);
      if (made.status !== 'made') throw new Error(`${file}: ${made.reason}`);
      expect(cosineSimilarity(made.template.embedding, person.template.embedding)).toBeGreaterThan(0.622);
    }
  });

  it.each(
    (HAS_FACES ? readdirSync(facePath('negative/malformed')) : []).filter((file) => !GOOD.includes(file)),
  )('%s gives a reason', async (file) => {
    const made = await templateOfMedia(facePath(`negative/malformed/${file}`), held.models);
    expect(made).toMatchObject({ status: 'unusable', reason: expect.stringMatching(/^[a-z_]+$/) });
  });
});
