import { afterAll, beforeAll, expect, it } from 'vitest';
import { Environment } from '../../../src/config/config.ts';
import { READ_ELSEWHERE } from '../../../src/config/describe.ts';
import { createHttpRig, type HttpRig } from '../http-rig.ts';

let rig: HttpRig;
beforeAll(async () => {
  rig = await createHttpRig();
});
afterAll(() => rig.close());

it('names every variable, found from the reference and by its search, and tells nothing that is in force', async () => {
  const page = await rig.app.inject({ url: '/docs/configuration' });
  expect(page.statusCode).toBe(200);
  const index = (await rig.app.inject({ url: '/docs/search.json' })).json<{ url: string }[]>();
  const elsewhere = READ_ELSEWHERE.map(({ name }) => name);
  for (const name of [...Object.keys(Environment.properties), ...elsewhere]) {
    expect(page.body).toContain(`id="${name}"`);
    expect(index.map(({ url }) => url)).toContain(`/docs/configuration#${name}`);
  }
  // The rig's own.
  expect(page.body).not.toContain('likeness.test');
  expect((await rig.app.inject({ url: '/docs' })).body).toContain('href="/docs/configuration"');
});
