// One hash of all that decides: any part of it changes it, and nothing else does.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hashOfJudgement, judgementHere, judgementOfCheckout } from '../../src/lab/judgement-hash.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const CALIBRATION = 'build/models/packs/mobilefacenet/calibration.json';
const DECIDING = [
  'src/evaluation/judge.ts',
  'build/models/manifest.json',
  'build/models/packs/mobilefacenet/manifest.json',
  CALIBRATION,
  'build/models/packs/minifasnet/manifest.json',
  'node_modules/onnxruntime-node/package.json',
  'node_modules/sharp/package.json',
];

/** A checkout that has only what decides. */
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'likeness-judgement-'));
  for (const path of DECIDING) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    cpSync(join(ROOT, path), join(root, path));
  }
});
afterEach(() => rmSync(root, { recursive: true }));

const hash = () => hashOfJudgement('challenge', judgementOfCheckout(root));
const edit = (path: string, from: RegExp, to: string) => {
  const before = readFileSync(join(root, path), 'utf8');
  const after = before.replace(from, to);
  expect(after, path).not.toBe(before);
  writeFileSync(join(root, path), after);
};

it.each([
  ['src/evaluation/judge.ts', /export/, 'export '],
  ['build/models/manifest.json', /"sha256": "../, '"sha256": "00'],
  ['build/models/packs/mobilefacenet/manifest.json', /"sha256": ?"../, '"sha256": "00'],
  [CALIBRATION, /"cosine": ?0\.\d/, '"cosine": 0.9'],
  [CALIBRATION, /"score_slope": ?/, '"score_slope": 9'],
  [CALIBRATION, /"when_passed": ?0\.\d/, '"when_passed": 0.9'],
  ['build/models/packs/minifasnet/manifest.json', /"sha256": ?"../, '"sha256": "00'],
  ['node_modules/onnxruntime-node/package.json', /"version": "/, '"version": "9'],
  ['node_modules/sharp/package.json', /"version": "/, '"version": "9'],
])('changes with %s', async (path, from, to) => {
  const before = await hash();
  expect(before).toMatch(/^[0-9a-f]{12}$/);
  edit(path, from, to);
  expect(await hash()).not.toBe(before);
});

it('does not change with documents, other libraries or how a library is described', async () => {
  const before = await hash();
  for (const path of [
    'docs/liveness.md',
    'package-lock.json',
    'node_modules/fastify/package.json',
    'src/http/app.ts',
  ]) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '{"version":"0.0.1"}');
  }
  edit('node_modules/sharp/package.json', /"description": "/, '"description": "x');
  expect(await hash()).toBe(before);
});

it('does not change when the same thresholds are measured again', async () => {
  const before = await hash();
  edit(CALIBRATION, /"made_at": ?"/, '"made_at": "9');
  edit(CALIBRATION, /"code": ?"/, '"code": "9');
  edit(CALIBRATION, /"fmr": ?[^,]+/, '"fmr": 0.9');
  edit(CALIBRATION, /"genuine_failing": ?[^,]+/, '"genuine_failing": 0.9');
  expect(await hash()).toBe(before);
});

it('differs for a recording and for a challenge, whose rules no recording depends on', async () => {
  const both = () =>
    Promise.all(
      (['recording', 'challenge'] as const).map((of) => hashOfJudgement(of, judgementOfCheckout(root))),
    );
  const before = await both();
  mkdirSync(join(root, 'src/passkeys'));
  writeFileSync(join(root, 'src/passkeys/verify.ts'), 'export {};');
  const [recording, challenge] = await both();
  expect(recording).toBe(before[0]);
  expect(challenge).not.toBe(before[1]);
  edit('src/evaluation/judge.ts', /export/, 'export ');
  expect((await both())[0]).not.toBe(recording);
});

it('changes where a deployment has other packs', async () => {
  const place = judgementOfCheckout(root);
  const before = await hash();
  expect(await hashOfJudgement('challenge', { ...place, padPack: 'none' })).not.toBe(before);
  const own = join(root, 'own-pack');
  cpSync(join(root, 'build/models/packs/mobilefacenet'), own, { recursive: true });
  expect(await hashOfJudgement('challenge', { ...place, recogniserPack: own })).toBe(before);
  rmSync(join(own, 'calibration.json'));
  expect(await hashOfJudgement('challenge', { ...place, recogniserPack: own })).not.toBe(before);
});

it('is that of the checkout for the code that runs in it', async () => {
  const { modelsDir, recogniserPack, padPack } = judgementOfCheckout(ROOT);
  const here = await hashOfJudgement('challenge', judgementHere({ modelsDir, recogniserPack, padPack }));
  expect(here).toBe(await hashOfJudgement('challenge', judgementOfCheckout(ROOT)));
});
