// `likeness packs`: what is shown before anything is fetched, what is refused, and that a pack is installed whole or
// not at all. A server of the test plays the pack's publisher.
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readPack } from '../../src/models/packs/read-pack.ts';
import { runLikeness } from '../support/command-line.ts';
import { compiledModelsDir } from '../support/compiled-models.ts';
import { FACES_DIR } from '../support/faces.ts';

const NAME = 'foamliu-mobilefacenet';
const PUBLISHED = join(process.env.PACKS_DIR ?? join(FACES_DIR, '..', 'packs'), NAME, 'foamliu.onnx');
const isThere = existsSync(PUBLISHED);

let dataDir: string;
let server: Server;
let requests: string[];
let body: Buffer | number;
let mirror: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (request.url === '/moved') response.writeHead(302, { location: '/file' }).end();
    else if (request.url === '/round') response.writeHead(302, { location: '/round' }).end();
    else if (request.url === '/elsewhere')
      response.writeHead(302, { location: 'http://127.0.0.2/file' }).end();
    else if (typeof body === 'number') response.writeHead(body).end();
    else response.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  mirror = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(async () => {
  requests = [];
  body = Buffer.from('no network');
  dataDir = await mkdtemp(join(tmpdir(), 'likeness-packs-'));
});
afterEach(() => rm(dataDir, { recursive: true }));
afterAll(async () => {
  server.close();
});

const packs = (...args: string[]) => runLikeness(['packs', ...args], { DATA_DIR: dataDir });
const place = () => join(dataDir, 'packs');
const add = (from: string, ...more: string[]) => packs('add', NAME, '--from', `${mirror}/${from}`, ...more);
const left = async () => (existsSync(place()) ? readdir(place()) : []);

describe('before a download', () => {
  it('list shows licence, training data and known results of each pack', async () => {
    const { code, stdout } = await packs('list', '--json');
    expect(code).toBe(0);
    const listed = JSON.parse(stdout).packs as Record<string, unknown>[];
    expect(listed.map(({ name }) => name)).toEqual([
      ...[NAME, 'auraface-v1', 'minifasnet-v2', 'minifasnet-v1se'],
    ]);
    for (const { licence_of_weights, training_data, tried, installed } of listed) {
      for (const text of [licence_of_weights, training_data, tried]) expect(text).toMatch(/\w/);
      expect(installed).toBe(false);
    }
    expect(listed.slice(1).map(({ tried }) => tried)).toEqual(Array(3).fill('not tried here'));
    for (const { hash_from } of listed.slice(1)) expect(hash_from).toMatch(/; not fetched here$/);
  });

  it('shows licence, training data and hash, and fetches nothing without consent', async () => {
    const { code, stdout, stderr } = await add('file');
    expect(stdout).toMatch(/Apache-2\.0/);
    expect(stdout).toMatch(/MS-Celeb-1M/);
    expect(stdout).toMatch(/SHA-256 b7120c09/);
    expect({ code, requests }).toEqual({ code: 2, requests: [] });
    expect(stderr).toMatch(/--yes/);
  });

  it('answers an unknown name with the known ones', async () => {
    const { code, stderr } = await packs('add', 'arcface', '--yes');
    expect(code).toBe(2);
    expect(stderr).toMatch(/auraface-v1/);
  });
});

describe('a refused pack leaves nothing behind', () => {
  it.each<[string, string, Buffer | number, RegExp]>([
    ['another file', 'file', Buffer.from('no network'), /PACK_CORRUPT/],
    ['a file of the right size', 'file', Buffer.alloc(3_998_070), /SHA-256 .*PACK_CORRUPT/],
    ['a longer file', 'file', Buffer.alloc(4_000_000), /too_large.*PACK_NOT_FETCHED/],
    ['an error', 'file', 503, /status_503/],
    ['a redirect loop', 'round', 200, /too_many_redirects/],
    ['a redirect to an internal address', 'elsewhere', 200, /refused_address/],
  ])('%s', async (_, path, given, message) => {
    body = given;
    const { code, stderr } = await add(path, '--yes');
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(await left()).toEqual([]);
  });
});

