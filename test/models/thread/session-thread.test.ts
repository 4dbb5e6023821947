// The second thread: the same results as on this one, faults as faults, nothing left waiting when it is closed.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as ort from 'onnxruntime-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileModels } from '../../../src/models/compile/compile.ts';
import { SessionThread, type ThreadSession } from '../../../src/models/thread/session-thread.ts';

const OPTIONS = { intraOpNumThreads: 1 };
const DIMS = [1, 1, 64, 64];
let folder: string;
let bytes: Uint8Array;
let thread: SessionThread;
let session: ThreadSession;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'likeness-thread-'));
  const nodeModulesDir = resolve(import.meta.dirname, '..', '..', '..', 'node_modules');
  await compileModels({ nodeModulesDir, outDir: folder });
  bytes = await readFile(join(folder, 'expression.onnx'));
  thread = new SessionThread();
  session = await thread.open(bytes, OPTIONS);
});
afterAll(async () => {
  await thread.close();
  await rm(folder, { recursive: true });
});

function picture(seed: number): Float32Array {
  return Float32Array.from({ length: 64 * 64 }, (_, i) => Math.sin(i * seed));
}

describe('SessionThread', () => {
  test('gives what this thread gives, bit for bit, and each answer to its own question', async () => {
    const here = await ort.InferenceSession.create(bytes, OPTIONS);
    const seeds = [0.1, 0.7, 1.3, 2.9];
    const there = await Promise.all(
      seeds.map((seed) => session.run({ input: { data: picture(seed), dims: DIMS } })),
    );
    for (const [i, seed] of seeds.entries()) {
      const { probabilities } = await here.run({ input: new ort.Tensor('float32', picture(seed), DIMS) });
      expect(there[i]!.probabilities).toEqual(probabilities!.data);
    }
    await here.release();
  });

  test('takes the input over', async () => {
    const data = picture(1);
    await session.run({ input: { data, dims: DIMS } });
    expect(data.length).toBe(0);
  });

  test('a fault in a run or an opening is a rejection, and the thread goes on', async () => {
    await expect(session.run({ input: { data: picture(1), dims: [1, 1, 8, 8] } })).rejects.toMatchObject({
      code: 'INVARIANT',
    });
    await expect(thread.open(new Uint8Array(10), OPTIONS)).rejects.toMatchObject({ code: 'INVARIANT' });
    expect((await session.run({ input: { data: picture(2), dims: DIMS } })).probabilities).toHaveLength(7);
  });

  test('closed, it leaves nobody waiting', async () => {
    const other = new SessionThread();
    const opening = other.open(bytes, OPTIONS);
    const outcome = expect(opening).rejects.toMatchObject({ code: 'INVARIANT' });
    await other.close();
    await outcome;
  });
});
