// Rules for every document: decisions are numbered, links resolve, and nothing refers to documents outside the
// repository. And a few for the sources that no linter has.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/config/limits.ts';

const projectRoot = resolve(import.meta.dirname, '..', '..');
const decisionsDir = join(projectRoot, 'docs', 'decisions');
const ROOTS = ['.ci', 'bench', 'bin', 'deploy', 'docs', 'examples', 'packages', 'src', 'test', 'web'];
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

describe('every source', () => {
  it('spreads no literal on the spot: what it holds stands where it belongs', () => {
    const sources = files.filter((path) => /\.(c?js|tsx?)$/.test(path) && /\.{3}\s*[[{]/.test(textOf(path)));
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.flatMap((path) => spreadLiterals(path, textOf(path)))).toEqual([]);
    const cheating = "f(...[1, 2], ...[3].map(g), { ...{ a }, ...(b ? { b } : {}) }, ...(['a'] as const))";
    const cheats = ['...[1, 2]', '...{ a }', "...(['a'] as const)"];
    expect(spreadLiterals('a.ts', cheating)).toEqual(cheats.map((cheat) => `a.ts: ${cheat}`));
  });

  it('says beside each index what needs it', () => {
    const migrations = files.filter((path) => /\/migrations\/.*\.sql$/.test(path));
    expect(migrations.length).toBeGreaterThan(1);
    expect(migrations.flatMap((path) => bareIndexes(textOf(path)))).toEqual([]);
    expect(bareIndexes('-- Why.\ncreate index a on b;\ncreate index c on b\n  where d;\n')).toEqual([]);
    expect(bareIndexes('-- Why.\ncreate table b (\n);\ncreate index a on b;\n')).toEqual(['a']);
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

  it('have lines of at most 120 characters, except in tables', () => {
    const long = ['README.md', ...names].flatMap((name) =>
      textOf(`docs/decisions/${name}`)
        .split('\n')
        .flatMap((line, i) => ([...line].length > 120 && line[0] !== '|' ? [`${name}:${i + 1}`] : [])),
    );
    expect(long).toEqual([]);
  });

  it('each say in 40 lines why they came up, what would change and what would remove them, and are listed', () => {
    const list = textOf('docs/decisions/README.md');
    for (const name of names) {
      const text = textOf(`docs/decisions/${name}`);
      expect(text, name).toContain('**Context.**');
      expect(text, name).toMatch(/^(- )?\*\*(Decided|Decision)\b/m);
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

  it.each(['docs/liveness.md', 'docs/capture-page.md'])('%s has no dates', (path) => {
    const dates =
      /\b(?:20[12]\d|(?:Jan|Febr)uary|March|April|June|July|August|(?:Septem|Octo|Novem|Decem)ber)\b/g;
    expect(textOf(path).match(dates)).toBeNull();
  });
});

describe('CHANGELOG.md', () => {
  it('lists what is there in at most 60 lines', () => {
    expect(textOf('CHANGELOG.md').trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  });
});

describe('what the documents say of times', () => {
  it.each([
    ['docs/load-model.md', /^\| `frame_print` \|.* (\d+) d \|/m],
    ['docs/privacy/data-map.md', /^\| hashes of a capture's frames: .*\| after (\d+) days, /m],
    ['docs/decisions/0026-a-window-for-prints.md', /kept for (\d+), because/],
  ])('%s keeps prints of frames as the sweep does: a day longer than they count', (path, days) => {
    expect(Number(days.exec(textOf(path))?.[1])).toBe(LIMITS.replayWindowDays + 1);
  });

  it.each([
    'docs/privacy/data-map.md',
    'docs/privacy/requests.md',
    'docs/interface.md',
  ])('%s names the window of an erasure', (path) => {
    expect(textOf(path).replace(/\s+/g, ' ')).toMatch(/[Ww]ithin 60 s\b/);
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

/** Array and object literals that a source spreads as they are. */
function spreadLiterals(path: string, text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isSpreadElement(node) || ts.isSpreadAssignment(node)) {
      let { expression } = node;
      while (
        ts.isAsExpression(expression) ||
        ts.isSatisfiesExpression(expression) ||
        ts.isParenthesizedExpression(expression)
      )
        expression = expression.expression;
      if (ts.isArrayLiteralExpression(expression) || ts.isObjectLiteralExpression(expression))
        found.push(`${path}: ${node.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true));
  return found;
}

/** Indexes with no comment above them, or above the indexes that stand with them. */
function bareIndexes(sql: string): string[] {
  const lines = sql.split('\n');
  return lines.flatMap((line, at) => {
    const name = /^create index (\w+)/.exec(line)?.[1];
    const above = lines.slice(0, at).findLast((each) => !/^(create (unique )?index | {2}where )/.test(each));
    return name === undefined || above?.startsWith('--') ? [] : [name];
  });
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
