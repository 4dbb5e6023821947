// Still pictures as frames, and the compiled models, for the judgement's tests.
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll } from 'vitest';
import type { Frame } from '../../src/evaluation/video/frame.ts';
import { loadModels, type Models } from '../../src/models/load.ts';
import { compiledModelsDir } from '../support/compiled-models.ts';
import { NODE_MODULES } from '../support/published-networks.ts';

/** Photographs that ship with face-api: groups of three to five people. */
export function demoPhoto(number: 1 | 2 | 3 | 4 | 5 | 6): string {
  return join(NODE_MODULES, '@vladmandic/face-api/demo', `sample${number}.jpg`);
}

/** Two of the people in the sixth photograph, who look almost straight ahead, each alone. */
const PORTRAITS = {
  a: { left: 1046, top: 247, width: 440, height: 440 },
  b: { left: 1375, top: 220, width: 430, height: 430 },
};

export interface PictureEdit {
  readonly portrait?: keyof typeof PORTRAITS;
  /** Width in pixels. */
  readonly width?: number;
  readonly mirror?: boolean;
}

export async function readFrame(path: string, edit: PictureEdit = {}): Promise<Frame> {
  let picture = sharp(path).removeAlpha().toColourspace('srgb');
  if (edit.portrait) picture = sharp(await picture.extract(PORTRAITS[edit.portrait]).png().toBuffer());
  if (edit.width) picture = picture.resize(edit.width);
  if (edit.mirror) picture = picture.flop();
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return { timeMs: 0, width: info.width, height: info.height, rgb: new Uint8Array(data) };
}

/** Loads the models for the tests of one file. Read `models` inside tests only. */
export function useModels(): { readonly models: Models; readonly modelsDir: string } {
  const held = {} as { models: Models; modelsDir: string };
  beforeAll(async () => {
    held.modelsDir = await compiledModelsDir();
    held.models = await loadModels({ modelsDir: held.modelsDir, threads: 1 });
  });
  afterAll(() => held.models.close());
  return held;
}
