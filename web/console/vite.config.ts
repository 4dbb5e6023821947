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
  // Filled in by the server (src/http/routes/console-page.ts).
  html: { cspNonce: '%NONCE%' },
  // Pages of src/ lie outside the console's tsconfig.json, where it would be read otherwise.
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
  build: {
    outDir,
    emptyOutDir: true,
    target: ['es2022'],
    assetsDir: '',
    assetsInlineLimit: 0,
    modulePreload: false,
    sourcemap: false,
    // All pages in one file of 250 kB, compressed, which is loaded once.
    chunkSizeWarningLimit: 1_500,
    // Components say that they run in browsers; nothing of this build runs elsewhere.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
  plugins: [precompress(outDir)],
});
