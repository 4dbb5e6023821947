// `likeness bench pad`: APCER per attack species and BPCER on an operator's own labelled files.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { canonicalJson } from '../base/canonical-json.ts';
import { VERSION } from '../config/version.ts';
import type { Script } from '../contract/script.ts';
import { describeEngine } from '../evaluation/engine.ts';
import { GATHER_STEPS, gather } from '../evaluation/gather.ts';
import { DEFAULT_SETTINGS } from '../evaluation/settings.ts';
import { Stopwatch } from '../evaluation/stopwatch.ts';
import { hashOfCode } from '../lab/code-hash.ts';
import { type JudgedRow, judgeRows } from '../lab/pad-judge.ts';
import { type ManifestRow, readManifest } from '../lab/pad-manifest.ts';
import { padReport, padTable } from '../lab/pad-report.ts';
import type { Models } from '../models/load.ts';
import { alignColumns, JSON_OPTION, writeAnswer } from '../terminal/answer.ts';
import { EXIT } from './exit-codes.ts';
import { readScript, withModels } from './judging.ts';
import { withProgress } from './progress.ts';
import { UsageError } from './usage-error.ts';

interface PadOptions {
  readonly manifest: string;
  readonly root: string;
  readonly out?: string;
  readonly json?: boolean;
}

/** The `bench pad` command; usage errors name the invalid row. */
export function benchPadCommand(): Command {
  return new Command('pad')
    .description('presentation attack detection on labelled files: APCER by species, BPCER, with intervals')
    .requiredOption(
      '--manifest <csv>',
      'columns file, label (bona_fide or attack), attack (its species); optional: script (a script file), subject',
    )
    .requiredOption('--root <dir>', 'base folder of the paths in the list')
    .option('--out <dir>', 'folder for every cue of every file, so that a stopped run can continue')
    .option(...JSON_OPTION)
    .action(benchPad);
}

async function benchPad(options: PadOptions): Promise<void> {
  const read = async () => {
    const rows = await readManifest(options.manifest);
    const scripts = await readScripts(rows, options.root);
    const missing = rows.find(({ file }) => !existsSync(resolve(options.root, file)));
    if (missing) throw new UsageError(`cannot read ${resolve(options.root, missing.file)}: ENOENT`);
    return { rows, scripts };
  };
  await withModels(read, async (models, { rows, scripts }) => {
    const judged = await judgeFiles(rows, scripts, options, models);
    writeAnswer(options.json, padReport(judged), alignColumns(padTable(judged)));
    return EXIT.done;
  });
}

async function readScripts(rows: readonly ManifestRow[], root: string): Promise<Map<string, Script>> {
  const scripts = new Map<string, Script>();
  for (const { scriptFile } of rows)
    if (scriptFile !== null && !scripts.has(scriptFile))
      scripts.set(scriptFile, await readScript(resolve(root, scriptFile)));
  return scripts;
}

async function judgeFiles(
  rows: readonly ManifestRow[],
  scripts: ReadonlyMap<string, Script>,
  { root, out }: PadOptions,
  models: Models,
): Promise<JudgedRow[]> {
  const files = new Map<string, ManifestRow[]>();
  for (const row of rows) files.set(row.file, [...(files.get(row.file) ?? []), row]);
  const kept = out ? { dir: out, judge: await describeJudge(models) } : undefined;
  return withProgress('files', files.size, async (report) => {
    const judged: JudgedRow[] = [];
    let done = 0;
    for (const [file, own] of files) {
      judged.push(...(await judgeFile(resolve(root, file), own, scripts, kept, models)));
      report(++done);
    }
    return judged;
  });
}

async function judgeFile(
  path: string,
  rows: readonly ManifestRow[],
  scripts: ReadonlyMap<string, Script>,
  keep: { readonly dir: string; readonly judge: string } | undefined,
  models: Models,
): Promise<JudgedRow[]> {
  const kept = keep && join(keep.dir, `${keyOf(path, rows, scripts, keep.judge)}.json`);
  if (kept && existsSync(kept)) return JSON.parse(readFileSync(kept, 'utf8')) as JudgedRow[];
  const gathered = await gather(path, DEFAULT_SETTINGS, models, new Stopwatch(GATHER_STEPS));
  const judged = judgeRows(gathered, rows, scripts);
  if (kept) {
    mkdirSync(keep.dir, { recursive: true });
    writeFileSync(kept, JSON.stringify(judged));
  }
  return judged;
}

/** Names a judgement by everything it depends on: the file's bytes, its rows and scripts, and what judges. */
function keyOf(
  path: string,
  rows: readonly ManifestRow[],
  scripts: ReadonlyMap<string, Script>,
  judge: string,
): string {
  const asked = rows.map((row) => [row, row.scriptFile === null ? null : scripts.get(row.scriptFile)]);
  return createHash('sha256')
    .update(createHash('sha256').update(readFileSync(path)).digest())
    .update(JSON.stringify(asked))
    .update(judge)
    .digest('hex')
    .slice(0, 32);
}

/** What judges: the code, the networks and the packs. A kept judgement by anything else is not reused. */
async function describeJudge(models: Models): Promise<string> {
  const engine = await describeEngine(models, DEFAULT_SETTINGS, VERSION);
  const { models: networks, recognisers, pad } = engine;
  return canonicalJson({ code: await hashOfCode('recording'), networks, recognisers, pad });
}
