// The embedded server while nothing goes wrong. Where it or its users are killed: test/slow/storage/embedded.
import { execFileSync } from 'node:child_process';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../../src/storage/embedded/server.ts';
import { createEmbeddedRig, type EmbeddedRig, log, query } from './embedded-rig.ts';

let rig: EmbeddedRig;

beforeAll(async () => {
  rig = await createEmbeddedRig();
});
afterAll(() => rig.remove());

test('is created and started for several users at once, is durable, and stops when the last one leaves', async () => {
  const [one, two, three] = await Promise.all([rig.start(), rig.start(), rig.start()]);
  expect(new Set([one, two, three].map((server) => server.connectionString)).size).toBe(1);
  const [settings] = await query(
    one.connectionString,
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commits,
      current_setting('data_checksums') as checksums, current_setting('listen_addresses') as address`,
  );
  expect(settings).toEqual({ fsync: 'on', commits: 'on', checksums: 'on', address: '127.0.0.1' });
  await query(one.connectionString, 'create table kept (id int)');
  await one.stop();
  await two.stop();
  expect(await rig.isRunning()).toBe(true);
  expect(await query(three.connectionString, 'select * from kept')).toEqual([]);
  await three.stop();
  expect(await rig.isRunning()).toBe(false);
  await three.stop();
});

test('requires its password, which only its owner can read', async () => {
  const server = await rig.start();
  const cluster = join(rig.dataDir, 'postgres', 'cluster');
  expect((await stat(join(cluster, 'password'))).mode & 0o777).toBe(0o600);
  expect((await stat(cluster)).mode & 0o777).toBe(0o700);
  const wrong = new URL(server.connectionString);
  wrong.password = 'wrong';
  await expect(query(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  await server.stop();
});

test('starts again at the same address with everything committed', async () => {
  const first = await rig.start();
  await query(first.connectionString, 'insert into kept values (1)');
  await first.stop();
  const second = await rig.start();
  expect(second.connectionString).toBe(first.connectionString);
  expect(await query(second.connectionString, 'select * from kept')).toEqual([{ id: 1 }]);
  await second.stop();
});

test('starts elsewhere from a copy of its stopped folder, with everything committed', async () => {
  const copy = `${rig.dataDir}-copy`;
  execFileSync('cp', ['-a', rig.dataDir, copy]);
  try {
    const restored = await startEmbeddedPostgres({ dataDir: copy, log });
    expect(await query(restored.connectionString, 'select * from kept')).toEqual([{ id: 1 }]);
    await restored.stop();
  } finally {
    await rm(copy, { recursive: true });
  }
});

test('allows start and stop to overlap', async () => {
  for (let round = 0; round < 3; round++) {
    const first = await rig.start();
    const [second] = await Promise.all([rig.start(), first.stop()]);
    expect(await query(second.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
    await second.stop();
  }
});

test('refuses the data of another PostgreSQL version, and says what to do', async () => {
  const file = join(rig.dataDir, 'postgres', 'cluster', 'data', 'PG_VERSION');
  const version = await readFile(file, 'utf8');
  await writeFile(file, '12\n');
  await expect(rig.start()).rejects.toThrow(/created by PostgreSQL 12.*pg_upgrade/s);
  await writeFile(file, version);
});
