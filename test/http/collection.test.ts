// The request collection of examples/bruno: it has every call of the API and no other, with bodies that the API accepts,
// and is a walk: what a request needs is in an earlier answer. Bruno itself runs it in test/slow/packages/bruno.test.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SHARED_SCHEMAS } from '../../src/http/documents/openapi.ts';
import { FieldChecks } from '../../src/http/problems/field-faults.ts';
import { createHttpRig, type HttpRig } from './http-rig.ts';

const FOLDER = resolve(import.meta.dirname, '..', '..', 'examples', 'bruno');
const VARIABLES = readFileSync(join(FOLDER, 'environments', 'local.bru'), 'utf8');
const REQUESTS = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.bru') && file !== 'collection.bru')
  .map((file) => readRequest(file))
  .sort((a, b) => a.seq - b.seq);

let rig: HttpRig;
beforeAll(async () => {
  rig = await createHttpRig();
});
afterAll(() => rig.close());

/** The content of a .bru file: blocks of `name {` … `}` that begin at column 1. */
function readRequest(file: string) {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  const block = (name: string) => RegExp(`^${name} \\{\\n([^]*?)^\\}`, 'm').exec(text)?.[1];
  const method = ['get', 'post', 'delete'].find((name) => block(name))!;
  const url = /^ {2}url: (.+)$/m.exec(block(method)!)![1]!;
  return {
    file,
    name: /name: (.+)/.exec(block('meta')!)![1]!,
    seq: Number(/seq: (.+)/.exec(block('meta')!)![1]),
    method,
    url,
    json: block('body:json'),
    asserts: block('assert'),
    carries: namesIn(block('vars:post-response')),
    operation: /^ {2}Operation `(\w+)`\.$/m.exec(block('docs') ?? '')?.[1],
  };
}

/** Names that a block gives values to. */
function namesIn(block = ''): string[] {
  return [...block.matchAll(/^ {2}(\w+): /gm)].map(([, name]) => name!);
}

// biome-ignore lint/suspicious/noExplicitAny: a document is read as it comes
type Json = any;
const pathOf = (url: string) =>
  url
    .replace('{{base_url}}', '')
    .replace(/\?.*/, '')
    .replaceAll(/\{\{\w+\}\}/g, '{}');
/** Two requests may name the same parameter differently. */
const pathsOf = (paths: Json) =>
  Object.fromEntries(
    Object.entries<Json>(paths).map(([path, item]) => [path.replaceAll(/\{\w+\}/g, '{}'), item]),
  );

it('has every call below /v1, and no other', async () => {
  const { paths } = (await rig.app.inject({ url: '/openapi.json' })).json<Json>();
  const wanted = Object.entries<Json>(pathsOf(paths)).flatMap(([path, item]) =>
    path.startsWith('/v1/') ? Object.keys(item).map((method) => `${method} ${path}`) : [],
  );
  const found = new Set(REQUESTS.map(({ method, url }) => `${method} ${pathOf(url)}`));
  expect([...found].sort()).toEqual(wanted.sort());
});

it('names each operation as the document does', async () => {
  const paths = pathsOf((await rig.app.inject({ url: '/openapi.json' })).json<Json>().paths);
  for (const { file, method, url, operation } of REQUESTS)
    expect(operation, file).toBe(paths[pathOf(url)][method].operationId);
});

it('uses only what the environment or an earlier answer has, and asserts something of each answer', () => {
  const known = new Set([...namesIn(VARIABLES), 'api_key']);
  for (const { file, name, url, json, asserts, carries } of REQUESTS) {
    expect(file).toBe(`${name}.bru`);
    for (const [, variable] of `${url}${json ?? ''}`.matchAll(/\{\{(\w+)\}\}/g))
      expect(known, file).toContain(variable);
    expect(asserts, file).toMatch(/^ {2}res\.status: eq \d{3}$/m);
    for (const variable of carries) known.add(variable);
  }
  expect(new Set(REQUESTS.map(({ seq }) => seq)).size).toBe(REQUESTS.length);
});

it('sends bodies and queries that the API accepts', async () => {
  const paths = pathsOf((await rig.app.inject({ url: '/openapi.json' })).json<Json>().paths);
  const checks = new FieldChecks(SHARED_SCHEMAS);
  for (const { file, method, url, json } of REQUESTS) {
    const operation = paths[pathOf(url)][method];
    const schema = operation.requestBody?.content['application/json']?.schema;
    expect(json !== undefined, file).toBe(schema !== undefined);
    if (json) {
      const local = JSON.parse(JSON.stringify(schema).replace(/#\/components\/schemas\/(\w+)/g, '$1#'));
      expect(checks.compile(local, 'body')(JSON.parse(json)), file).not.toHaveProperty('error');
    }
    const names = (operation.parameters ?? []).map((parameter: Json) => parameter.name);
    for (const key of new URL(url.replace('{{base_url}}', 'http://a')).searchParams.keys())
      expect(names, file).toContain(key);
  }
});

it('/llms.txt leads to the document and to every guide, in Markdown', async () => {
  const text = (await rig.app.inject({ url: '/llms.txt' })).body;
  expect(text).toMatch(/^# Likeness\n\n> /);
  const links = [...text.matchAll(/\]\(http:\/\/likeness\.test([^)]+)\)/g)].map(([, path]) => path!);
  expect(links).toContain('/openapi.json');
  expect(links.length).toBeGreaterThan(8);
  for (const url of links) {
    const answer = await rig.app.inject({ url });
    expect(answer.statusCode, url).toBe(200);
    if (url.endsWith('.md')) expect(answer.body).toMatch(/^# /);
  }
  const page = (await rig.app.inject({ url: '/docs' })).body;
  for (const path of ['/openapi.json', '/llms.txt']) expect(page).toContain(`href="${path}"`);
});
