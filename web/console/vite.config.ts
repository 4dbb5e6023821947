// Builds the operator's console into build/web/console. Run: npx vite build -c web/console/vite.config.ts
import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { precompress } from '../capture/build/precompress.ts';

const root = import.meta.dirname;
const outDir = resolve(root, '../../build/web/console');

export default defineConfig({
  root,
  base: '/assets/console/',
  publicDir: false,
  // Pages of src/ lie outside the console's tsconfig.json, where it would be read otherwise.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir,
    emptyOutDir: true,
    target: ['es2022'],
    assetsDir: '',
    assetsInlineLimit: 0,
    modulePreload: false,
    sourcemap: false,
  },
  plugins: [precompress(outDir)],
});
