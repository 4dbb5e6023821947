// `likeness bench recognition`: FMR and FNMR on an operator's own labelled pairs, and the calibration fitted to them.
import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { Config } from '../config/config.ts';
import { readConfigOffline } from '../config/read-config.ts';
import { VERSION } from '../config/version.ts';
import {
  type OperatingPoint,
  operatingPoint,
  templatePackId,
} from '../evaluation/recognition/operating-point.ts';
import { hashOfCode } from '../lab/code-hash.ts';
import { InputError } from '../lab/csv.ts';
import { formatThreshold, recognitionAnswer, recognitionTable } from '../lab/recognition/answer.ts';
import { embedFiles } from '../lab/recognition/embedder.ts';
import { openEmbeddingCache } from '../lab/recognition/embedding-cache.ts';
import { measureRecognition } from '../lab/recognition/measure.ts';
import {
  type LabelledPair,
  readIdentities,
  readPairs,
  requireConsistentIdentities,
  requireFiles,
} from '../lab/recognition/pairs-file.ts';
import { writeReport } from '../lab/recognition/report.ts';
import { CALIBRATION_FILE } from '../models/packs/calibration.ts';
import { type RecogniserPack, readPack } from '../models/packs/read-pack.ts';
import { alignColumns, JSON_OPTION, writeAnswer } from '../terminal/answer.ts';
import { withProgress } from './progress.ts';
import { orUsage } from './usage-error.ts';

interface RecognitionOptions {
  readonly pairs: string;
  readonly root: string;
  readonly groups: readonly string[];
  readonly identities: readonly string[];
  readonly allStrangers?: boolean;
  readonly pack?: string;
  readonly out?: string;
  readonly population?: string;
  readonly worstGroupFactor: string;
  readonly jobs: string;
  readonly cache?: string;
  readonly dropCache?: boolean;
  readonly json?: boolean;
}

/** The `bench recognition` command; usage errors name the invalid line. */
export function benchRecognitionCommand(): Command {
  return new Command('recognition')
    .description(
      'false match and false non-match rates on labelled pairs, with intervals, plots and thresholds',
    )
    .requiredOption(
      '--pairs <csv>',
      'columns file_a, file_b, same (1 or 0), and others; several frames of one capture are joined by |',
    )
    .requiredOption('--root <dir>', 'base folder of the paths in the list')
    .option('--groups <column...>', 'columns to compare groups by; see --worst-group-factor', [])
    .option(
      '--identities <csv...>',
      'who is in which file (columns file, identity); intervals are bootstrapped over identities',
      [],
    )
    .option(
      '--all-strangers',
      'compare every two files of different people of a group, beyond the listed pairs',
    )
    .option('--pack <pack>', 'recogniser pack: a name or a folder (default: RECOGNISER_PACK)')
    .option(
      '--out <dir>',
      'write report.html, calibration.json and results.json there (the report shows faces)',
    )
    .option('--population <text>', 'description of the people in the pairs, for the calibration file')
    .option('--worst-group-factor <number>', 'how far the FMR of a group may exceed the target', '10')
    .option('--jobs <number>', 'processes that make templates', String(availableParallelism()))
    .option(
      '--cache <dir>',
      'where templates are kept, so that a stopped run can continue (default: ~/.cache/likeness)',
    )
    .addOption(new Option('--drop-cache', 'delete the kept templates when done: they are biometric data'))
    .option(...JSON_OPTION)
    .action((options: RecognitionOptions) => orUsage(() => measure(options)));
}