it('reads a local file only up to the expected length, and only if it is a regular file', async () => {
  const huge = join(dataDir, 'huge.onnx');
  await writeFile(huge, '');
  await truncate(huge, 2 ** 33);
  const from = (path: string) => packs('add', NAME, '--yes', '--from', path);
  expect(await from(huge)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/3998071 bytes.*PACK_CORRUPT/),
  });
  expect(await from('/dev/zero')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/not a regular file/),
  });
});

describe.skipIf(!isThere)(`a published pack (PACKS_DIR: ${PUBLISHED})`, () => {
  beforeEach(() => {
    body = readFileSync(PUBLISHED);
  });

  it('is fetched once, tried and installed whole; verify, list and remove find it', {
    timeout: 60_000,
  }, async () => {
    const added = await add('moved', '--yes');
    expect(added).toMatchObject({ code: 0 });
    expect(requests).toEqual(['/moved', '/file']);
    expect(added.stdout).toMatch(/bench recognition --pack/);
    expect(await left()).toEqual([NAME]);
    const pack = readPack(join(place(), NAME), '');
    expect(pack.calibration?.pack).toBe(`${pack.id}.r1`);

    expect(await add('file', '--yes')).toMatchObject({ code: 0 });
    expect(requests).toHaveLength(2);
    expect((await packs('verify')).stdout).toMatch(/as published, and works/);
    expect((await packs('list')).stdout).toMatch(/foamliu-mobilefacenet \(installed\)/);

    await appendFile(join(place(), NAME, 'foamliu.onnx'), 'x');
    expect(await packs('verify', '--json')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/PACK_CORRUPT/),
    });
    expect(await packs('remove', NAME)).toMatchObject({ code: 2 });
    const inUse = await runLikeness(['packs', 'remove', NAME, '--yes'], {
      ...{ DATA_DIR: dataDir, RECOGNISER_PACK: `${place()}/${NAME},mobilefacenet` },
    });
    expect(inUse).toMatchObject({ code: 2, stderr: expect.stringMatching(/in use/) });
    expect(await packs('remove', NAME, '--yes')).toMatchObject({ code: 0 });
    expect(await left()).toEqual([]);
  });

  it('can come from a file', async () => {
    expect(await packs('add', NAME, '--yes', '--from', PUBLISHED)).toMatchObject({ code: 0 });
    expect(requests).toEqual([]);
  });

  it('can be installed elsewhere and linked: it is listed and verified, and only the link is removed', {
    timeout: 60_000,
  }, async () => {
    const elsewhere = join(dataDir, 'elsewhere');
    await packs('add', NAME, '--yes', '--from', PUBLISHED, '--dir', elsewhere);
    await mkdir(place());
    await symlink(join(elsewhere, NAME), join(place(), NAME));
    expect((await packs('list')).stdout).toMatch(/foamliu-mobilefacenet \(installed\)/);
    expect((await packs('verify')).stdout).toMatch(/as published, and works/);
    expect(await packs('add', NAME, '--yes', '--from', PUBLISHED)).toMatchObject({ code: 0 });
    expect(await packs('remove', NAME, '--yes')).toMatchObject({ code: 0 });
    expect(await left()).toEqual([]);
    expect(await readdir(join(elsewhere, NAME))).toContain('foamliu.onnx');
  });

  it('is fused with another by a plus sign, with an id of its own', { timeout: 60_000 }, async () => {
    await packs('add', NAME, '--yes', '--from', PUBLISHED);
    const modelsDir = await compiledModelsDir();
    const [one, other] = [readPack('mobilefacenet', modelsDir), readPack(join(place(), NAME), '')];
    const fused = readPack(`mobilefacenet+${join(place(), NAME)}`, modelsDir);
    expect(fused.manifest.networks).toEqual([...one.manifest.networks, ...other.manifest.networks]);
    expect(fused.networkFolders).toEqual([one.folder, other.folder]);
    expect(fused.calibration).toBeNull();
    expect(new Set([one.id, other.id, fused.id]).size).toBe(3);
  });
});
