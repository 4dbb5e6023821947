// The list of erasures, replayed on a database that does not contain them, as after a restore.
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { erasuresCommand } from '../../../src/cli/erasures.ts';
import type { Foundation } from '../../../src/composition/foundation.ts';
import { composeServices } from '../../../src/composition/services.ts';
import { withFoundation } from '../../../src/composition/with-foundation.ts';
import { createSubjectStore } from '../../../src/oidc/tables/subjects.ts';
import { createPasskeyStore, insertPasskey } from '../../../src/passkeys/tables/store.ts';
import { createDeployment, runCommand, type TestDeployment } from '../../support/command-line.ts';

let deployment: TestDeployment;
beforeAll(async () => {
  deployment = await createDeployment();
});
afterAll(async () => {
  await deployment?.remove();
});

const run = (...args: string[]) => runCommand([erasuresCommand()], ['erasures', ...args]);

/**
 * Somebody whom an OpenID client knows by a FeatureID of another account. The id contains every kind of character
 * allowed.
 */
async function addPerson({ database }: Foundation, accountId: string): Promise<string> {
  const { db } = database;
  const id = 'Az09-_'.padEnd(22, 'x');
  await db
    .insertInto('oidc_client')
    .values({ id: 'oc_1', account_id: accountId, name: 'rp', settings: '{}', secret_hash: null })
    .execute();
  const none = Buffer.alloc(0);
  const featid = {
    id: 'f1',
    account_id: accountId,
    challenge_id: null,
    source: 'image',
    pack: 'p',
    layout: 1,
  } as const;
  await db
    .insertInto('featid')
    .values({ ...featid, sealed_template: none, key_check: none })
    .execute();
  const place = { id, accountId, clientId: 'oc_1', featidId: 'f1', isEnrolledHere: false };
  const sealed = { hintTag: none, sealedFeatid: none, erasureKey: Buffer.alloc(32) };
  expect(await createSubjectStore(db).insert({ ...place, ...sealed }, 'test')).toBe('inserted');
  return id;
}

/** A device of that FeatureID. */
async function addDevice({ database }: Foundation, accountId: string): Promise<string> {
  const id = newId('device');
  const sealed = { sealedPasskey: Buffer.alloc(0), erasureKey: Buffer.alloc(32) };
  const added = await database.db
    .transaction()
    .execute((trx) => insertPasskey(trx, 'f1', { id, accountId, signCount: 0, ...sealed }));
  expect(added).toBe(true);
  return id;
}

test('replays the erasures made after a backup once the backup is restored', async () => {
  const made = await withFoundation(async (foundation) => {
    const account = await foundation.accounts.create({ name: 'shop' }, 'test');
    if (account.status !== 'created') throw new Error(account.status);
    const { accountId } = account;
    const services = composeServices(foundation);
    const caller = { accountId, actor: 'test', sandbox: false };
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      const outcome = await services.challenges.create(caller, { body: { liveness_only: true } });
      if (outcome.status === 'created') ids.push(outcome.response.challenge_id);
    }
    await services.close();
    const personId = await addPerson(foundation, accountId);
    return { caller, ids, personId, deviceId: await addDevice(foundation, accountId) };
  });
  // The backup: a copy of the database as it is now.
  const url = new URL(deployment.database.url);
  const restored = Object.assign(new URL(url), { pathname: `/restored_${randomBytes(4).toString('hex')}` });
  const admin = new pg.Client({
    connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href,
  });
  await admin.connect();
  await deployment.database.db.destroy();
  await admin.query(`create database ${restored.pathname.slice(1)} template ${url.pathname.slice(1)}`);
  try {
    await withFoundation(async (foundation) => {
      const services = composeServices(foundation);
      await services.challenges.erase(made.caller, made.ids[0]!);
      await services.challenges.erase(made.caller, made.ids[1]!);
      await services.close();
      const { db } = foundation.database;
      await createSubjectStore(db).erase(made.personId, 'test');
      await createPasskeyStore(db).erase(made.caller.accountId, made.deviceId, 'test');
    });
    const list = await run('list');
    expect(
      list
        .trim()
        .split('\n')
        .map((line) => line.split(' ').slice(1)),
    ).toEqual([
      ...made.ids.slice(0, 2).map((id) => ['challenge.erased', made.caller.accountId, id]),
      ['oidc_subject.erased', made.caller.accountId, made.personId],
      ['device.erased', made.caller.accountId, made.deviceId],
    ]);
    expect(await run('list', '--since', '2100-01-01T00:00:00Z')).toBe('');
    const file = join(deployment.dataDir, 'erasures.txt');
    await writeFile(file, list);

    vi.stubEnv('DATABASE_URL', restored.href);
    expect(JSON.parse(await run('replay', file, '--json'))).toEqual({ named: 4, erased: 4, waiting: 0 });
    expect(JSON.parse(await run('replay', file, '--json'))).toEqual({ named: 4, erased: 0, waiting: 0 });
    const left = await withFoundation(({ database }) =>
      database.db.selectFrom('challenge').select('id').execute(),
    );
    expect(left).toEqual([{ id: made.ids[2] }]);
    const known = await withFoundation(({ database }) =>
      database.db.selectFrom('oidc_subject').select('id').execute(),
    );
    expect(known).toEqual([]);
    const devices = await withFoundation(({ database }) =>
      database.db.selectFrom('passkey').select('id').execute(),
    );
    expect(devices).toEqual([]);
  } finally {
    vi.stubEnv('DATABASE_URL', url.href);
    await admin.query(`drop database ${restored.pathname.slice(1)} with (force)`);
    await admin.end();
  }
});

test('refuses a file that is not a list of erasures before it does anything', async () => {
  const file = join(deployment.dataDir, 'other.txt');
  await writeFile(file, '\n2026-01-01T00:00:00Z challenge.read acct_00000000000000000000000000 ch_x\n');
  await expect(run('replay', file)).rejects.toThrow('line 2');
  await expect(run('list', '--since', 'yesterday')).rejects.toThrow('a time such as');
});
