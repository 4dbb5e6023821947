// GET / links to the documents; in development its button creates a challenge, and no other site's button does.
import { afterAll, beforeAll, expect, it } from 'vitest';
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
const linksOf = (page: string) => [...page.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href!);
const press = (rig: HttpRig, path: string, token: string) =>
  rig.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ token }).toString(),
  });

it('links only to pages that exist', async () => {
  expect(linksOf(await read(development))).toEqual(['/docs', '/docs/api', '/console']);
  expect(linksOf(await read(production))).toEqual(['/docs', '/docs/api']);
  expect(await read(production)).not.toContain('<form');
  for (const [rig, path] of [
    ...linksOf(await read(development)).map((link) => [development, link] as const),
    ...linksOf(await read(production)).map((link) => [production, link] as const),
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
  const link = linksOf(made.body).find((href) => href.includes('/c/'))!;
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
