// Rules for every document: decisions are numbered, links resolve, and nothing refers to documents outside the
// repository.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const projectRoot = resolve(import.meta.dirname, '..', '..');
const decisionsDir = join(projectRoot, 'docs', 'decisions');
const ROOTS = ['.ci', 'bench', 'bin', 'deploy', 'docs', 'examples', 'src', 'test', 'web'];
const TEXT_FILE = /\.(c?js|tsx?|json|md|sql|css|html|sh|ya?ml)$/;

/** Every text file of the project, by its path from the root. */
const files = [
  ...readdirSync(projectRoot).filter((name) => TEXT_FILE.test(name)),
  ...ROOTS.flatMap((root) =>
    readdirSync(join(projectRoot, root), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && TEXT_FILE.test(entry.name))
      .map((entry) => relative(projectRoot, join(entry.parentPath, entry.name))),
  ),
].filter((path) => !/(^|\/)(node_modules|build)\//.test(path));
const textOf = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const markdown = files.filter((path) => path.endsWith('.md'));

/** References to documents and trackers that a reader of the repository does not have. */
const ABSENT = /contract[ ]§|[(]contract: |\bissues? \d|\b(?:spec|contract|design)\.md\b/i;

describe('every file', () => {
  it('refers to no documents outside the repository', () => {
    const found = files
      .filter((path) => path !== relative(projectRoot, import.meta.filename))
      .flatMap((path) =>
        textOf(path)
          .split('\n')
          .flatMap((line, i) => (ABSENT.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : [])),
      );
    expect(found).toEqual([]);
  });

  it('leaves nothing to be written later', () => {
    const left = files.filter((path) => /\b(?:TODO|FIXME)\b/.test(textOf(path)));
    expect(left.filter((path) => path !== relative(projectRoot, import.meta.filename))).toEqual([]);
  });

  it('names documents that exist', () => {
    const missing = files.flatMap((path) =>
      [...textOf(path).matchAll(/\bdocs\/[\w/-]+\.md\b/g)].flatMap(([name]) =>
        existsSync(join(projectRoot, name)) ? [] : [`${path}: ${name}`],
      ),
    );
    expect(missing).toEqual([]);
  });
});

describe('every document', () => {
  it('has links that resolve, headings included', () => {
    const broken = markdown.flatMap((path) =>
      [...textOf(path).matchAll(/\]\((?!\w+:|\/)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([, to, heading]) => {
        const target = to ? join(dirname(path), to) : path;
        if (!existsSync(join(projectRoot, target))) return [`${path}: ${to}`];
        if (!heading || !target.endsWith('.md')) return [];
        return anchorsOf(target).has(heading) ? [] : [`${path}: ${to}#${heading}`];
      }),
    );
    expect(broken).toEqual([]);
  });
});

describe('decisions', () => {
  const names = readdirSync(decisionsDir)
    .filter((name) => /^\d/.test(name))
    .sort();

  it('are numbered, in name and title', () => {
    expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length);
    for (const name of names)
      expect(textOf(`docs/decisions/${name}`)).toMatch(RegExp(`^# ${name.slice(0, 4)} `));
  });

  it('each say in 40 lines why they came up, what would change and what would remove them, and are listed', () => {
    const list = textOf('docs/decisions/README.md');
    for (const name of names) {
      const text = textOf(`docs/decisions/${name}`);
      expect(text, name).toContain('**Context.**');
      expect(text, name).toContain('**What would change it.**');
      expect(text, name).toContain('**What would remove it.**');
      expect(text.trimEnd().split('\n').length, name).toBeLessThanOrEqual(40);
      expect(list).toContain(`| [${name.slice(0, 4)}](${name}) |`);
    }
  });
});

describe('the pages on liveness and on the capture page', () => {
  it.each([
    ['docs/liveness.md', 3_000],
    ['docs/capture-page.md', 1_500],
  ])('%s says what holds now in at most %i words', (path, most) => {
    const words = textOf(path).match(/[\p{L}\p{N}][^\s|]*/gu) ?? [];
    expect(words.length).toBeLessThanOrEqual(most);
  });
});

describe('thresholds of the judgement', () => {
  /**
   * What counts as a source: a measured figure, the name of a measurement, a standard, or the statement that there is
   * none.
   */
  const SOURCE = /\d|Laboratory|bench|MediaPipe|hosen/;

  it('each name the measurement that set them, or say that there was none', () => {
    const bare = files
      .filter((path) => path.startsWith('src/evaluation/'))
      .flatMap((path) =>
        textOf(path)
          .split('\n\n')
          .flatMap((block) => thresholdsOf(block))
          .flatMap(({ name, comment }) => (SOURCE.test(comment) ? [] : [`${path}: ${name}`])),
      );
    expect(bare).toEqual([]);
  });
});

/**
 * The constants MIN_… and MAX_… of a block, each with the comment before it: its own, or that of the constant above it.
 */
function thresholdsOf(block: string): { name: string; comment: string }[] {
  const parts = block.matchAll(/(\/\*\*.*?\*\/)|^(?:export )?const (\w+)[^=\n]*= [-\d]/gms);
  let comment = '';
  const found: { name: string; comment: string }[] = [];
  for (const [, doc, name] of parts) {
    if (doc !== undefined) comment = doc;
    else if (/^(MIN|MAX)_/.test(name!)) found.push({ name: name!, comment });
  }
  return found;
}

/** Anchors of a document's headings, as GitHub generates them. */
function anchorsOf(path: string): Set<string> {
  const headings = [...textOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading!);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
