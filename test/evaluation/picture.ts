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

/** Photographs that ship inside face-api: one person each, frontal or a little turned. */
export function demoPhoto(number: 1 | 2 | 3 | 4 | 5 | 6): string {
  return join(NODE_MODULES, '@vladmandic/face-api/demo', `sample${number}.jpg`);
}

export interface PictureEdit {
  /** Width in pixels. */
  readonly width?: number;
  readonly mirror?: boolean;
}

export async function readFrame(path: string, edit: PictureEdit = {}): Promise<Frame> {
  let picture = sharp(path).removeAlpha().toColourspace('srgb');
  if (edit.width) picture = picture.resize(edit.width);
  if (edit.mirror) picture = picture.flop();
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return { timeMs: 0, width: info.width, height: info.height, rgb: new Uint8Array(data) };
}

/** Compiles and loads the models around the tests of one file. Read `models` inside tests only. */
export function useModels(): { readonly models: Models } {
  let dir: string;
  const held = {} as { models: Models };
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'likeness-models-'));
    await compileModels({ nodeModulesDir: NODE_MODULES, outDir: dir });
    held.models = await loadModels({ modelsDir: dir, threads: 1 });
  });
  afterAll(async () => {
    await held.models.close();
    await rm(dir, { recursive: true });
  });
  return held;
}
