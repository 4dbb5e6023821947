// `likeness compare` with FeatureIDs of several usable packs: each is compared by the pack that made it.
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { compareCommand } from '../../src/cli/compare.ts';
import type { OpenFeatid } from '../../src/cli/judging.ts';
import { readConfigOffline } from '../../src/config/read-config.ts';
import { templatePackId } from '../../src/evaluation/recognition/operating-point.ts';
import type { FaceTemplate } from '../../src/evaluation/recognition/template.ts';
import { templateOfMedia } from '../../src/evaluation/template-of-media.ts';
import { generateFeatid } from '../../src/featid/featid-text.ts';
import { loadModels } from '../../src/models/load.ts';
import { DEFAULT_PACK, readPack } from '../../src/models/packs/read-pack.ts';
import { demoPhoto } from '../evaluation/picture.ts';
import { writeManifest } from '../models/tiny-pack.ts';
import { runCommand } from '../support/command-line.ts';

const FEATIDS = { old: generateFeatid().text, new: generateFeatid().text };

let dataDir: string;
let folder: string;
let portrait: string;
let templates: Map<string, FaceTemplate>;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'likeness-compare-'));
  folder = join(dataDir, 'packs', 'older');
  await mkdir(folder, { recursive: true });
  portrait = join(dataDir, 'portrait.png');
  const box = { left: 1046, top: 247, width: 440, height: 440 };
  await sharp(demoPhoto(6)).extract(box).toFile(portrait);
  const { modelsDir } = readConfigOffline({});
  await writeOlderPack(modelsDir);
  vi.stubEnv('MODE', 'development');
  vi.stubEnv('BASE_URL', '');
  vi.stubEnv('DATA_DIR', dataDir);
  templates = new Map();
  for (const [featid, pack] of [
    [FEATIDS.old, folder],
    [FEATIDS.new, DEFAULT_PACK],
  ] as const) {
    const models = await loadModels({ modelsDir, threads: 1, packs: [readPack(pack, modelsDir)] });
    const made = await templateOfMedia(portrait, models, { subject: 'central' });
    await models.close();
    if (made.status !== 'made') throw new Error(made.reason);
    templates.set(featid, made.template);
  }
});
afterEach(() => {
  process.exitCode = undefined;
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(dataDir, { recursive: true });
});

/** The shipped network without its mirror image: a different recogniser, by its id. */
async function writeOlderPack(modelsDir: string): Promise<void> {
  const pack = readPack(DEFAULT_PACK, modelsDir);
  const [network] = pack.manifest.networks;
  await copyFile(join(pack.folder, network!.file), join(folder, network!.file));
  await writeManifest(folder, [{ ...network!, flip: false }]);
  const calibration = { ...pack.calibration!, pack: templatePackId(readPack(folder, '')) };
  await writeFile(join(folder, 'calibration.json'), JSON.stringify(calibration));
}

const openFeatid: OpenFeatid = async (text) => ({ status: 'opened', template: templates.get(text)! });
const compare = async (a: string, b: string) =>
  JSON.parse(await runCommand([compareCommand(openFeatid)], ['compare', a, b, '--json']));

it.each(['old', 'new'] as const)('compares a photograph with a FeatureID of the %s pack', async (which) => {
  expect(await compare(portrait, FEATIDS[which])).toMatchObject({ result: 'pass' });
  expect(process.exitCode).toBe(0);
});

it('does not compare FeatureIDs of two packs, and says why', async () => {
  const answer = await compare(FEATIDS.new, FEATIDS.old);
  expect(answer).toMatchObject({ file: FEATIDS.old, reason: expect.stringMatching(/^made by tiny-/) });
  expect(process.exitCode).toBe(3);
});
