// Builds the capture page into build/web/capture: index.html with the server's placeholders (%FILES%, %NONCE%, %STATE%,
// %LANG%, %DIR%, %TITLE%, %NOSCRIPT%, %LATE%, %RETRY%) and pre-compressed files with hashed names. Run: npx vite build
// -c web/capture/vite.config.ts
import { resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { copyGuidanceAssets, guidanceFolder } from './build/guidance-assets.ts';
import { compiledMessages } from './build/messages.ts';
import { precompress } from './build/precompress.ts';
import { writeServerTexts } from './build/server-texts.ts';

const root = import.meta.dirname;
const outDir = resolve(root, '../../build/web/capture');
const galleryDir = resolve(root, '../../build/web/capture-gallery');
const folder = guidanceFolder();
const nothing = resolve(root, 'build/unused-backend.ts');

// @vladmandic/human without its bundled tfjs imports every backend; only wasm is used here, and the others are
// a tenth of the Worker.
const alias = [
  { find: /^@tensorflow\/tfjs-backend-(cpu|webgl|webgpu)\/dist\/index\.js$/, replacement: nothing },
];

/**
 * Where the server writes the challenge's state. Inserted here because tools that read HTML reject a bare %STATE% as
 * JSON.
 */
const stateElement: Plugin = {
  name: 'likeness-state-element',
  transformIndexHtml: {
    order: 'pre',
    handler: () => [
      {
        tag: 'script',
        attrs: { type: 'application/json', id: 'challenge-state' },
        children: '%STATE%',
        injectTo: 'head',
      },
    ],
  },
};

/** The language's placeholders, inserted here for the same reason. */
const languagePlaceholders: Plugin = {
  name: 'likeness-language-placeholders',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) =>
      html
        .replace('<html lang="en"', '<html lang="%LANG%" dir="%DIR%"')
        .replace(/<title>.*?<\/title>/, '<title>%TITLE%</title>')
        .replace(/(<p class="no-script">).*?(<\/p>)/, '$1%NOSCRIPT%$2')
        .replace(/(<div class="late"><p>).*?(<\/p><a [^>]*>).*?(<\/a>)/, '$1%LATE%$2%RETRY%$3'),
  },
};

/**
 * The page is served below /c/, its files are not. Only the server knows where they are, as BASE_URL may have a path.
 */
const filesPlaceholder: Plugin = {
  name: 'likeness-files-placeholder',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const page = bundle['index.html'];
    if (page?.type !== 'asset') throw new Error('no index.html');
    page.source = String(page.source).replaceAll('="./', '="%FILES%/');
  },
};

/**
 * Chunks that are loaded later bring no styles and nothing to preload, so that vite's helper for both (0.6 kB) would do
 * nothing but import them.
 */
const plainImports: Plugin = {
  name: 'likeness-plain-imports',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : undefined,
};

export default defineConfig(({ mode }) => ({
  root,
  // Files reference each other relative to their own location.
  base: './',
  publicDir: false,
  resolve: { alias },
  // A language is one object: an export for each key would only duplicate its names.
  json: { namedExports: false, stringify: false },
  define: { __GUIDANCE_ASSETS__: JSON.stringify(`./${folder}/`) },
  html: { cspNonce: '%NONCE%' },
  worker: {
    format: 'es',
    // @vladmandic/human prints its version, whatever its settings: calls to console.log are left out of the Worker.
    rolldownOptions: { treeshake: { manualPureFunctions: ['console.log'] } },
  },
  build: {
    outDir: mode === 'gallery' ? galleryDir : outDir,
    rolldownOptions: {
      input: resolve(root, mode === 'gallery' ? 'gallery.html' : 'index.html'),
      // No class here overrides a setter, so that fields may be assigned.
      transform: { assumptions: { setPublicClassFields: true } },
    },
    emptyOutDir: true,
    target: ['es2022', 'chrome94', 'firefox100', 'safari15.4'],
    assetsDir: '',
    assetsInlineLimit: 0,
    modulePreload: false,
    sourcemap: false,
    chunkSizeWarningLimit: 1500,
  },
  plugins:
    mode === 'gallery'
      ? [compiledMessages(), plainImports]
      : [
          compiledMessages(),
          plainImports,
          stateElement,
          languagePlaceholders,
          filesPlaceholder,
          copyGuidanceAssets(outDir, folder),
          writeServerTexts(outDir),
          precompress(outDir),
        ],
}));
