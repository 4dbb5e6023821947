// The same bytes give the same judgement in every process: one alone, two at once, and this one.
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { judge } from '../../../src/evaluation/judge.ts';
import { digestOf } from '../../evaluation/judgement-digest.ts';
import { useModels } from '../../evaluation/picture.ts';
import { genuineCapture } from '../../evaluation/scripted-clips.ts';
import { keptClips } from '../../evaluation/video/make-clip.ts';
import { FACES_DIR, HAS_FACES } from '../../support/faces.ts';

const JUDGING_WORKER = resolve(import.meta.dirname, 'judging-worker.ts');

describe.skipIf(!HAS_FACES)(`one judgement in every process (FACES_DIR: ${FACES_DIR})`, () => {
  const held = useModels();
  const clips = keptClips();

  it('is the same in one alone, in two at once, and here', async () => {
    const { path, script } = await genuineCapture(clips, 'd0', 5);
    const here = await judge({ video: path, script, references: [] }, held.models);
    const inProcess = async () => {
      const args = ['--import', 'tsx', JUDGING_WORKER, held.modelsDir, path, JSON.stringify(script)];
      return (await promisify(execFile)(process.execPath, args)).stdout;
    };
    const alone = await inProcess();
    const together = await Promise.all([inProcess(), inProcess()]);
    expect([alone, ...together]).toEqual(new Array(3).fill(digestOf(here)));
    // Four judgements and three loadings of the networks, on machines that do other things too.
  }, 240_000);
});
