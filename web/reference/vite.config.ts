// Builds the API page into build/web/reference: index.html with the server's placeholders (%NONCE%, %TRIES%), and
// Scalar's bundle as it is, under a name with its hash. Run: npx vite build -c web/reference/vite.config.ts
import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { precompress } from '../capture/build/precompress.ts';

const root = import.meta.dirname;
const outDir = resolve(root, '../../build/web/reference');

export default defineConfig({
  root,
  base: '/assets/reference/',
  publicDir: false,
  html: { cspNonce: '%NONCE%' },
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
