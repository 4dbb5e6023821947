import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { BUILT_IN_MODELS } from '../../src/compile-models/catalogue.ts';
import { readConfig } from '../../src/config/read-config.ts';
import type { OpenidInForce } from '../../src/console/openid-settings.ts';
import { createOpenidStore } from '../../src/console/tables/openid-store.ts';
import { checkConsole } from '../../src/doctor/console.ts';
import { checkErasure } from '../../src/doctor/erasure.ts';
import { checkLiveness } from '../../src/doctor/liveness.ts';
import { checkPad, describeNetworks } from '../../src/doctor/models.ts';
import { dropOldLog } from '../../src/keys/tables/write-ahead-log.ts';
import { createDatabase } from '../../src/storage/postgres/database.ts';
import { compiledModelsDir } from '../support/compiled-models.ts';
import { useDeployment } from './deployment.ts';

const deployment = useDeployment();
const { diagnose } = deployment;

test('reports a healthy database, store, key and clock as ok, and missing models with the command that makes them', async () => {
  const found = await diagnose();
  for (const name of [
    'configuration',
    'ffmpeg',
    'decoder',
    'picture decoder',
    'liveness',
    'database',
    'asset store',
    'master key',
    'clock',
    'erasure',
  ]) {
    expect(found[name], name).toMatchObject({ status: expect.stringMatching(/^(ok|warning)$/) });
  }
  expect(found.models).toMatchObject({
    status: 'failed',
    mend: 'npm run setup',
    detail: expect.stringContaining(join(deployment.dataDir, 'no-models')),
  });
});

test('describes what people are asked to do, and warns of a single kind of movement', () => {
  const found = (environment: Record<string, string>) => checkLiveness(readConfig(environment));
  expect(found({})).toEqual({
    status: 'ok',
    detail: 'standard: neutral, smile, target; prompts just in time: observe',
  });
  expect(found({ LIVENESS_PROMPTS: 'neutral,smile' })).toMatchObject({
    status: 'warning',
    mend: expect.stringContaining('target'),
  });
  for (const prompts of ['neutral,smile,target', 'neutral'])
    expect(found({ LIVENESS_PROMPTS: prompts }).status).toBe('ok');
});

test('lists every network with what is published about it, and does not report a disabled PAD network as ok', async () => {
  const modelsDir = await compiledModelsDir();
  const on = { ...readConfig({}), modelsDir };
  const lines = await describeNetworks(on);
  expect(lines.map(({ name }) => name)).toEqual(BUILT_IN_MODELS.map(({ source }) => source.id));
  expect(lines.find(({ name }) => name === 'minifasnet')!.detail).toMatch(
    /SHA-256 afa783b7[0-9a-f]{56}; code: MIT .*; trained on: not stated/,
  );
  expect(await checkPad(on)).toMatchObject({
    status: 'ok',
    detail: expect.stringMatching(
      /^minifasnet, live from 0\.5, gates spoof_result: .*trained on: not stated$/,
    ),
  });
  const off = { ...readConfig({ PAD_PACK: 'none' }), modelsDir };
  expect(await checkPad(off)).toMatchObject({
    status: 'notEvaluated',
    detail: expect.stringMatching(/^off/),
  });
});

test('says how people sign in to the console, and warns of a password alone in production', async () => {
  const { database } = deployment;
  const found = (environment: Record<string, string>) => checkConsole(readConfig(environment), database);
  const production = {
    MODE: 'production',
    BASE_URL: 'https://faces.example',
    MASTER_KEY: randomBytes(32).toString('base64'),
  };
  const password = { ...production, CONSOLE_PASSWORD: 'x'.repeat(12) };
  const guarded = {
    ...password,
    CONSOLE_TOTP_SECRET: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    CONSOLE_PORT: '8081',
  };
  expect((await diagnose()).console).toEqual({ status: 'ok', detail: 'off: no password, no OpenID Connect' });
  expect(await found(password)).toMatchObject({
    status: 'warning',
    detail: 'at https://faces.example/console, with a password only',
    mend: expect.stringContaining('new-totp-secret'),
  });
  expect(await found(guarded)).toEqual({
    status: 'ok',
    detail: 'at 127.0.0.1:8081, with a second factor',
  });
  await createOpenidStore(database.db).replace({ id: 'oid_1' } as OpenidInForce, Buffer.of(1), 'test');
  const byOpenid = 'at https://faces.example/console, by OpenID Connect';
  expect(await found(production)).toEqual({ status: 'ok', detail: byOpenid });
  expect(await found(password)).toMatchObject({
    status: 'warning',
    detail: `${byOpenid}, with a password only`,
  });
  expect(await checkConsole(readConfig(production), undefined)).toMatchObject({ status: 'notEvaluated' });
});

