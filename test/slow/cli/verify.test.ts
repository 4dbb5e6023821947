// A receipt from a real judgement of real footage, verified against its video by the command line: accepted if
// bit-identical, otherwise refused.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Receipt } from '../../../src/contract/receipt.ts';
import { createSigner, type Signer } from '../../cli/receipts.ts';
import { createVerifyRig, type VerifyRig } from '../../cli/verify-rig.ts';
import { genuineCapture } from '../../evaluation/scripted-clips.ts';
import { keptClips } from '../../evaluation/video/make-clip.ts';
import { runLikeness } from '../../support/command-line.ts';
import { FACES_DIR, facePath, HAS_FACES } from '../../support/faces.ts';

let rig: VerifyRig;
let signer: Signer;

beforeAll(async () => {
  rig = await createVerifyRig();
  signer = await createSigner();
  await rig.fileOf('strangers.json', JSON.stringify(signer.keys));
});
afterAll(() => rig.close());

describe.skipIf(!HAS_FACES)(`on footage (FACES_DIR: ${FACES_DIR})`, () => {
  let video: string;
  let receipt: string;
  let payload: Receipt;
  beforeAll(async () => {
    video = (await genuineCapture(keptClips(), 'd0', 5)).path;
    receipt = await rig.judged(await readFile(video));
    payload = decodeJwt(receipt) as unknown as Receipt;
    await rig.writeKeys();
  });

  /** The same receipt with some fields replaced, signed by a key of the test's own. */
  const signedWith = async (changes: object) => signer.sign({ ...payload, ...changes });
  const ownKeys = () => join(rig.folder, 'strangers.json');

  it('contains every check with its value', () => {
    const { cues } = payload.values;
    expect(cues.length).toBeGreaterThan(30);
    const find = (name: string) => cues.find(({ cue }) => cue === name);
    expect(find('face_present') ?? cues[0]).toMatchObject({ status: 'passed', value: expect.any(Number) });
    expect(find('elapsed')).toMatchObject({ status: expect.stringMatching(/passed|failed/) });
    expect(payload.engine.models.length).toBeGreaterThanOrEqual(6);
    expect(JSON.stringify(payload)).not.toMatch(/lfid1|embedding|page_hints/);
  });

  it('is verified by the same values, to the last digit', async () => {
    const { code, answer, stderr } = await rig.verify(receipt, video);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(answer).toMatchObject({ verdict: 'verified', receipt: payload });
  });

  it('can also be verified with keys from a URL, and says so in words', async () => {
    const jwks = await readFile(join(rig.folder, 'jwks.json'));
    const server = createServer((_request, response) => response.end(jwks)).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const keys = `http://127.0.0.1:${port}/jwks.json`;
    const path = await rig.fileOf('receipt.jws', receipt);
    const inWords = await runLikeness(['verify', path, '--video', video, '--jwks', keys]);
    expect(inWords).toMatchObject({ code: 0, stdout: expect.stringMatching(/^verified: \d+ checks/) });
    server.close();
    const gone = await rig.verify(receipt, video, keys);
    expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining('no keys from')]);
  });

  it('is refused with another video, when altered, or with other keys', async () => {
    const other = await rig.verify(receipt, facePath('video/derived/mirror_d0.mp4'));
    expect([other.code, other.answer]).toEqual([4, { verdict: 'other_video' }]);
    const [head, body, signature] = receipt.split('.');
    const better = Buffer.from(JSON.stringify({ ...payload, overall_result: 'pass' })).toString('base64url');
    for (const altered of [`${head}.${better}.${signature}`, `${head}.${body}`, 'nothing at all'])
      expect(await rig.verify(altered, video)).toMatchObject({ code: 4, answer: { verdict: 'altered' } });
    const stranger = await rig.verify(receipt, video, ownKeys());
    expect([stranger.code, stranger.answer]).toEqual([4, { verdict: 'unknown_key' }]);
  });

  it('is refused where a signed value differs from the result of judging again', async () => {
    const cues = payload.values.cues.map((cue) =>
      cue.cue === 'sharpness' ? { ...cue, value: cue.value! * (1 + Number.EPSILON) } : cue,
    );
    expect(cues).not.toEqual(payload.values.cues);
    const wrong = await rig.verify(
      await signedWith({ values: { ...payload.values, cues } }),
      video,
      ownKeys(),
    );
    expect(wrong).toMatchObject({ code: 4, answer: { verdict: 'other_values' } });
    expect(wrong.answer.changed).toEqual([expect.stringMatching(/^sharpness: /)]);
    // Another input also leads to other values.
    const inputs = { ...payload.inputs, seen_before: 0.9 };
    expect((await rig.verify(await signedWith({ inputs }), video, ownKeys())).answer.changed).toContainEqual(
      expect.stringMatching(/^earlier_upload: /),
    );
  });

  it('is not judged again with other networks or another version', async () => {
    const engine = { ...payload.engine, version: '9.9.9' };
    const other = await rig.verify(await signedWith({ engine }), video, ownKeys());
    expect(other).toMatchObject({ code: 3, answer: { verdict: 'other_engine' } });
    expect(other.answer.differences).toEqual([expect.stringContaining('9.9.9')]);
    const [first, ...rest] = payload.engine.models;
    const models = [{ ...first!, sha256: '0'.repeat(64) }, ...rest];
    const swapped = await signedWith({ engine: { ...payload.engine, models } });
    expect((await rig.verify(swapped, video, ownKeys())).answer.differences).toEqual([
      `the network ${first!.id}`,
    ]);
  });

  it('reports what is wrong with the files', async () => {
    const missing = await rig.verify(receipt, join(rig.folder, 'no.webm'));
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('no.webm')]);
    const noKeys = await rig.verify(receipt, video, await rig.fileOf('bad.json', '{"a":1}'));
    expect([noKeys.code, noKeys.stderr]).toEqual([2, expect.stringContaining('not a JSON Web Key Set')]);
  });
});
