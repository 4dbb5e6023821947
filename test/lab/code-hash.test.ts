// The hash by which kept results of a measurement are found: it changes with the code that they depend on, and no other.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hashOfCode, withoutComments } from '../../src/lab/code-hash.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');

let source: string;
beforeEach(async () => {
  source = await mkdtemp(join(tmpdir(), 'likeness-code-'));
});
afterEach(() => rm(source, { recursive: true, force: true }));

const kinds = ['template', 'recording', 'challenge'] as const;
const hashes = () => Promise.all(kinds.map((kind) => hashOfCode(kind, source)));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(source, path)), { recursive: true });
  await writeFile(join(source, path), text);
}

it.each([
  ['contract/regions.ts', ['template', 'recording', 'challenge']],
  ['contract/picture.ts', ['template', 'recording', 'challenge']],
  ['contract/script-steps.ts', ['recording', 'challenge']],
  ['contract/target.ts', ['recording', 'challenge']],
  ['contract/new.ts', ['template', 'recording', 'challenge']],
  ['contract/device.ts', ['challenge']],
  ['contract/capture-page.ts', ['challenge']],
  ['contract/console.ts', []],
  ['contract/problem.ts', []],
  ['models/packs/manifest.ts', ['template', 'recording', 'challenge']],
  ['evaluation/face/mesh.js', ['template', 'recording', 'challenge']],
  ['evaluation/liveness/fusion.ts', ['recording', 'challenge']],
  ['challenge/lifecycle.ts', ['challenge']],
  ['challenge/capturing/draw-script.ts', ['recording', 'challenge']],
  ['challenge/capturing/performed-script.ts', ['recording', 'challenge']],
  ['challenge/capturing/upload.ts', ['challenge']],
  ['challenge/closing/passkey-finding.ts', ['challenge']],
  ['challenge/capturing/logo.ts', []],
  ['challenge/creating/create.ts', []],
  ['lab/pad-judge.ts', ['recording']],
  ['lab/pad-judge.js', ['recording']],
  ['featid/template.ts', ['template', 'challenge']],
  ['featid/tables/store.ts', []],
  ['featid/tables/guard.ts', ['challenge']],
  ['jobs/judge.ts', ['challenge']],
  ['jobs/sweep.ts', []],
  ['contract/device-name.ts', ['template', 'recording', 'challenge']],
  ['passkeys/verify.ts', ['challenge']],
  ['passkeys/attestation/attested.ts', []],
  ['passkeys/tables/store.ts', ['challenge']],
  ['compile-models/widen.ts', ['template', 'recording']],
  ['lab/pad-report.ts', []],
  ['http/app.ts', []],
  ['contract/notes.md', []],
])('changes with one byte of %s for %j', async (path, changed) => {
  await write('contract/other.ts', 'export {};');
  await write(path, 'export const a = 1;');
  const before = await hashes();
  expect(await hashes()).toEqual(before);
  await write(path, 'export const a = 2;');
  const after = await hashes();
  expect(kinds.filter((_, at) => before[at] !== after[at])).toEqual(changed);
});

it('is the same from the sources and from what the build makes of them', async () => {
  await write(
    'src/evaluation/judge.ts',
    "// Judges.\nexport type Kind = 'a';\nexport const limit: number = 1;\n",
  );
  await write(
    'src/contract/only-types.ts',
    'export interface Seen {\n  /** In ms. */\n  readonly at: number;\n}\n',
  );
  await write('package.json', '{"type":"module"}');
  const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.build.json'), 'utf8'));
  const own = {
    ...compilerOptions,
    rootDir: 'src',
    outDir: 'dist',
    tsBuildInfoFile: 'dist/.info',
    types: [],
  };
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: own,
    include: ['src'],
    exclude: [],
  };
  await write('tsconfig.json', JSON.stringify(config));
  const built = spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', source]);
  expect(String(built.stdout)).toBe('');
  const hash = await hashOfCode('challenge', join(source, 'src'));
  expect(await hashOfCode('challenge', join(source, 'dist'))).toBe(hash);
  // Whoever strips the source maps has a hash that no figure carries.
  await rm(join(source, 'dist/evaluation/judge.js.map'));
  expect(await hashOfCode('challenge', join(source, 'dist'))).not.toBe(hash);
});

it('leaves out which species a check alone refuses: measuring that must not make the figures stale', async () => {
  const records = 'evaluation/liveness';
  const names = await readdir(join(ROOT, 'src', records));
  const texts = names.map((name) => [name, readFileSync(join(ROOT, 'src', records, name), 'utf8')] as const);
  const rewrite = (change: (text: string) => string) =>
    Promise.all(texts.map(([name, text]) => write(`${records}/${name}`, change(text))));
  await rewrite((text) => text);
  const before = await hashes();
  await rewrite((text) =>
    text.replaceAll(/\b(refuses: \[)'.*'\]/g, "$1'another']").replaceAll(/\b(stays: )'.*'/g, "$1'for now'"),
  );
  expect(await hashes()).toEqual(before);
  await rewrite((text) => text.replaceAll("gate('face')", "gate('spoof')"));
  expect(await hashes()).not.toEqual(before);
});

it('leaves out comments and nothing else', async () => {
  await write('evaluation/judge.ts', '/** One. */\nexport const a = 1;\n// why\n');
  const before = await hashOfCode('challenge', source);
  await write('evaluation/judge.ts', '/**\n * Two.\n */\nexport const a = 1;\n  // because\n');
  expect(await hashOfCode('challenge', source)).toBe(before);
  for (const room of [
    'evaluation',
    'models',
    'challenge',
    'contract',
    'featid',
    'passkeys',
    'compile-models',
  ]) {
    const folder = join(ROOT, 'src', room);
    for (const file of await readdir(folder, { recursive: true }))
      if (file.endsWith('.ts'))
        expect(codeLeftOut(readFileSync(join(folder, file), 'utf8')), file).toEqual([]);
  }
});

/** Lines that are left out although the compiler finds more than a comment in them. */
function codeLeftOut(text: string): string[] {
  const lines = text.split('\n');
  const isCode = new Set<number>();
  const file = ts.createSourceFile('a.ts', text, ts.ScriptTarget.ES2023);
  const lineAt = (at: number) => file.getLineAndCharacterOfPosition(at).line;
  const visit = (node: ts.Node): void => {
    if (node.getChildCount(file) > 0) ts.forEachChild(node, visit);
    else if (node.kind !== ts.SyntaxKind.EndOfFileToken)
      for (let line = lineAt(node.getStart(file)); line <= lineAt(node.end); line++) isCode.add(line);
  };
  visit(file);
  return lines.filter((line, at) => isCode.has(at) && withoutComments(`${line}\n`) === '');
}

it('would notice code that looks like a comment', () => {
  expect(codeLeftOut('const a = `\n// text\n`;\n// why\nconst b = 2\n  * a;\n')).toEqual([
    '// text',
    '  * a;',
  ]);
});

it('finds the code that runs', async () => {
  const nothing = await hashOfCode('recording', source);
  expect(await hashOfCode('recording')).not.toBe(nothing);
  expect(await hashOfCode('template')).not.toBe(nothing);
});