test('names what delays the end of an erasure, and what to do', async () => {
  expect((await diagnose()).erasure).toEqual({
    status: 'ok',
    detail: 'erased keys are off the disk within a minute; none waits',
  });
  const { db } = deployment.database;
  const noted = (secondsAgo: number) =>
    db
      .insertInto('key_erasure')
      .values({ bucket: 3, due_at: new Date(Date.now() - secondsAgo * 1_000) })
      .execute();
  // Retention leaves some for later: they are not due yet.
  await noted(-500);
  await noted(9.5);
  expect(await checkErasure(deployment.database)).toEqual({
    status: 'ok',
    detail: expect.stringMatching(/the oldest that waits has waited for \d\d s/),
  });
  await noted(600);
  expect(await checkErasure(deployment.database)).toMatchObject({
    status: 'warning',
    detail: expect.stringMatching(/more than a minute.*waited for 6\d\d s/),
    mend: expect.stringContaining('pg_stat_activity'),
  });
  await db.deleteFrom('key_erasure').execute();
});

test('tells a user without rights on the log which grants give the guarantee, and they do', async () => {
  const url = new URL(deployment.database.url);
  const user = `plain_${randomBytes(4).toString('hex')}`;
  const admin = new pg.Client({ connectionString: deployment.database.url });
  await admin.connect();
  try {
    await admin.query(`create role ${user} login password 'plain'`);
    await admin.query(`grant all on all tables in schema public to ${user}`);
    const asUser = Object.assign(new URL(url), { username: user, password: 'plain' });
    const db = createDatabase(asUser.href);
    const facts = async () => (await checkErasure({ db })).detail;
    expect(await facts()).toContain('may not drop the write-ahead log');
    expect(await dropOldLog(db)).toBe('notPermitted');
    await admin.query(`grant pg_checkpoint, pg_monitor to ${user}`);
    await admin.query(`grant execute on function pg_switch_wal() to ${user}`);
    expect(await facts()).toBe('erased keys are off the disk within a minute; none waits');
    expect(await dropOldLog(db)).toBe('dropped');
    await db.destroy();
  } finally {
    await admin.query(`drop owned by ${user}`);
    await admin.query(`drop role ${user}`);
    await admin.end();
  }
});

test('detects another master key', async () => {
  const found = await diagnose({ MASTER_KEY: randomBytes(32).toString('base64') });
  expect(found['master key']).toMatchObject({
    status: 'failed',
    mend: expect.stringContaining('MASTER_KEY'),
  });
});

test('does not evaluate what depends on a database that is unavailable, and never reports it as ok', async () => {
  const url = Object.assign(new URL(deployment.database.url), { port: '1' });
  const found = await diagnose({ DATABASE_URL: url.href });
  expect(found.database).toMatchObject({ status: 'failed', mend: expect.stringContaining('DATABASE_URL') });
  expect(found['master key']?.status).toBe('notEvaluated');
  expect(found.clock?.status).toBe('notEvaluated');
});

test('names a folder that cannot be written and a wrong variable', async () => {
  expect((await diagnose({ DATA_DIR: '/dev/null/x' }))['asset store']).toMatchObject({ status: 'failed' });
  const found = await diagnose({ PORT: 'ninety' });
  expect(found.configuration).toMatchObject({ status: 'failed', detail: expect.stringContaining('PORT') });
});
