// GET / links to the documents; in development its button creates a challenge, and no other site's button does.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { trialPage } from '../../src/http/documents/front-page.ts';
import { createHttpRig, type HttpRig } from './http-rig.ts';

let development: HttpRig;
let production: HttpRig;

beforeAll(async () => {
  development = await createHttpRig({ console: true });
  production = await createHttpRig({
    environment: { MODE: 'production', BASE_URL: 'https://likeness.test' },
  });
});
afterAll(async () => {
  await Promise.all([development?.close(), production?.close()]);
});

const read = async (rig: HttpRig) => (await rig.app.inject({ url: '/' })).body;
const linksIn = (page: string) => [...page.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, href]) => href!);
const linksOf = async (rig: HttpRig) => linksIn(await read(rig));
const press = (rig: HttpRig, path: string, token: string) =>
  rig.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ token }).toString(),
  });

it('links only to pages that exist', async () => {
  expect(await linksOf(development)).toEqual(['/docs', '/docs/api', '/console']);
  expect(await linksOf(production)).toEqual(['/docs', '/docs/api']);
  expect(await read(production)).not.toContain('<form');
  for (const [rig, path] of [
    ...[...(await linksOf(development)), '/front-page.css', '/front-page.js'].map(
      (path) => [development, path] as const,
    ),
    ...(await linksOf(production)).map((path) => [production, path] as const),
  ]) {
    expect((await rig.app.inject({ url: path })).statusCode, path).toBe(200);
  }
});

it.each(['camera', 'sandbox'])('creates a challenge by its button in development (%s)', async (kind) => {
  const page = await read(development);
  const token = /value="(\w{32})"/.exec(page)![1]!;
  expect(page).toContain(`action="/try/${kind}"`);
  const made = await press(development, `/try/${kind}`, token);
  expect(made.statusCode).toBe(200);
  expect(made.headers['content-security-policy']).toContain("form-action 'self'");
  const link = linksIn(made.body).find((href) => href.includes('/c/'))!;
  expect(made.body).toContain(`<code>${link}</code><button type="button" hidden>Copy</button>`);
  expect(made.body).toContain('role="img" aria-label="QR code with the link"');
  const state = await development.challenges.state({ token: link.split('/').at(-1)! });
  expect(state.status).toBe('ok');
  expect(made.body).toMatch(/bin\/likeness challenge show ch_[0-9a-z]{26}( --sandbox)?</);
  expect(made.body.includes(' --sandbox')).toBe(kind === 'sandbox');
});

it("creates none by another site's button, and none in production", async () => {
  expect((await press(development, '/try/camera', '0'.repeat(32))).statusCode).toBe(403);
  expect((await development.app.inject({ method: 'POST', url: '/try/camera' })).statusCode).toBe(403);
  const json = { method: 'POST', url: '/try/camera', payload: { token: 'x' } } as const;
  expect((await development.app.inject(json)).statusCode).toBe(403);
  expect((await press(production, '/try/camera', '')).statusCode).toBe(404);
});

it('draws a code only for a link that a phone can open, and says how to get one otherwise', () => {
  const show = 'challenge show ch_x';
  for (const host of ['127.0.0.1:8080', 'localhost', '[::1]:8080']) {
    const page = trialPage(`http://${host}/c/x`, show);
    expect(page).not.toContain('<svg');
    expect(page).toContain('DEV_TLS=1');
  }
  const page = trialPage('https://192.168.1.5:8081/c/x', show);
  expect(page).toContain('<svg role="img"');
  expect(page).not.toContain('DEV_TLS');
});
