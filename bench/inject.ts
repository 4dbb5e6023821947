// `npm run bench:inject`: the open laboratory. Presents attacks by programs in place of the camera, and bona fide
// takes, over HTTP to the service that `npm start` runs, which judges them. A run that is killed can be resumed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { SingleBar } from 'cli-progress';
import { readPublishedFile } from '../src/lab/assurance/published-tables.ts';
import { hashOfJudgement, judgementOfCheckout } from '../src/lab/judgement-hash.ts';
import { beforeOf, beforeSection, keptRows } from './inject/kept.ts';
import { WAYS, type Way } from './inject/laboratory.ts';
import { planned } from './inject/plan.ts';
import { readPublished, writePublished } from './inject/published.ts';
import { sectionsOf } from './inject/report.ts';
import { RowStore, rowsOf } from './inject/rows.ts';
import { run } from './inject/run.ts';
import { OLD_FOOTAGE, OLD_RECORDINGS } from './inject/species/recordings.ts';
import { LABORATORY } from './inject/species/table.ts';
import { versionOf } from './inject/version.ts';
import { render, writeReport } from './report.ts';

const { values } = parseArgs({
  options: {
    faces: { type: 'string', default: process.env.FACES_DIR ?? '../shared/faces' },
    /**
     * The folder of old footage that bench/attacks/generate.ts filled, only read; default: build/pad, created if
     * missing.
     */
    set: { type: 'string', default: '' },
    /** Folder for rows and for what attackers prepare in advance. It contains faces. */
    rows: { type: 'string', default: 'build/inject' },
    /** Presentations of each species. */
    each: { type: 'string', default: '150' },
    /** Comma-separated names or prefixes; default: all. */
    species: { type: 'string', default: '' },
    ways: { type: 'string', default: WAYS.join(',') },
    /** Presentations in parallel. */
    parallel: { type: 'string', default: String(availableParallelism()) },
    /** No presentation starts after this many minutes. */
    'budget-minutes': { type: 'string', default: '' },
    models: { type: 'string', default: 'build/models' },
    /** Presents nothing; only prints the tables of the existing rows. */
    only: { type: 'boolean', default: false },
    /** Only prints the hashes of both judgements of the checkout, with the built-in packs. */
    hashes: { type: 'boolean', default: false },
    /** Writes bench/RESULTS-INJECT.md and, beside it, the rows that it is made from. */
    write: { type: 'boolean', default: false },
    /**
     * Checkouts whose code made the rows, of one judgement; of a presentation that several made, the last one's row
     * counts. Species that none of them presented keep their published rows. Only with `only` or `hashes`. Default:
     * this one.
     */
    checkout: { type: 'string', multiple: true, default: [] },
  },
});

const PUBLISHED = join(import.meta.dirname, 'RESULTS-INJECT.csv');
const REPORT = join(import.meta.dirname, 'RESULTS-INJECT.md');

const here = join(import.meta.dirname, '..');
if (values.hashes) {
  const place = judgementOfCheckout(resolve(values.checkout[0] ?? here));
  for (const kind of ['challenge', 'recording'] as const)
    process.stdout.write(`judgement of a ${kind}: ${await hashOfJudgement(kind, place)}\n`);
  process.exit();
}
if (values.checkout.length > 0 && !values.only)
  throw new Error('--checkout goes with --only: this checkout films and judges');
const version = versionOf(here);
const keepDir = resolve(values.rows);
mkdirSync(keepDir, { recursive: true });
const store = new RowStore(join(keepDir, 'rows.jsonl'), readPublished(PUBLISHED));
if (!values.only) await present();
await report();

