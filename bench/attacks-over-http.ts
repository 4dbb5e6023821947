// Attacks over HTTP, against the service as an operator starts it: each asks for its script, films what answers it and
// commits in time. `npx tsx bench/attacks-over-http.ts [--each 20] [--species a,b]`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { DrawnScript } from '../src/contract/script.ts';
import { loadModels } from '../src/models/load.ts';
import { TestApi } from '../test/support/api.ts';
import { PageClient } from '../test/support/page-client.ts';
import {
  newDataDir,
  type RunningService,
  removeDataDir,
  startService,
} from '../test/support/running-service.ts';
import { findCast } from './attacks/cast.ts';
import { chanceOf } from './attacks/random.ts';
import { EXTRA_MS } from './attacks/shots.ts';
import { findSources } from './attacks/sources.ts';
import { SPECIES } from './attacks/species.ts';
import { type Species, Studio } from './attacks/studio.ts';
import { render } from './report.ts';

const { values } = parseArgs({
  options: {
    faces: { type: 'string', default: process.env.FACES_DIR ?? '../shared/faces' },
    each: { type: 'string', default: '20' },
    species: {
      type: 'string',
      default: 'identity_splice_black,identity_splice_blur,action_library_none,action_library_morph',
    },
    models: { type: 'string', default: 'build/models' },
    /** The folder that bench/attacks/generate.ts filled, whose list of photographs is used; it is made where it is not there. */
    set: { type: 'string', default: 'build/pad' },
  },
});
/** Takes by turns begin with a public clip, whose prompts are its own: only those that are drawn answer any script. */
const DRAWN_TAKES = (number: number): number => 4 * number + 1 + 2 * (number % 2);

const ATTEMPTS = 5;
/** A file that seems longer than the time since its script gives itself away: who attacks waits a little. */
const WAITED_MS = 500;

const root = resolve(values.faces);
const outDir = mkdtempSync(join(tmpdir(), 'likeness-attacks-'));
const models = await loadModels({ modelsDir: resolve(values.models), threads: 1 });
const sources = findSources(root);
const cast = await findCast(models, root, sources, resolve(values.set));
const dataDir = newDataDir();
const service = await startService({ dataDir });
try {
  const rows: string[][] = [];
  for (const name of values.species.split(',')) {
    const species = SPECIES.find((one) => one.name === name);
    if (!species) throw new Error(`no species ${name}`);
    rows.push(await attackWith(service, species));
  }
  const columns = ['species', 'challenges', 'passed at the first try', 'passed', 'reasons of the last tries'];
  const method = 'Three tries each, a new script and a new film for each try.';
  process.stdout.write(`${render({ title: 'Attacks over HTTP', method, columns, rows })}\n`);
} finally {
  await service.stop();
  await models.close();
  removeDataDir(dataDir);
  rmSync(outDir, { recursive: true });
}

async function attackWith(service: RunningService, species: Species): Promise<string[]> {
  const each = Number(values.each);
  let [first, passed] = [0, 0];
  const reasons = new Map<string, number>();
  let late = 0;
  for (let number = 0; number < each; number++) {
    const attacked = await oneChallenge(new TestApi(service), species, number);
    late += Number(attacked === null);
    if (attacked === null) continue;
    const { tries, result } = attacked;
    const isPass = result.overall_result === 'pass';
    passed += Number(isPass);
    first += Number(isPass && tries === 1);
    const told: string[] = isPass ? [] : (result.diagnostics?.reasons ?? []);
    for (const reason of told) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    process.stderr.write(
      `${species.name} ${number + 1} of ${each}: ${result.overall_result} after ${tries}\n`,
    );
  }
  const commonest = [...reasons].sort(([, a], [, b]) => b - a).slice(0, 4);
  return [
    species.name,
    String(each - late),
    String(first),
    String(passed),
    commonest.map((pair) => pair.join(' ')).join(', '),
  ];
}

/** A machine too slow to film in time proves nothing: another challenge takes the place; null after too many. */
async function oneChallenge(api: TestApi, species: Species, number: number): Promise<Attacked | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const attacked = await attack(api, species, number, attempt);
    if (attacked) return attacked;
    process.stderr.write(`${species.name} ${number + 1}: filmed too late, again\n`);
  }
  return null;
}

interface Attacked {
  readonly tries: number;
  readonly result: Awaited<ReturnType<TestApi['waitFor']>>;
}

/** Tries until it passes, is refused for good, or no try is left; null where a film was not there in time. */
async function attack(
  api: TestApi,
  species: Species,
  number: number,
  attempt: number,
): Promise<Attacked | null> {
  const made = await api.create({ liveness_only: true, require_consent: false });
  const page = new PageClient(made.challenge_url);
  await page.start();
  let tries = 0;
  for (;;) {
    const issuedAtMs = Date.now();
    const issued = await page.call('POST', '/captures', {});
    if (issued.status !== 201) break;
    tries += 1;
    const seed = `${number} ${attempt} ${tries}`;
    const film = await filmFor(species, issued.body.script, DRAWN_TAKES(number), seed);
    const livedMs = film.script.steps.at(-1)!.to_ms + EXTRA_MS;
    await setTimeout(Math.max(0, issuedAtMs + livedMs + WAITED_MS - Date.now()));
    if ((await page.send(issued.body, film)).status !== 200) return null;
    const outcome = await page.outcome();
    if (outcome.status !== 'retry') break;
  }
  return { tries, result: await api.waitFor(made.challenge_id, ['completed', 'expired', 'cancelled']) };
}

/** A film that answers the script that was drawn, and how it was lived. */
async function filmFor(species: Species, script: DrawnScript, take: number, seed: string) {
  const studio = new Studio(
    root,
    join(outDir, seed.replaceAll(' ', '-')),
    cast,
    sources,
    () => script,
    async () => models,
  );
  await species.make(studio, take, chanceOf(`http ${species.name} ${seed}`));
  const found = studio.find(species.name, take);
  if (!found) throw new Error(`${species.name} made nothing of take ${take}`);
  return { bytes: readFileSync(found.path), mimeType: 'video/webm;codecs=vp8', script: found.script };
}
