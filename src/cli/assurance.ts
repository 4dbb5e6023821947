// `likeness assurance`: one signed file that says what judges here, how it errs, and what holds of which rule; and the
// check of such a file.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { Command } from 'commander';
import { makeAssurance } from '../composition/assurance.ts';
import { withFoundation } from '../composition/with-foundation.ts';
import { VERSION } from '../config/version.ts';
import { ASSURANCE_FORMAT, ASSURANCE_TYPE, type Assurance } from '../lab/assurance/contents.ts';
import { assurancePage, jwsOfPage } from '../lab/assurance/page.ts';
import { JSON_OPTION, writeAnswer } from '../terminal/answer.ts';
import { EXIT } from './exit-codes.ts';
import { readKeys } from './key-set.ts';
import { signedOpener } from './open-signed.ts';
import { orUsage, UsageError } from './usage-error.ts';

interface Options {
  readonly since?: string;
  readonly out?: string;
  readonly json?: boolean;
}

interface VerifyOptions {
  readonly jwks: string;
  readonly json?: boolean;
}

/** Largest file to examine: ten times a report. */
const MAX_BYTES = 10_000_000;

/** Why a file is refused. The keys are stable codes for `verdict`. */
const REFUSALS = {
  altered: 'the report was altered, or is not a report: its signature does not match its contents',
  unknown_key: 'the report was not signed by any of these keys',
  other_form: 'what was signed is not an assurance report that this version can read',
  other_page:
    'the signed data are unaltered, but the file around them is not what this version draws from them: believe only the data (--json)',
} as const;

/** Draws the file from what was signed, by how its name ends. */
const DRAWN: Readonly<Record<string, (report: Assurance, jws: string) => string>> = {
  '.html': assurancePage,
  '.json': (report, jws) => `${JSON.stringify({ report, jws }, null, 2)}\n`,
  '.jws': (_, jws) => `${jws}\n`,
};

/** The `assurance` command. */
export function assuranceCommand(): Command {
  return new Command('assurance')
    .description('write one signed report: what judges here, how it errs, what holds of which rule')
    .option(
      '--since <date>',
      'count only challenges that were completed or expired since then, for example 2026-01-31',
    )
    .option('--out <file>', 'the report: .html is a page, .json the data, .jws the signed data alone')
    .option(...JSON_OPTION)
    .action((options: Options) => orUsage(() => write(options)))
    .addCommand(verifyAssuranceCommand());
}

function verifyAssuranceCommand(): Command {
  return (
    new Command('verify')
      .description('check the signature of a report, and that its page says what was signed')
      .argument('<file>', 'a report, as `likeness assurance` wrote it')
      .requiredOption('--jwks <file-or-url>', 'public keys: a file, or https://…/.well-known/jwks.json')
      // `--json` stands before or after the subcommand's name, and Commander gives it to the parent.
      .action((file: string, { jwks }: VerifyOptions, command: Command) =>
        orUsage(() => verify(file, jwks, command.optsWithGlobals<Options>().json)),
      )
  );
}

async function write({ since: text, out, json }: Options): Promise<void> {
  if (!out) throw new UsageError('--out is missing');
  const draw = DRAWN[extname(out)];
  if (!draw) throw new UsageError(`--out ${out}: the name must end in ${Object.keys(DRAWN).join(', ')}`);
  const since = text === undefined ? null : dateOf(text);
  const { report, jws } = await withFoundation((foundation) => makeAssurance(foundation, since));
  await writeFile(out, draw(report, jws));
  const figures = report.measured.filter(({ rate }) => rate !== null).length;
  const stale = report.measured.filter((row) => row.stale).length;
  const missing = report.measured.length - figures;
  writeAnswer(json, { file: out, figures, stale, missing }, [
    `${out}: ${figures} published figures, ${stale} of them stale; ${missing} rows without one`,
    report.notice,
  ]);
}

function dateOf(text: string): Date {
  const date = new Date(text);
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(date.getTime()))
    throw new UsageError(`--since ${text} is not a date such as 2026-01-31`);
  return date;
}

async function verify(path: string, jwks: string, json: boolean | undefined): Promise<void> {
  const open = signedOpener<Assurance>(await readKeys(jwks), ASSURANCE_TYPE, isReport);
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw new UsageError(`${path} is too large for a report`);
  const file = await readFile(path, 'utf8');
  const { jws, form } = contentsOf(file);
  const opened = await open(jws);
  if (opened.status === 'refused') return refuse(json, opened.because);
  const { payload: report } = opened;
  // Whoever changes a figure of the file leaves the JWS in it as it was.
  if (form && !isDrawn(file, form, report, jws)) return refuse(json, 'other_page', report);
  writeAnswer(json, { verdict: 'verified', report }, [
    'verified: this is what was signed',
    report.notice,
    `${report.iss}, ${new Date(report.iat * 1000).toISOString()}, Likeness ${report.judged.engine.version}`,
    ...(report.judged.engine.version === VERSION ? [] : [`checked by Likeness ${VERSION}`]),
  ]);
}

/** The JWS of a file, empty if it has none; `form`: of what stands around it. */
function contentsOf(file: string): { jws: string; form: '.html' | '.json' | null } {
  if (file.startsWith('<')) return { jws: jwsOfPage(file) ?? '', form: '.html' };
  if (file.startsWith('{')) return { jws: jwsOfJson(file), form: '.json' };
  return { jws: file.trim(), form: null };
}

function jwsOfJson(file: string): string {
  try {
    const { jws } = JSON.parse(file) as { readonly jws?: unknown };
    return typeof jws === 'string' ? jws : '';
  } catch {
    return '';
  }
}

/** A report of another version may lack what this one draws: it cannot be drawn again. */
function isDrawn(file: string, form: string, report: Assurance, jws: string): boolean {
  try {
    return DRAWN[form]!(report, jws) === file;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

function refuse(json: boolean | undefined, verdict: keyof typeof REFUSALS, report?: Assurance): void {
  writeAnswer(json, { verdict, ...(report && { report }) }, [`refused: ${REFUSALS[verdict]}`]);
  process.exitCode = EXIT.refused;
}

const isReport = (payload: unknown): boolean =>
  typeof payload === 'object' &&
  payload !== null &&
  'format' in payload &&
  payload.format === ASSURANCE_FORMAT;
