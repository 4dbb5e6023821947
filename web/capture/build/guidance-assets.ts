// Copies the detector's models and wasm files from the npm packages into one folder. The folder's name carries their
// hash, because tfjs requests fixed file names below a folder.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Plugin } from 'vite';

const packages = resolve(import.meta.dirname, '../../../node_modules');

// The threaded wasm build is left out: it needs cross-origin isolation, which a page that may be framed cannot have.
const FILES = [
  '@vladmandic/human/models/blazeface.json',
  '@vladmandic/human/models/blazeface.bin',
  '@vladmandic/human/models/facemesh.json',
  '@vladmandic/human/models/facemesh.bin',
  '@tensorflow/tfjs-backend-wasm/wasm-out/tfjs-backend-wasm.wasm',
  '@tensorflow/tfjs-backend-wasm/wasm-out/tfjs-backend-wasm-simd.wasm',
].map((path) => join(packages, path));

/** Name of the folder below the build, `guidance-` and 12 hex digits of the files' hash. */
export function guidanceFolder(): string {
  const hash = createHash('sha256');
  for (const file of FILES) hash.update(basename(file)).update(readFileSync(file));
  return `guidance-${hash.digest('hex').slice(0, 12)}`;
}

/** Vite plugin: copies the files into the build. */
export function copyGuidanceAssets(outDir: string, folder: string): Plugin {
  return {
    name: 'likeness-guidance-assets',
    apply: 'build',
    closeBundle: {
      order: 'pre',
      sequential: true,
      handler() {
        mkdirSync(join(outDir, folder), { recursive: true });
        for (const file of FILES) cpSync(file, join(outDir, folder, basename(file)));
      },
    },
  };
}