async function present(): Promise<void> {
  const setDir = resolve(values.set || 'build/pad');
  const wanted = values.species.split(',').filter(Boolean);
  const species = LABORATORY.filter(
    ({ name }) => wanted.length === 0 || wanted.some((begin) => name.startsWith(begin)),
  );
  // Old footage takes hours to make, so make it only for species that play it.
  if (!values.set && species.some((one) => OLD_RECORDINGS.includes(one))) makeOldFootage(setDir);
  const ways = new Set(values.ways.split(',') as Way[]);
  const plan = planned(species, Number(values.each), ways, version, store.all());
  const endsAtMs = Date.now() + Number(values['budget-minutes'] || Number.POSITIVE_INFINITY) * 60_000;
  // Interrupted by hand: presentations under way finish and become rows. A second signal ends the run at once.
  let isEnding = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (isEnding = true));
  const beganAtMs = Date.now();
  const bar = new SingleBar({
    format: 'bench:inject: {bar} {value}/{total}, {eta_formatted} left',
    noTTYOutput: false,
  });
  process.stderr.write(
    `${species.length} species, ${plan.length} presentations to make, version ${version}\n`,
  );
  bar.start(plan.length, 0);
  const ran = await run(
    {
      species,
      version,
      store,
      parallel: Number(values.parallel),
      booths: { facesDir: resolve(values.faces), setDir, keepDir, modelsDir: resolve(values.models) },
      isTimeLeft: () => !isEnding && Date.now() < endsAtMs,
      onDone: (done, said) => {
        bar.update(done);
        const leftMin = (((Date.now() - beganAtMs) / Math.max(1, done)) * (plan.length - done)) / 60_000;
        if (!process.stderr.isTTY)
          process.stderr.write(`${done}/${plan.length}, ${leftMin.toFixed(0)} min left: ${said}\n`);
      },
    },
    plan,
  ).finally(() => bar.stop());
  process.stderr.write(`${ran.made} made, ${ran.late} filmed too late, ${ran.failed.length} failed\n`);
  for (const why of ran.failed) process.stderr.write(`${why}\n`);
}

/** Makes the old footage; existing takes are not made again. */
function makeOldFootage(outDir: string): void {
  for (const [species, takes] of OLD_FOOTAGE) {
    const generator = [
      join(import.meta.dirname, 'attacks', 'generate.ts'),
      '--out',
      outDir,
      '--faces',
      values.faces,
    ];
    const what = ['--models', values.models, '--species', species, '--each', String(takes)];
    const { status } = spawnSync(process.execPath, [...process.execArgv, ...generator, ...what], {
      stdio: ['ignore', 2, 2],
    });
    if (status !== 0) throw new Error(`the old footage could not be made: ${species}`);
  }
}

async function report(): Promise<void> {
  const checkouts = values.checkout.length > 0 ? values.checkout.map((path) => resolve(path)) : [here];
  const versions = checkouts.map((checkout) => versionOf(checkout));
  const made = rowsOf(store.all(), versions);
  const kept = keptRows(readPublished(PUBLISHED), made);
  const judgements = await Promise.all(
    checkouts.map((checkout) => hashOfJudgement('challenge', judgementOfCheckout(checkout))),
  );
  const judgement = judgements[0]!;
  if (judgements.some((other) => other !== judgement))
    throw new Error(`one run shows one judgement, not ${judgements.join(', ')}`);
  const rows = [...made, ...kept];
  const report = readPublishedFile(existsSync(REPORT) ? readFileSync(REPORT, 'utf8') : '');
  const before = beforeOf(kept, report, judgement);
  const sections = [...sectionsOf(LABORATORY, rows), ...(before.length > 0 ? [beforeSection(before)] : [])];
  process.stdout.write(`${sections.map(render).join('\n')}\n`);
  process.stderr.write(`${made.length} rows of ${versions.join(', ')}, ${kept.length} kept\n`);
  if (!values.write) return;
  writePublished(PUBLISHED, rows);
  const written = writeReport(sections, 'RESULTS-INJECT.md', 'npm run bench:inject', judgement);
  process.stderr.write(`written to ${written} and ${PUBLISHED}\n`);
}
