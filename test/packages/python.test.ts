// The Python client is what the OpenAPI document that the service serves generates.
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pythonClient } from '../../packages/python/generate.ts';
import { createHttpRig, type HttpRig } from '../http/http-rig.ts';

const FOLDER = resolve(import.meta.dirname, '..', '..', 'packages', 'python');

let rig: HttpRig;
beforeAll(async () => {
  rig = await createHttpRig();
});
afterAll(() => rig?.close());

it('is generated from the served document', async () => {
  const document = (await rig.app.inject({ url: '/openapi.json' })).json();
  await expect(pythonClient(document)).toMatchFileSnapshot(join(FOLDER, 'likeness', 'api.py'));
});

it('has a method for every call below /v1', async () => {
  // biome-ignore lint/suspicious/noExplicitAny: a document is read as it comes
  const { paths } = (await rig.app.inject({ url: '/openapi.json' })).json<any>();
  const calls = Object.entries<object>(paths).filter(([path]) => path.startsWith('/v1/'));
  const text = pythonClient((await rig.app.inject({ url: '/openapi.json' })).json());
  const count = calls.reduce((sum, [, item]) => sum + Object.keys(item).length, 0);
  expect(text.match(/^ {4}def (?!each_)[a-z]/gm)).toHaveLength(count);
});
