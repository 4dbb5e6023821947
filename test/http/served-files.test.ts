// The headers of everything that a browser is served, as one table: pages, scripts, the Worker, networks, documents.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSite } from '../../src/http/documents/site.ts';
import { createHttpRig, type HttpRig } from './http-rig.ts';

const BUILD = resolve(import.meta.dirname, '..', '..', 'build', 'web');
const DOCS = resolve(import.meta.dirname, '..', '..', 'docs');

const NOTHING = "default-src 'none';frame-ancestors 'none';base-uri 'none'";
const WORKER =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; frame-ancestors 'none'";
const CAPTURE_PAGE =
  "default-src 'none'; script-src 'nonce-NONCE' 'strict-dynamic'; style-src 'nonce-NONCE'; img-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *";
const CONSOLE =
  "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-NONCE'; img-src 'self'; media-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const SHELL =
  "default-src 'none'; style-src 'sha256-HASH'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const DOCUMENT = SHELL.replace('style-src', "script-src 'self'; connect-src 'self'; style-src 'self'");
// Only `style` attributes, which the library writes, are free.
const REFERENCE =
  "default-src 'none'; script-src 'self'; style-src-elem 'self' 'nonce-NONCE'; style-src-attr 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HTML = 'text/html; charset=utf-8';
const SCRIPT = 'application/javascript; charset=utf-8';
const IMMUTABLE = 'public, max-age=31536000, immutable';
const FIVE_MINUTES = 'public, max-age=300';

interface Row {
  readonly status?: number;
  readonly type: string;
  readonly policy: string;
  readonly cache: string;
  readonly resources?: 'same-origin' | 'cross-origin';
  /** Origins whose scripts may read it; undefined: its own alone. */
  readonly readers?: '*';
}

/** The row for each file of a build, by its name. A file without a row fails the test. */
const FILES: readonly (readonly [RegExp, Row])[] = [
  [/^worker-[\w-]+\.js$/, { type: SCRIPT, policy: WORKER, cache: IMMUTABLE }],
  [/\.js$/, { type: SCRIPT, policy: NOTHING, cache: IMMUTABLE }],
  [/\.css$/, { type: 'text/css; charset=utf-8', policy: NOTHING, cache: IMMUTABLE }],
  [/\.svg$/, { type: 'image/svg+xml', policy: NOTHING, cache: IMMUTABLE }],
  [/^guidance-\w+\/[\w-]+\.wasm$/, { type: 'application/wasm', policy: NOTHING, cache: IMMUTABLE }],
  [/^guidance-\w+\/\w+\.bin$/, { type: 'application/octet-stream', policy: NOTHING, cache: IMMUTABLE }],
  [
    /^guidance-\w+\/\w+\.json$/,
    { type: 'application/json; charset=utf-8', policy: NOTHING, cache: IMMUTABLE },
  ],
];

/** Files that the server reads and does not serve. */
const KEPT_BACK = /\.(html|br|gz)$|^server-texts\.json$/;

let rig: HttpRig;
beforeAll(async () => {
  rig = await createHttpRig({
    console: true,
    settings: {
      capturePageDir: join(BUILD, 'capture'),
      consolePageDir: join(BUILD, 'console'),
      referencePageDir: join(BUILD, 'reference'),
    },
  });
});
afterAll(() => rig.close());

const namesIn = (folder: string) =>
  readdirSync(join(BUILD, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(BUILD, folder).length + 1));

async function expectRow(url: string, row: Row, encoding = 'identity', payload?: object) {
  const method = payload ? 'POST' : 'GET';
  const answer = await rig.app.inject({
    method,
    url,
    headers: { 'accept-encoding': encoding },
    ...(payload && { payload }),
  });
  const { headers } = answer;
  const policy = String(headers['content-security-policy'])
    .replace(/'nonce-[^']+'/g, "'nonce-NONCE'")
    .replace(/'sha256-[^']+'/g, "'sha256-HASH'");
  expect({
    url,
    status: answer.statusCode,
    type: headers['content-type'],
    policy,
    cache: headers['cache-control'],
    resources: headers['cross-origin-resource-policy'],
    readers: headers['access-control-allow-origin'],
  }).toEqual({ url, status: 200, resources: 'same-origin', ...row });
  expect(headers, url).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'origin-agent-cluster': '?1',
  });
  expect(headers['x-frame-options'], url).toBeUndefined();
  expect(headers['set-cookie'], url).toBeUndefined();
  // Scripts of a page that frames this one may observe it. Shared memory is not used.
  expect(headers['cross-origin-opener-policy'], url).toBeUndefined();
  expect(headers['cross-origin-embedder-policy'], url).toBeUndefined();
  return answer;
}

