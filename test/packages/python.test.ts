// The Python client is what the OpenAPI document that the service serves generates.
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pythonClient } from '../../packages/python/generate.ts';
import { Likeness as LikenessClient } from '../../src/client/client.ts';
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

it('names its calls as the document and the Node client do', async () => {
  // biome-ignore lint/suspicious/noExplicitAny: a document is read as it comes
  const document = (await rig.app.inject({ url: '/openapi.json' })).json<any>();
  const calls = Object.entries<Record<string, { operationId: string }>>(document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([, item]) => Object.values(item).map(({ operationId }) => operationId));
  expect(calls.length).toBeGreaterThan(10);
  // `each…` is a list, page by page.
  const isOwn = (name: string) => !/^(constructor$|each)/.test(name);
  expect(Object.getOwnPropertyNames(LikenessClient.prototype).filter(isOwn).toSorted()).toEqual(
    calls.toSorted(),
  );
  const snake = calls.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
  const python = [...pythonClient(document).matchAll(/^ {4}def ([a-z_]+)/gm)].map(([, name]) => name!);
  expect(python.filter((name) => !/^(__|each_)/.test(name)).toSorted()).toEqual(snake.toSorted());
});
