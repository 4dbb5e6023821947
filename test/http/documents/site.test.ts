// The documentation as a site: what is in it, in which order, and that its links lead somewhere.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTENTS } from '../../../src/http/documents/contents.ts';
import type { IndexEntry } from '../../../src/http/documents/search-index.ts';
import { createHttpRig, type HttpRig } from '../http-rig.ts';

const DOCS = resolve(import.meta.dirname, '../../../docs');
const FILES = CONTENTS.flatMap(({ files }) => files);
const PATHS = FILES.map((file) => `/docs/${file.replace(/\/README$/, '')}`);

let rig: HttpRig;
beforeAll(async () => {
  rig = await createHttpRig();
});
afterAll(() => rig.close());

const bodyOf = async (url: string) => {
  const { statusCode, body } = await rig.app.inject({ url });
  expect(statusCode, url).toBe(200);
  return body;
};

describe('the site', () => {
  it('has every guide, and everything on operation and privacy, once', () => {
    const written = ['guides', 'operations', 'privacy'].flatMap((folder) =>
      readdirSync(join(DOCS, folder))
        .filter((name) => name.endsWith('.md'))
        .map((name) => `${folder}/${name.slice(0, -3)}`),
    );
    expect(FILES.filter((file) => file.includes('/')).sort()).toEqual(written.sort());
    expect(new Set(FILES).size).toBe(FILES.length);
  });

  it('shows on each page the contents in their order, and which page it is', async () => {
    for (const path of PATHS) {
      const body = await bodyOf(path);
      const contents = /<details class="contents">(.*?)<\/details>/s.exec(body)![1]!;
      const links = [...contents.matchAll(/href="([^"]+)"/g)].map(([, link]) => link!);
      expect(links.filter((link) => PATHS.includes(link))).toEqual(PATHS);
      expect(contents.match(/href="([^"]+)" aria-current="page"/)![1]).toBe(path);
      expect(contents.match(/aria-current/g)).toHaveLength(1);
    }
    const home = await bodyOf('/docs');
    for (const path of [
      ...PATHS,
      '/docs/api',
      '/docs/errors',
      '/docs/configuration',
      '/openapi.json',
      '/llms.txt',
    ])
      expect(home).toContain(`href="${path}"`);
  });

  it('has no link to a file, or to a heading that is not there', async () => {
    const links = new Set<string>();
    for (const path of PATHS)
      for (const [, link] of (await bodyOf(path)).matchAll(/href="([^":]+)"/g))
        links.add(link!.startsWith('#') ? path + link : link!);
    const missing: string[] = [];
    for (const link of links) {
      const [path, anchor] = link.split('#');
      const target = await rig.app.inject({ url: path! });
      const there = !anchor || target.body.includes(`id="${anchor}"`);
      if (target.statusCode !== 200 || !there) missing.push(link);
    }
    expect(missing).toEqual([]);
  });

  it('has no column without a heading, which a screen reader could not name', async () => {
    const pages = await Promise.all(PATHS.map(async (path) => [path, await bodyOf(path)] as const));
    const headings = pages.flatMap(([path, body]) =>
      [...body.matchAll(/<th\b[^>]*>(.*?)<\/th>/gs)].map(([, text]) => ({ path, text })),
    );
    expect(headings.length).toBeGreaterThan(20);
    expect(headings.filter(({ text }) => !text?.trim())).toEqual([]);
  });

  it('shows a link to what only the repository has as its text', async () => {
    const source = readFileSync(join(DOCS, 'operations/README.md'), 'utf8');
    expect(source).toContain('[what was tried](../../bench/TORTURE.md)');
    expect(await bodyOf('/docs/operations')).toContain('(what was tried)');
  });

  it('serves each page as Markdown too, and nothing else of the folder', async () => {
    expect(await bodyOf(`${'/docs/operations'}.md`)).toBe(
      readFileSync(join(DOCS, 'operations/README.md'), 'utf8'),
    );
    for (const url of [
      '/docs/decisions/0001-rooms',
      '/docs/rules.md',
      '/docs/..%2fREADME',
      '/docs/guides/nothing',
    ])
      expect((await rig.app.inject({ url })).statusCode, url).toBe(404);
  });

  it('is found by its search: documents, errors, variables, operations and objects', async () => {
    const index = JSON.parse(await bodyOf('/docs/search.json')) as IndexEntry[];
    const urls = index.map(({ url }) => url);
    for (const path of PATHS) expect(urls).toContain(path);
    for (const url of urls.filter((url) => url.includes('#') && !url.startsWith('/docs/api'))) {
      const [path, anchor] = url.split('#');
      expect(await bodyOf(path!), url).toContain(`id="${anchor}"`);
    }
    expect(urls).toContain('/docs/operations/backup-and-restore#erasure-on-your-own-postgresql');
    expect(urls).toContain('/docs/errors/not-found');
    expect(urls).toContain('/docs/configuration#BASE_URL');
    expect(urls).toContain('/docs/api#tag/challenges/createChallenge');
    expect(urls).toContain('/docs/api#model/ChallengeResult');
  });
});

describe('the page of the API', () => {
  it('may call the API in development only', async () => {
    const settings = { referencePageDir: resolve(import.meta.dirname, '../../../build/web/reference') };
    const environment = { MODE: 'production', BASE_URL: 'https://likeness.test' };
    const production = await createHttpRig({ environment, settings });
    const development = await createHttpRig({ settings });
    try {
      const shown = async ({ app }: HttpRig) => (await app.inject({ url: '/docs/api' })).body;
      expect(await shown(production)).toContain('data-tries="false"');
      expect(await shown(development)).toContain('data-tries="true"');
    } finally {
      await Promise.all([production.close(), development.close()]);
    }
  });
});