describe.each(['capture', 'console', 'reference'])('files of the %s page', (page) => {
  const files = namesIn(page);
  const sent = files.filter((name) => !KEPT_BACK.test(name));

  it('each have their headers, uncompressed and compressed', async () => {
    expect(sent.length).toBeGreaterThan(2);
    for (const name of sent) {
      const url = `/assets/${page}/${name}`;
      const found = FILES.find(([names]) => names.test(name))?.[1];
      if (!found) throw new Error(`no row for ${name}`);
      // A frame with a sandbox has no origin, and loads scripts as another site's.
      const row: Row = page === 'capture' ? { ...found, readers: '*' } : found;
      const bytes = readFileSync(join(BUILD, page, name));
      const encodings = [
        ['identity', undefined, (body: Buffer) => body],
        ['br, gzip', 'br', brotliDecompressSync],
        ['gzip', 'gzip', gunzipSync],
      ] as const;
      for (const [asked, given, decode] of encodings) {
        const answer = await expectRow(url, row, asked);
        expect(answer.headers['content-encoding'], url).toBe(given);
        expect(answer.headers.vary, url).toBe('accept-encoding');
        expect(decode(answer.rawPayload).equals(bytes), url).toBe(true);
      }
    }
  });

  it('that are kept back are not served', async () => {
    const kept = files.filter((name) => KEPT_BACK.test(name));
    expect(kept.length).toBeGreaterThan(2);
    for (const name of kept) {
      expect((await rig.app.inject({ url: `/assets/${page}/${name}` })).statusCode, name).toBe(404);
    }
  });
});

it('there is one Worker, on the capture page only', () => {
  const workers = [...namesIn('capture'), ...namesIn('console'), ...namesIn('reference')].filter((name) =>
    /worker.*\.js$/.test(name),
  );
  expect(workers).toHaveLength(1);
  expect(existsSync(join(BUILD, 'capture', workers[0]!))).toBe(true);
});

describe('pages', () => {
  const page = { type: HTML } as const;

  it('behind a link, live or dead, are never cached', async () => {
    const live = await rig.create();
    const row = { ...page, policy: CAPTURE_PAGE, cache: 'no-store, no-transform' };
    const answer = await expectRow(live.path, row);
    expect(answer.headers['permissions-policy']).toContain('camera=(self)');
    const cancelled = await rig.create();
    await rig.call('POST', `/v1/challenges/${cancelled.challenge_id}/cancel`);
    await expectRow(cancelled.path, { ...row, status: 410 });
    await expectRow('/c/nonsense', { ...row, status: 404 });
    const state = { type: 'application/json; charset=utf-8', policy: NOTHING, cache: 'no-store' };
    await expectRow(`${live.path}/state`, state, 'identity', {});
  });

  it('of the console and of the documentation have their headers', async () => {
    await expectRow('/console', { ...page, policy: CONSOLE, cache: 'no-store, no-transform' });
    const document = { ...page, policy: DOCUMENT, cache: FIVE_MINUTES };
    await expectRow('/docs', document);
    const { pages } = readSite(DOCS);
    for (const path of pages.keys()) {
      await expectRow(path, document);
      await expectRow(`${path}.md`, {
        type: 'text/markdown; charset=utf-8',
        policy: NOTHING,
        cache: FIVE_MINUTES,
      });
    }
    await expectRow('/docs/errors', document);
    await expectRow('/docs/configuration', document);
    await expectRow('/docs/errors/not-found', document);
    await expectRow('/docs/docs.css', {
      type: 'text/css; charset=utf-8',
      policy: NOTHING,
      cache: FIVE_MINUTES,
    });
    await expectRow('/docs/docs.js', { type: SCRIPT, policy: NOTHING, cache: FIVE_MINUTES });
    const json = { type: 'application/json; charset=utf-8', policy: NOTHING, cache: FIVE_MINUTES };
    await expectRow('/docs/search.json', json);
    await expectRow('/openapi.json', {
      type: 'application/json; charset=utf-8',
      policy: NOTHING,
      cache: FIVE_MINUTES,
      resources: 'cross-origin',
      readers: '*',
    });
    await expectRow('/front-page.js', { type: SCRIPT, policy: NOTHING, cache: FIVE_MINUTES });
    await expectRow('/front-page.css', {
      type: 'text/css; charset=utf-8',
      policy: NOTHING,
      cache: FIVE_MINUTES,
    });
    await expectRow('/favicon.svg', { type: 'image/svg+xml', policy: NOTHING, cache: FIVE_MINUTES });
  });

  it('of the API reference run only what this server serves, and are never cached', async () => {
    const row = { ...page, policy: REFERENCE, cache: 'no-store, no-transform' };
    const [first, second] = [await expectRow('/docs/api', row), await expectRow('/docs/api', row)];
    expect(first.headers['content-security-policy']).not.toBe(second.headers['content-security-policy']);
    const scripts = [...first.body.matchAll(/(?:src|href)="(\/assets[^"]+)"/g)].map(([, url]) => url!);
    expect(scripts).toHaveLength(2);
    for (const url of scripts) expect((await rig.app.inject({ url })).statusCode, url).toBe(200);
  });

  it('a signed link returns a download that no browser executes', async () => {
    const { challenge_id } = await rig.create();
    await rig.makeAsset(challenge_id, Buffer.from('<script>alert(1)</script>'));
    const result = (await rig.call('GET', `/v1/challenges/${challenge_id}`)).json();
    const { pathname, search } = new URL(result.assets_links[0].presigned_url);
    const answer = await expectRow(pathname + search, {
      type: 'video/webm',
      policy: NOTHING,
      cache: 'private, no-store',
      resources: 'cross-origin',
    });
    expect(answer.headers['content-disposition']).toMatch(/^attachment; /);
  });
});
