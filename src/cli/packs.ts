// `likeness packs`: recognisers and PAD networks that are not included. It is the only command that downloads models,
// and it downloads only packs requested by name.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { buffer } from 'node:stream/consumers';
import { Command } from 'commander';
import { Fault } from '../base/errors.ts';
import { readConfigOffline } from '../config/read-config.ts';
import { installedPacks, installPack, removePack, verifyPack } from '../models/packs/installed-packs.ts';
import { bytesOf, KNOWN_PACKS, type KnownPack, knownPack } from '../models/packs/known-packs.ts';
import { parseAllowList } from '../outbound/address.ts';
import { download } from '../outbound/download.ts';
import { createGuardedAgent } from '../outbound/guarded-agent.ts';
import { alignColumns, JSON_OPTION, writeAnswer } from './answer.ts';
import { EXIT } from './exit-codes.ts';
import { withProgress } from './progress.ts';
import { orUsage, UsageError } from './usage-error.ts';

const DOWNLOAD_TIMEOUT_MS = 30 * 60_000;
const PACKS_FOLDER = 'packs';

interface Options {
  readonly dir?: string;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly from?: string;
}

/** The `packs` command. */
export function packsCommand(): Command {
  const where = '--dir <folder>';
  const whereText = 'folder of the packs (default: packs in DATA_DIR)';
  const yes = ['--yes', 'do not ask'] as const;
  return new Command('packs')
    .description('recognisers and PAD networks that are not included: list, fetch, verify, remove')
    .addCommand(
      new Command('list')
        .description(
          'list packs that can be fetched: size, licences, training data, and what was measured here',
        )
        .option(where, whereText)
        .option(...JSON_OPTION)
        .action((options: Options) => orUsage(() => list(options))),
    )
    .addCommand(
      new Command('add')
        .description('fetch a pack, check its hash and run it; nothing is fetched before you agree')
        .argument('<name>')
        .option(where, whereText)
        .option(
          '--from <place>',
          'a file, or an address of your own, instead of the publisher; the hash must match',
        )
        .option(...yes)
        .action((name: string, options: Options) => orUsage(() => add(name, options))),
    )
    .addCommand(
      new Command('verify')
        .description('check that fetched packs match what was published, and that they run')
        .argument('[names...]', 'default: all in the folder')
        .option(where, whereText)
        .option(...JSON_OPTION)
        .action((names: string[], options: Options) => orUsage(() => verify(names, options))),
    )
    .addCommand(
      new Command('remove')
        .description('remove a pack; FeatureIDs that it made can then no longer be compared')
        .argument('<name>')
        .option(where, whereText)
        .option(...yes)
        .action((name: string, options: Options) => orUsage(() => remove(name, options))),
    );
}

function folderOf({ dir }: Options): string {
  return dir ?? join(readConfigOffline(process.env).dataDir, PACKS_FOLDER);
}

function entry(name: string): KnownPack {
  const known = knownPack(name);
  if (known) return known;
  const names = KNOWN_PACKS.map(({ manifest }) => manifest.name).join(', ');
  throw new UsageError(`there is no pack ${name}: ${names}`);
}

async function list(options: Options): Promise<void> {
  const installed = await installedPacks(folderOf(options));
  const packs = KNOWN_PACKS.map((known) => ({
    ...{ name: known.manifest.name, kind: known.kind, bytes: bytesOf(known) },
    ...{
      source: known.source,
      licence_of_code: known.licenceOfCode,
      licence_of_weights: known.licenceOfWeights,
    },
    ...{ training_data: known.trainingData, hash_from: known.hashFrom, tried: known.tried },
    installed: installed.includes(known.manifest.name),
  }));
  const heading = [
    'name',
    'kind',
    'size',
    'licence of code',
    'of weights',
    'trained on',
    'hash from',
    'here',
  ];
  const rows = packs.map((pack) => [
    ...[`${pack.name}${pack.installed ? ' (installed)' : ''}`, pack.kind, megabytes(pack.bytes)],
    ...[pack.licence_of_code, pack.licence_of_weights, pack.training_data],
    ...[pack.hash_from, pack.tried],
  ]);
  writeAnswer(options.json, { packs }, alignColumns([heading, ...rows]));
}

async function add(name: string, options: Options): Promise<void> {
  const known = entry(name);
  const folder = folderOf(options);
  if ((await installedPacks(folder)).includes(name)) {
    await verifyPack(folder, name);
    process.stdout.write(`${name} is already in ${folder}, and matches what was published\n`);
    return;
  }
  process.stdout.write(factsOf(known, options.from));
  if (!(await confirm(`Fetch ${megabytes(bytesOf(known))}?`, options))) {
    process.stdout.write('nothing was fetched\n');
    return;
  }
  const files = await fetchFiles(known, options.from);
  const place = await installPack(folder, known, files);
  process.stdout.write(nextSteps(known, place));
}

