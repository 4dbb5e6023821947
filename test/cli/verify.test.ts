// A receipt of a video that cannot be judged, verified by the command line. Of one that can: test/slow/cli/verify.test.ts.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { genuineCapture } from '../evaluation/scripted-clips.ts';
import { keptClips } from '../evaluation/video/make-clip.ts';
import { HAS_FACES } from '../support/faces.ts';
import { createVerifyRig, type VerifyRig } from './verify-rig.ts';

let rig: VerifyRig;

beforeAll(async () => {
  rig = await createVerifyRig();
});
afterAll(() => rig.close());

describe.skipIf(!HAS_FACES)('a video that cannot be judged', () => {
  it('has a receipt that says so, and judging again agrees', async () => {
    const path = join(rig.folder, 'broken.webm');
    const broken = (await readFile((await genuineCapture(keptClips(), 'd0', 5)).path)).subarray(0, 20_000);
    await writeFile(path, broken);
    const receipt = await rig.judged(Buffer.from(broken));
    await rig.writeKeys();
    const { code, answer } = await rig.verify(receipt, path);
    expect([code, answer.receipt.values.reasons.length]).toEqual([0, 1]);
  });
});
