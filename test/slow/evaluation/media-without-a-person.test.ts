// Photographs of crowds, animals, drawings and dolls give no template, but for those that docs/recognition.md lists.
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { templateOfMedia } from '../../../src/evaluation/template-of-media.ts';
import { useModels } from '../../evaluation/picture.ts';
import { FACES_DIR, facePath, HAS_FACES } from '../../support/faces.ts';

const held = useModels();

describe.skipIf(!HAS_FACES)(`photographs (FACES_DIR: ${FACES_DIR})`, () => {
  /** Files in a folder of pictures that give a template. */
  async function passing(folder: string, subject: 'only' | 'central'): Promise<string[]> {
    const files = readdirSync(facePath(`negative/${folder}`)).sort();
    const passed: string[] = [];
    for (const file of files) {
      const path = facePath(`negative/${folder}/${file}`);
      const { status } = await templateOfMedia(path, held.models, { subject });
      if (status === 'made') passed.push(file);
    }
    expect(files.length).toBeGreaterThan(0);
    return passed;
  }

  it.each([
    ['no_face', 'only'],
    ['no_face', 'central'],
    ['several_faces', 'only'],
  ] as const)('none of %s gives a template (subject: %s)', async (folder, subject) => {
    expect(await passing(folder, subject)).toEqual([]);
  });

  it.each([
    'only',
    'central',
  ] as const)('of animals, one dog does, which docs/recognition.md lists (subject: %s)', async (subject) => {
    expect(await passing('animal', subject)).toEqual(['LivePortrait_s30.jpg']);
  });

  it('of drawings and dolls, only these do, all listed in docs/recognition.md', async () => {
    const painted = ['s0', 's3', 's4', 's5'].map((name) => `LivePortrait_${name}.jpg`);
    const rendered = ['SadTalker_art_0.png', 'SadTalker_art_5.png'];
    // Faces that nobody would take for a person's: a terracotta bust, an animated film's boy, an illustration.
    const mistaken = ['LivePortrait_s6.jpg', 'LivePortrait_s7.jpg', 'SadTalker_art_3.png'];
    expect(await passing('art_cartoon', 'only')).toEqual([...painted, ...mistaken, ...rendered].sort());
  });
});