function factsOf(known: KnownPack, from: string | undefined): string {
  const rows = [
    ['pack', `${known.manifest.name}: ${known.manifest.description}`],
    ['source', from ?? known.source],
    ...known.networks.map(({ spec, bytes }) => [
      'file',
      `${spec.file}, ${bytes} bytes, SHA-256 ${spec.sha256}`,
    ]),
    ['hash from', known.hashFrom],
    ['licence', `code: ${known.licenceOfCode}; weights: ${known.licenceOfWeights}`],
    ['trained on', known.trainingData],
    ['here', known.tried],
  ];
  const note =
    'A licence for code or weights says nothing about the pictures on which a network was trained, or the people in them:\n' +
    'you have to find out what you may do with them.\n';
  return `${alignColumns(rows).join('\n')}\n\n${note}`;
}

async function confirm(question: string, { yes }: Options): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY) throw new UsageError('there is no terminal to ask on: give --yes');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

async function fetchFiles(known: KnownPack, from: string | undefined): Promise<Buffer[]> {
  if (from && known.networks.length > 1)
    throw new UsageError(`${known.manifest.name} has several files: --from can replace only a single one`);
  if (from && !/^https?:\/\//.test(from)) return [await readGiven(from, bytesOf(known))];
  const files: Buffer[] = [];
  for (const { url, bytes } of known.networks)
    files.push(await fetchFile(from ?? url, bytes, from !== undefined));
  return files;
}

/** Reads the operator's own file, up to one byte beyond the published size, so that a longer file is detected. */
async function readGiven(path: string, bytes: number): Promise<Buffer> {
  if (!(await stat(path)).isFile()) throw new UsageError(`${path} is not a regular file`);
  return buffer(createReadStream(path, { end: bytes }));
}

/** Fetches from the publisher only over https and at public addresses; a mirror is the operator's choice. */
async function fetchFile(url: string, bytes: number, isMirror: boolean): Promise<Buffer> {
  if (!URL.canParse(url)) throw new UsageError(`not an address: ${url}`);
  const allow = parseAllowList(isMirror ? [new URL(url).hostname] : []);
  const agent = createGuardedAgent({ allow });
  try {
    const result = await withProgress('bytes', bytes, (report) =>
      download(agent, {
        ...{ url, timeoutMs: DOWNLOAD_TIMEOUT_MS, requireHttps: !isMirror },
        // One byte beyond the published size, so that a longer file is detected.
        ...{ maxBytes: bytes + 1, onBytes: report },
      }),
    );
    if (result.kind === 'file') return result.bytes;
    throw new Fault('PACK_NOT_FETCHED', `${url}: ${result.reason}`);
  } finally {
    await agent.close();
  }
}

function nextSteps(known: KnownPack, place: string): string {
  const path = relative('.', place).startsWith('..') ? place : `./${relative('.', place)}`;
  if (known.kind === 'pad')
    return (
      `${known.manifest.name} is in ${place}: its hash is the one published, and it runs.\n` +
      `Measure it on your own clips (likeness bench pad), then set PAD_PACK=${path}\n`
    );
  return (
    `${known.manifest.name} is in ${place}: its hash is the one published, and it runs.\n` +
    'Measure it on your own people before it goes live:\n' +
    `  likeness bench recognition --pack ${path} --pairs pairs.csv --root folder --out measured\n` +
    (known.isCalibrated
      ? 'It comes with the calibration measured here. '
      : 'It has no calibration: copy measured/calibration.json into its folder. ') +
    `Then set RECOGNISER_PACK=${path},mobilefacenet\n` +
    `or, both as one recogniser, RECOGNISER_PACK=mobilefacenet+${path},mobilefacenet\n`
  );
}

async function verify(names: readonly string[], options: Options): Promise<void> {
  const folder = folderOf(options);
  const wanted = names.length > 0 ? names : await installedPacks(folder);
  const packs: { name: string; ok: boolean; fault: string | null }[] = [];
  for (const name of wanted) {
    entry(name);
    try {
      await verifyPack(folder, name);
      packs.push({ name, ok: true, fault: null });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      packs.push({ name, ok: false, fault: `${error.message} [${error.code}]` });
    }
  }
  const lines = packs.map(({ name, ok, fault }) => `${name}: ${ok ? 'as published, and works' : fault}`);
  writeAnswer(options.json, { packs }, packs.length > 0 ? lines : [`no packs in ${folder}`]);
  if (packs.some(({ ok }) => !ok)) process.exitCode = EXIT.fault;
}

async function remove(name: string, options: Options): Promise<void> {
  entry(name);
  const folder = folderOf(options);
  const { RECOGNISER_PACK, PAD_PACK } = readConfigOffline(process.env);
  const inForce = `${RECOGNISER_PACK},${PAD_PACK}`
    .split(/[,+]/)
    .map((each) => each.trim().replace(/\/$/, ''));
  if (inForce.some((path) => path.endsWith(`/${name}`)))
    throw new UsageError(`${name} is in use: remove it from RECOGNISER_PACK or PAD_PACK first`);
  const question = `Remove ${join(folder, name)}? FeatureIDs that it made can then no longer be compared.`;
  if (!(await confirm(question, options))) return;
  await removePack(folder, name);
  process.stdout.write(`${name} is removed\n`);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