async function measure(options: RecognitionOptions): Promise<void> {
  // Report usage errors before reading the files, which may take hours.
  const jobs = positive(options.jobs, '--jobs');
  const worstGroupFactor = positive(options.worstGroupFactor, '--worst-group-factor');
  const config = readConfigOffline(process.env);
  const name = options.pack ?? config.RECOGNISER_PACK;
  const pack = readPack(name, config.modelsDir);
  const pairs = await readPairs(options.pairs);
  requireColumns(pairs, options);
  const identities = await readIdentities(options.identities);
  const packId = templatePackId(pack);
  requireConsistentIdentities(pairs, identities);
  if (options.allStrangers) warnOfMissingIdentities(pairs, identities);
  await requireFiles(resolve(options.root), pairs);
  const templates = await makeTemplates(pairs, { name, packId, jobs }, config, options);
  const measured = measureRecognition({
    pairs,
    identities,
    templates,
    groupColumns: options.groups,
    strangers: options.allStrangers ?? false,
    pack: packId,
    operatingPoint: operatingPointOf(pack, config),
    targetFmr: config.RECOGNITION_TARGET_FMR,
    population: options.population ?? null,
    worstGroupFactor,
    code: await hashOfCode('template'),
    madeBy: `likeness ${VERSION} bench recognition`,
    madeAt: new Date(),
  });
  const answer = recognitionAnswer(measured);
  const lines = [
    ...alignColumns(recognitionTable(measured)),
    '',
    `failures to acquire: ${measured.failures.length} of ${measured.files} files`,
    `threshold in use: ${formatThreshold(measured)} (${measured.thresholdOf}, target FMR ${measured.targetFmr})`,
  ];
  if (options.out) {
    const folder = resolve(options.out);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const write = (file: string, value: unknown) =>
      writeFile(join(folder, file), `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    if (measured.calibration) await write(CALIBRATION_FILE, measured.calibration);
    await write('results.json', answer);
    await writeReport(join(folder, 'report.html'), measured, options.root);
    const calibration = measured.calibration
      ? CALIBRATION_FILE
      : 'no calibration (fewer than 100 impostor pairs)';
    lines.push(`written to ${folder}: report.html (it shows faces), results.json, ${calibration}`);
  }
  writeAnswer(options.json, answer, lines);
}

/** A pack without its own calibration can still be measured; the given pairs then determine the threshold. */
function operatingPointOf(pack: RecogniserPack, config: Config): OperatingPoint | null {
  const { calibration } = pack;
  if (!calibration || calibration.pack !== templatePackId(pack)) return null;
  return operatingPoint(pack, config.RECOGNITION_TARGET_FMR);
}

async function makeTemplates(
  pairs: readonly LabelledPair[],
  { name: pack, packId, jobs }: { name: string; packId: string; jobs: number },
  { modelsDir }: Config,
  options: RecognitionOptions,
) {
  const cacheDir = resolve(
    options.cache ?? join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'likeness', 'recognition'),
  );
  const cache = await openEmbeddingCache(cacheDir, packId);
  process.stderr.write(`likeness: templates are kept in ${cache.folder}\n`);
  const files = filesOf(pairs);
  try {
    return await withProgress('files', files.length, (onProgress) =>
      embedFiles(files, { modelsDir, pack, root: resolve(options.root), jobs, cache, onProgress }),
    );
  } finally {
    if (options.dropCache) await cache.clear();
  }
}

/** Warns of files without an identity: two files of one person would count as strangers, and their match as false. */
function warnOfMissingIdentities(
  pairs: readonly LabelledPair[],
  identities: ReadonlyMap<string, string>,
): void {
  const files = filesOf(pairs);
  const nameless = files.filter((file) => !identities.has(file)).length;
  if (nameless > 0)
    process.stderr.write(
      `likeness: ${nameless} of ${files.length} files are not in the --identities lists: with --all-strangers, each counts as a stranger to ` +
        'everybody whom no line with same=1 links it to, so two pictures of one person may count as a false match\n',
    );
}

function filesOf(pairs: readonly LabelledPair[]): string[] {
  return [...new Set(pairs.flatMap(({ probe, reference }) => [...probe, ...reference]))];
}

function requireColumns(pairs: readonly LabelledPair[], { pairs: path, groups }: RecognitionOptions): void {
  const missing = groups.filter((column) => pairs.some(({ columns }) => columns[column] === undefined));
  if (missing.length > 0) throw new InputError(`${path} has no column ${missing.join(', ')}`);
}

function positive(text: string, option: string): number {
  const value = Number(text);
  if (!(value >= 1)) throw new InputError(`${option} must be 1 or more`);
  return value;
}
