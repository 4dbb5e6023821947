// A hash of the code that made a kept result or a published figure, so that it is not taken for what other code makes.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';

/** Of the contract, what decides nothing: the order for a challenge, lists, words and colours. */
const WORDS =
  'challenge-request|console(-deliveries|-overview)?|delivery|languages|logo-plate|luminance|next-recording|problem|server-texts';
/** And what decides nothing of a recording: what becomes of it, and what pages, clients and devices are told. */
const MESSAGES = `${WORDS}|capture-(conflict|page)|dead-link|device|embedding|field-types|judged-try|page-event|receipt|result|sandbox|states`;
/** And what decides no template: what a person is asked, and whether they do it. */
const PROMPTS = `${MESSAGES}|accessible-way|answer-measures|head-direction|liveness-level|script(-steps)?|target`;

/**
 * What determines each kind of result, by path below src. A template depends on no liveness check. What a recording
 * shows does not depend on how FeatureIDs are stored, but on how its script was drawn. What becomes of a challenge also
 * depends on its rules, its passkeys (not on whose devices an operator takes), what a FeatureID holds and when it is
 * paused, but not on how it is ordered and read, on the words of a problem, or on a logo.
 */
const DECISIVE = {
  template: new RegExp(
    `^((compile-models|evaluation|featid|models)/(?!(.*/)?(liveness|tables)/)|contract/(?!(${PROMPTS})\\.))`,
  ),
  recording: new RegExp(
    `^((compile-models|evaluation|models)/|lab/pad-judge\\.|challenge/capturing/(draw|performed)-script\\.|contract/(?!(${MESSAGES})\\.))`,
  ),
  challenge: new RegExp(
    `^((evaluation|models)/|featid/(?!tables/(?!guard\\.))|passkeys/(?!attestation/)|jobs/(capture-facts|judge|settle)\\.|challenge/(?!creating/|reading/|capturing/(consent-text|logo)\\.)|contract/(?!(${WORDS})\\.))`,
  ),
};

const HERE = resolve(import.meta.dirname, '..');
/** A line that is nothing but a comment, as this code writes them: a test compares with the compiler. */
const COMMENT_LINE = /^\s*(\/\/|\/\*\*|\*).*\n/gm;
/** A line of a check's record about what it is there for (`Worth`): a remark on what was measured, which decides nothing. */
const WORTH_LINE = /^ +(refuses: \[.*\]|stays: '.*'),\n/gm;

/**
 * Twelve hex digits of the hash of that code, without its comments: the same from the sources and from what was built
 * of them. `folder` holds either.
 */
export async function hashOfCode(of: keyof typeof DECISIVE, folder = HERE): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /\.[jt]s$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => DECISIVE[of].test(path))
    .sort();
  const hash = createHash('sha256');
  for (const path of paths) {
    const source = withoutComments(await readSource(join(folder, path)));
    const code = path.startsWith('evaluation/liveness/') ? source.replace(WORTH_LINE, '') : source;
    // The lengths keep one file from passing for the end of another.
    hash.update(`${path.slice(0, -'.ts'.length)} ${Buffer.byteLength(code)}\n`).update(code);
  }
  return hash.digest('hex').slice(0, 12);
}

/** Leaves out the lines that only comment: correcting one must not make hours of measuring stale. */
export const withoutComments = (source: string): string => source.replace(COMMENT_LINE, '');

/** The TypeScript; of a built file, what its source map holds. A build without source maps has a hash of its own. */
async function readSource(path: string): Promise<string> {
  if (path.endsWith('.js')) {
    const map = await readFile(`${path}.map`, 'utf8').catch(() => '{}');
    const { sourcesContent } = JSON.parse(map) as { sourcesContent?: readonly string[] };
    if (sourcesContent) return sourcesContent.join('');
  }
  return readFile(path, 'utf8');
}
