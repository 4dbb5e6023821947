// Builds what integrators install, dist/ of this folder, from src/client and web/element. `npm pack` here runs it.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { build } from 'vite';
import { contractTypes } from './contract-types.ts';

const HERE = import.meta.dirname;
const ROOT = resolve(HERE, '..', '..');
const OUT = join(HERE, 'dist');

rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
emitTypes(join(ROOT, 'src', 'client'), join(OUT, 'client'));
emitTypes(join(ROOT, 'web', 'element'), OUT);
writeFileSync(join(OUT, 'client', 'contract.d.ts'), contractTypes(join(ROOT, 'src', 'client')));
await bundleClient(join(OUT, 'client'));
// The element is one file that a page without a bundler can use as it is; its wrappers import it.
await bundle('element', []);
// Tells frameworks that render on the server that this component runs in the browser.
await bundle('react', ['react'], "'use client';");
await bundle('vue', ['vue']);
cpSync(join(ROOT, 'LICENSE'), join(HERE, 'LICENSE'));

/** Emits the declarations of a folder, with imports rewritten for the published layout. */
function emitTypes(folder: string, outDir: string): void {
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.includes('.config.'));
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const program = ts.createProgram(
    files.map((name) => join(folder, name)),
    {
      ...options,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: ROOT,
      outDir: '/',
    },
  );
  const faults = ts.getPreEmitDiagnostics(program);
  if (faults.length > 0) throw new Error(ts.formatDiagnostics(faults, formatHost));
  mkdirSync(outDir, { recursive: true });
  for (const name of files)
    program.emit(program.getSourceFile(join(folder, name)), (path, text) => {
      writeFileSync(join(outDir, path.split('/').at(-1)!), asPublished(text));
    });
}

const formatHost: ts.FormatDiagnosticsHost = {
  getCanonicalFileName: (name) => name,
  getCurrentDirectory: () => ROOT,
  getNewLine: () => '\n',
};

/** Points contract imports to one file of plain types, so that integrators do not need the schema library. */
function asPublished(text: string): string {
  return text
    .replaceAll(/from '\.\.\/contract\/[\w-]+\.ts'/g, "from './contract.js'")
    .replaceAll(/(from|import) '(\.\/[\w-]+)\.ts'/g, "$1 '$2.js'");
}

/**
 * Bundles the client as CommonJS, for servers that still use `require` and for test runners that load nothing else.
 * `import` re-exports the same classes, so that `instanceof` works across both.
 */
async function bundleClient(outDir: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    root: ROOT,
    build: {
      outDir,
      emptyOutDir: false,
      target: 'es2023',
      minify: false,
      lib: {
        entry: join(ROOT, 'src', 'client', 'index.ts'),
        formats: ['cjs'],
        fileName: () => 'index.cjs',
      },
      rolldownOptions: { external: ['standardwebhooks'] },
    },
  });
  const names = Object.keys(createRequire(import.meta.url)(join(outDir, 'index.cjs')));
  writeFileSync(join(outDir, 'index.js'), `export { ${names.join(', ')} } from './index.cjs';\n`);
  for (const file of readdirSync(outDir).filter((name) => name.endsWith('.d.ts'))) {
    const text = readFileSync(join(outDir, file), 'utf8');
    writeFileSync(
      join(outDir, file.replace(/\.d\.ts$/, '.d.cts')),
      text.replaceAll(/(from|import) '(\.\/[\w-]+)\.js'/g, "$1 '$2.cjs'"),
    );
  }
}

async function bundle(name: string, external: readonly string[], banner = ''): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    root: ROOT,
    build: {
      outDir: OUT,
      emptyOutDir: false,
      target: 'es2022',
      minify: true,
      lib: {
        entry: join(ROOT, 'web', 'element', `${name}.ts`),
        formats: ['es'],
        fileName: () => `${name}.js`,
      },
      rolldownOptions: {
        external: (id) => external.includes(id) || (name !== 'element' && id.endsWith('/element.ts')),
        output: { banner, paths: (id) => (id.endsWith('/element.ts') ? './element.js' : id) },
      },
    },
  });
  const text = readFileSync(join(OUT, `${name}.js`), 'utf8');
  if (/\.ts['"]/.test(text)) throw new Error(`${name}.js names a source file`);
}
