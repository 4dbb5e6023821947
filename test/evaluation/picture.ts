// Still pictures as frames, and the compiled models, for the tests of the judgement.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll } from 'vitest';
import type { Frame } from '../../src/evaluation/video/frame.ts';
import { compileModels } from '../../src/models/compile/compile.ts';
import { loadModels, type Models } from '../../src/models/load.ts';

const NODE_MODULES = resolve(import.meta.dirname, '..', '..', 'node_modules');

/** Photographs that ship inside face-api: groups of three to five people. */
export function demoPhoto(number: 1 | 2 | 3 | 4 | 5 | 6): string {
  return join(NODE_MODULES, '@vladmandic/face-api/demo', `sample${number}.jpg`);
}

/** Two of the people of the sixth one, who look about straight ahead, each alone. */
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

/** Compiles and loads the models around the tests of one file. Read `models` inside tests only. */
export function useModels(): { readonly models: Models; readonly modelsDir: string } {
  let dir: string;
  const held = {} as { models: Models; modelsDir: string };
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'likeness-models-'));
    await compileModels({ nodeModulesDir: NODE_MODULES, outDir: dir });
    held.modelsDir = dir;
    held.models = await loadModels({ modelsDir: dir, threads: 1 });
  });
  afterAll(async () => {
    await held.models.close();
    await rm(dir, { recursive: true });
  });
  return held;
}
