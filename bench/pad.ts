// `npm run bench:pad`: judges what bench/attacks/ generated. Evidence of each clip is stored, so that a run that was
// stopped continues.
import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Script } from '../src/contract/script.ts';
import { hashOfJudgement, judgementOfCheckout } from '../src/lab/judgement-hash.ts';
import { type JudgedRow, judgeRows } from '../src/lab/pad-judge.ts';
import { type ManifestRow, readManifest } from '../src/lab/pad-manifest.ts';
import { padTable } from '../src/lab/pad-report.ts';
import { loadModels } from '../src/models/load.ts';
import { SPECIES } from './attacks/species.ts';
import { aloneSection, networkSection } from './pad-alone.ts';
import { apartSection } from './pad-apart.ts';
import { EvidenceStore } from './pad-evidence.ts';
import { type Met, measure, peopleSection } from './pad-people.ts';
import { heldSmile } from './pad-smiles.ts';
import { type Answered, answeredBy, targetsSection } from './pad-targets.ts';
import { readPart, runInParts } from './parts.ts';
import { render, type Section, writeReport } from './report.ts';

const { values } = parseArgs({
  options: {
    /** The folder that bench/attacks/generate.ts filled. */
    set: { type: 'string', default: 'build/pad' },
    /** Where evidence is stored, in a folder for each judgement. It contains faces. */
    evidence: { type: 'string', default: 'build/pad-evidence' },
    models: { type: 'string', default: 'build/models' },
    /**
     * i/n: gathers every n-th clip, from the i-th on (0 ≤ i < n), and prints nothing. Without it every core gets a
     * part, and then tables are printed; with `only` nothing is gathered, only tables of what is there.
     */
    part: { type: 'string', default: '' },
    only: { type: 'boolean', default: false },
    /** Species to gather first, comma-separated. */
    first: { type: 'string', default: '' },
    /** Writes bench/RESULTS-PAD.md. */
    write: { type: 'boolean', default: false },
  },
});
const root = resolve(values.set);

const sections: Section[] = [];
const modelsDir = resolve(values.models);
const models = await loadModels({ modelsDir, threads: 1 });
const judgement = await hashOfJudgement('recording', {
  ...judgementOfCheckout(join(import.meta.dirname, '..')),
  modelsDir,
});
// Evidence of another judgement is no evidence of this one, whose hash the figures carry.
const store = new EvidenceStore(join(resolve(values.evidence), judgement), models);
if (values.part) {
  await gatherPart(readPart(values.part));
  await models.close();
  process.exit();
}
if (!values.only) await runInParts();
const judged: Met[] = [];
const answered: Answered[] = [];
for (const [title, list] of [
  ['Judged against a script', 'manifest.csv'],
  ['Passive checks alone', 'manifest-passive.csv'],
] as const) {
  const rows = await judgeList(join(root, list));
  judged.push(...rows);
  show(peopleSection(title, rows));
  if (list === 'manifest.csv') show(apartSection(title, rows));
  show(outcomes(title, rows));
  show(aloneSection(title, rows));
  if (list === 'manifest-passive.csv') show(networkSection(rows));
}
await models.close();
show(targetsSection(answered));
show(unseen());

if (values.write) {
  const written = writeReport(sections, 'RESULTS-PAD.md', 'npm run bench:pad', judgement);
  process.stderr.write(`written to ${written}\n`);
}

function show(section: Section): void {
  sections.push(section);
  process.stdout.write(`\n${render(section)}\n`);
}

async function gatherPart({ part, parts }: { part: number; parts: number }): Promise<void> {
  const lists = ['manifest.csv', 'manifest-passive.csv'].map((list) => readManifest(join(root, list)));
  const rows = (await Promise.all(lists)).flat();
  const first = values.first.split(',');
  const rank = (file: string) => (first.includes(dirname(file)) ? 0 : 1);
  // First takes of all species come first, so that an unfinished run has some of each.
  const files = [...new Set(rows.map(({ file }) => file))].sort(
    (a, b) => rank(a) - rank(b) || basename(a).localeCompare(basename(b)),
  );
  for (const [i, file] of files.entries()) if (i % parts === part) await store.gather(join(root, file));
}

async function judgeList(path: string): Promise<Met[]> {
  const rows = await readManifest(path);
  const files = new Map<string, ManifestRow[]>();
  for (const row of rows) files.set(row.file, [...(files.get(row.file) ?? []), row]);
  const scripts = new Map<string, Script>();
  for (const { scriptFile } of rows)
    if (scriptFile)
      scripts.set(scriptFile, JSON.parse(readFileSync(join(root, scriptFile), 'utf8')) as Script);
  return [...files].flatMap(([file, own]) => {
    const shown = store.kept(join(root, file));
    if (!shown) return [];
    const measured = measure(shown);
    answered.push(
      ...own.flatMap((row) => answeredBy(shown, row, scripts.get(row.scriptFile ?? '') ?? null) ?? []),
    );
    return judgeRows(shown, own, scripts).map((row) => ({
      ...row,
      measured,
      heldSmile: heldSmile(shown, scripts.get(row.scriptFile ?? '') ?? null),
    }));
  });
}

function outcomes(title: string, rows: readonly JudgedRow[]): Section {
  // Kinds of bona fide footage are in peopleSection.
  const [columns, ...lines] = padTable(rows, false);
  const method =
    'APCER: accepted; BPCER: finally refused. Rendered and edited footage, see docs/liveness.md. In three tries, and ' +
    'with the best of several: estimated, as if each try erred like any other presentation of the same person in the ' +
    'same condition; no estimate where each person was presented once. puppet_guided: rendered people who see where ' +
    'the dot is and where their nose points, asked for targets alone (bench/aimers.ts).';
  return { title, method, columns: columns!, rows: lines };
}

/** Species of which nothing was judged. A replay is a row of the capture that it shows again. */
function unseen(): Section {
  const seen = new Set(judged.flatMap(({ species, file }) => [species, dirname(file)]));
  const rows = SPECIES.filter(({ name }) => !seen.has(name)).map(({ name }) => [name]);
  return { title: 'Not presented yet', method: '', columns: ['presentations'], rows };
}
