// A hundred thousand strings with a valid checksum that were never issued: none is accepted, and the response time does
// not reveal which part was wrong.
import { randomBytes } from 'node:crypto';
import { encodeToken, fromBase62 } from '../../src/base/checked-token.ts';
import { parseFeatid } from '../../src/featid/featid-text.ts';
import { createFeatids, type Featids } from '../../src/featid/featids.ts';
import { insertFeatid } from '../../src/featid/tables/keys.ts';
import { createFeatidStore } from '../../src/featid/tables/store.ts';
import { createAccountKeys } from '../../src/keys/account-keys.ts';
import { createAccounts } from '../../src/keys/accounts.ts';
import { createMasterKeyRing } from '../../src/keys/master-key-ring.ts';
import { createAccountStore } from '../../src/keys/tables/account-store.ts';
import { createApiKeyStore } from '../../src/keys/tables/api-key-store.ts';
import { createDatabase, type Database } from '../../src/storage/postgres/database.ts';
import { median, type Section } from '../report.ts';
import type { Face } from './lfw-faces.ts';

const FORGERIES = 100_000;
const BATCH = 100;
const TIMED = 3_000;
const FORMAT = { prefix: 'lfid1_', partBytes: [16, 32] };

export async function measureForgeries(faces: readonly Face[], databaseUrl: string): Promise<Section> {
  const db = createDatabase(databaseUrl);
  try {
    const { featids, accountId, texts } = await enrol(db, faces.slice(0, BATCH));
    const accepted = await countAccepted(featids, accountId, texts);
    const times = await timeRefusals(featids, accountId, texts);
    const [unknown, wrongKey] = [median(times.unknownId), median(times.wrongKey)];
    return {
      title: 'Forged strings',
      method: `${FORGERIES.toLocaleString('en')} strings with a valid checksum, a hundred at a time: a third with an existing id and a wrong key, a third with an unknown id, a third with one bit of the key flipped. Then ${TIMED} single refusals of each of two kinds, alternating.`,
      columns: ['', ''],
      rows: [
        ['accepted', `${accepted.ok} of ${accepted.tried.toLocaleString('en')}`],
        ['answers other than featid_unknown', String(accepted.other)],
        ['unknown id, ms: median, fastest tenth', `${unknown.toFixed(3)}, ${fastest(times.unknownId)}`],
        ['known id, wrong key, ms', `${wrongKey.toFixed(3)}, ${fastest(times.wrongKey)}`],
        [
          'probability that one takes longer than the other (0.5: indistinguishable)',
          longerShare(times.wrongKey, times.unknownId).toFixed(3),
        ],
      ],
    };
  } finally {
    await db.destroy();
  }
}

async function enrol(db: Database, faces: readonly Face[]) {
  const masterKeys = createMasterKeyRing([randomBytes(32)]);
  const accountStore = createAccountStore(db);
  const accounts = createAccounts({ accounts: accountStore, apiKeys: createApiKeyStore(db), masterKeys });
  const account = await accounts.create({ name: `forged ${randomBytes(6).toString('hex')}` }, 'operator');
  if (account.status !== 'created') throw new Error(account.status);
  const { accountId } = account;
  const featids = createFeatids({
    keys: createAccountKeys({ masterKeys, store: accountStore }),
    store: createFeatidStore(db),
    region: 'au',
    usablePacks: faces.map(({ template }) => template.packId),
  });
  const made = await Promise.all(
    faces.map(({ template }) => featids.create({ accountId, challengeId: null, template })),
  );
  for (const { row } of made) await db.transaction().execute((trx) => insertFeatid(trx, row));
  return { featids, accountId, texts: made.map(({ featid }) => featid) };
}

async function countAccepted(featids: Featids, accountId: string, texts: readonly string[]) {
  const found = { tried: 0, ok: 0, other: 0 };
  while (found.tried < FORGERIES) {
    const forged = Array.from({ length: BATCH }, (_, index) =>
      forge(texts[index % texts.length]!, (found.tried + index) % 3),
    );
    for (const check of await featids.check(accountId, forged)) {
      if (check.ok) found.ok++;
      else if (check.code !== 'featid_unknown') found.other++;
    }
    found.tried += BATCH;
  }
  return found;
}

async function timeRefusals(featids: Featids, accountId: string, texts: readonly string[]) {
  const times = { unknownId: [] as number[], wrongKey: [] as number[] };
  for (let round = -200; round < TIMED; round++) {
    const text = texts[(round + 200) % texts.length]!;
    const forged = { wrongKey: forge(text, 0), unknownId: forge(text, 1) };
    // The second of two finds warmer caches, so each kind comes second every other time.
    const kinds = round % 2 ? (['wrongKey', 'unknownId'] as const) : (['unknownId', 'wrongKey'] as const);
    for (const kind of kinds) {
      const from = performance.now();
      await featids.check(accountId, [forged[kind]]);
      if (round >= 0) times[kind].push(performance.now() - from);
    }
  }
  return times;
}

function forge(text: string, kind: number): string {
  const { id, key } = parseFeatid(text)!;
  const idBytes = fromBase62(id, 16)!;
  if (kind === 0) return encodeToken(FORMAT, [idBytes, randomBytes(32)]);
  if (kind === 1) return encodeToken(FORMAT, [randomBytes(16), randomBytes(32)]);
  const turned = Buffer.from(key);
  const bit = randomBytes(1)[0]!;
  turned[bit >> 3]! ^= 1 << (bit & 7);
  return encodeToken(FORMAT, [idBytes, turned]);
}

const fastest = (times: readonly number[]): string =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length / 10)]!.toFixed(3);

/** Probability that a value from one list is above a value from the other. */
function longerShare(ones: readonly number[], others: readonly number[]): number {
  const sorted = [...others].sort((a, b) => a - b);
  let sum = 0;
  for (const one of ones) {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]! < one) low = middle + 1;
      else high = middle;
    }
    sum += low / sorted.length;
  }
  return sum / ones.length;
}
