// `likeness featids import`: makes FeatureIDs from a folder of pictures, for people whose portraits already exist. This
// process reads them, not the service, so that they do not delay anyone's capture. An interrupted run can be resumed.
import { open, readFile, truncate } from 'node:fs/promises';
import { Command } from 'commander';
import type { Foundation } from '../composition/foundation.ts';
import { withServices } from '../composition/with-services.ts';
import { type PictureTemplate, templateOfPicture } from '../evaluation/template-of-picture.ts';
import type { Featids } from '../featid/featids.ts';
import { createPictureStore } from '../featid/tables/picture-store.ts';
import { OPERATOR } from '../keys/principal.ts';
import { InputError, parseCsv, readCsv } from '../lab/csv.ts';
import { pathBelow } from '../lab/recognition/pairs-file.ts';
import type { Models } from '../models/load.ts';
import { JSON_OPTION, writeAnswer } from '../terminal/answer.ts';
import { requireAccount } from '../terminal/find-account.ts';
import { EXIT } from './exit-codes.ts';
import { withModels } from './judging.ts';
import { withProgress } from './progress.ts';
import { UsageError } from './usage-error.ts';

interface ImportOptions {
  readonly account: string;
  readonly csv: string;
  readonly root: string;
  readonly out: string;
  readonly json?: boolean;
}

/** Columns of the output file, which has one line per picture. */
const COLUMNS = ['file', 'reference', 'featid', 'flaws', 'refused'] as const;
const HEADING = `${COLUMNS.join(',')}\n`;

interface Picture {
  readonly file: string;
  readonly reference: string;
}

interface Tally {
  made: number;
  refused: number;
}

/** The `import` command of `featids`. */
export function featidsImportCommand(): Command {
  return new Command('import')
    .description('make a FeatureID from every picture listed in a CSV file; a stopped run continues')
    .requiredOption('--account <name>', 'account that owns the FeatureIDs, by name or id')
    .requiredOption(
      '--csv <file>',
      'columns file (a JPEG, PNG, WebP or BMP below --root) and reference (yours)',
    )
    .option('--root <folder>', 'where the pictures are', '.')
    .requiredOption(
      '--out <file>',
      `written: ${COLUMNS.join(', ')}; it holds the FeatureIDs: protect it like passwords`,
    )
    .option(...JSON_OPTION)
    .action((options: ImportOptions, command: Command) => importPictures(options, command));
}

async function importPictures(options: ImportOptions, command: Command): Promise<void> {
  await withModels(
    () => readPictures(options.csv),
    (models, pictures) =>
      withServices(async ({ featids }, foundation) => {
        const account = await requireAccount(foundation.accounts, options.account, command);
        return run({ foundation, featids, models, accountId: account.id }, pictures, options);
      }),
  );
}

async function readPictures(csv: string): Promise<Picture[]> {
  const rows = await readCsv(csv, ['file', 'reference']);
  const seen = new Set<string>();
  return rows.map(({ line, values: { file = '', reference = '' } }) => {
    if (file === '' || reference === '')
      throw new InputError(`${csv} line ${line}: file or reference is empty`);
    const picture = { file, reference };
    if (seen.has(nameOf(picture)))
      throw new InputError(`${csv} line ${line}: the same picture and reference appear twice`);
    seen.add(nameOf(picture));
    return picture;
  });
}

interface ImportParts {
  readonly foundation: Foundation;
  readonly featids: Featids;
  readonly models: Models;
  readonly accountId: string;
}

async function run(
  parts: ImportParts,
  pictures: readonly Picture[],
  options: ImportOptions,
): Promise<number> {
  const { out, root, json } = options;
  const earlier = await readEarlier(parts, out);
  const left = pictures.filter((picture) => !earlier.has(nameOf(picture)));
  const tally: Tally = { made: 0, refused: 0 };
  // The FeatureIDs give access to biometric references, so only the owner may read the file.
  const file = await open(out, 'a', 0o600);
  try {
    if (earlier.isNew) await file.appendFile(HEADING);
    await withProgress('pictures', left.length, async (report, printLine) => {
      for (const [at, picture] of left.entries()) {
        const read = await readPicture(pathBelow(root, picture.file), parts.models);
        const { line, commit } = await lineOf(parts, picture, read);
        // Write the string to disk before the row to the database. Otherwise a FeatureID could be in force whose string
        // is lost.
        await file.appendFile(line);
        await file.datasync();
        await commit();
        tally[read.status] += 1;
        if (read.status === 'refused') printLine(`${picture.file}: ${read.fault}`);
        report(at + 1);
      }
    });
  } finally {
    await file.close();
  }
  const had = pictures.length - left.length;
  writeAnswer(json, { ...tally, earlier: had, out }, [
    `${tally.made} FeatureIDs made, ${tally.refused} pictures refused, ${had} done before: ${out}`,
  ]);
  return earlier.hasRefused || tally.refused > 0 ? EXIT.notJudged : EXIT.done;
}

type Read = PictureTemplate | { readonly status: 'refused'; readonly fault: 'file_unreadable' };

/** Reads one picture. A missing file does not stop the others. */
async function readPicture(path: string, models: Models): Promise<Read> {
  try {
    return await templateOfPicture(path, models);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).path === path || error instanceof TypeError)
      return { status: 'refused', fault: 'file_unreadable' };
    throw error;
  }
}

async function lineOf({ foundation, featids, accountId }: ImportParts, picture: Picture, read: Read) {
  const line = (values: Partial<Record<(typeof COLUMNS)[number], string>>) =>
    `${COLUMNS.map((column) => quoted(values[column] ?? '')).join(',')}\n`;
  if (read.status === 'refused')
    return { line: line({ ...picture, refused: read.fault }), commit: async () => {} };
  const { template, quality } = read;
  const { featid, row } = await featids.create({ accountId, challengeId: null, template, source: 'image' });
  return {
    line: line({ ...picture, featid, flaws: quality.flaws.join(' ') }),
    commit: async () => void (await createPictureStore(foundation.database.db).enrol(row, OPERATOR, null)),
  };
}

/**
 * The pictures that an earlier run has finished. Its last line is removed if it is incomplete or if its row is missing
 * from the database.
 */
async function readEarlier({ featids, accountId }: ImportParts, out: string) {
  const text = await readFile(out, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (text !== '' && !text.startsWith(HEADING) && !HEADING.startsWith(text))
    throw new UsageError(`${out} was not written by this command: choose another file`);
  let whole = text.slice(0, text.lastIndexOf('\n') + 1);
  let rows = whole.length > HEADING.length ? parseCsv(whole, out, COLUMNS) : [];
  const featid = rows.at(-1)?.values.featid;
  if (featid) {
    const [check] = await featids.check(accountId, [featid]);
    if (!check?.ok && check?.code === 'featid_unknown') {
      whole = whole.slice(0, whole.lastIndexOf('\n', whole.length - 2) + 1);
      rows = rows.slice(0, -1);
    }
  }
  if (Buffer.byteLength(whole) < Buffer.byteLength(text)) await truncate(out, Buffer.byteLength(whole));
  const names = new Set(rows.map(({ values }) => nameOf(values as unknown as Picture)));
  const hasRefused = rows.some(({ values }) => values.refused);
  return { has: (name: string) => names.has(name), hasRefused, isNew: whole === '' };
}

const nameOf = ({ file, reference }: Picture): string => JSON.stringify([file, reference]);

/** A value as CSV. Line breaks become spaces, because `readEarlier` looks for the last complete line. */
const quoted = (value: string): string =>
  /[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""').replace(/[\n\r]+/g, ' ')}"` : value;
