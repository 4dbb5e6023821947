// Measures what an erasure costs: DELETE by the number of stored challenges, creates while others are erased, and a
// search by customer_reference among the challenges of one account.
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { newId } from '../src/base/ids.ts';
import { createLogger } from '../src/base/log.ts';
import type { SealedRequest } from '../src/challenge/challenge.ts';
import { sealRequest, tagOfReference } from '../src/challenge/seals.ts';
import { openFoundation } from '../src/composition/foundation.ts';
import { readConfig } from '../src/config/read-config.ts';
import type { AccountKeys } from '../src/keys/account-keys.ts';
import { insertErasureKeys } from '../src/keys/tables/erasure-keys.ts';
import type { Database } from '../src/storage/postgres/database.ts';
import { startService } from '../test/support/running-service.ts';
import { PLAIN_REQUEST } from '../test/support/seed-challenges.ts';
import { load } from './creates.ts';
import { median, type Section } from './report.ts';

interface Service {
  readonly url: string;
  readonly apiKey: string;
}

/** Stored challenges, spread evenly over the buckets. */
const KEPT = [10_000, 100_000] as const;
const DELETES = 15;
const SEED_BATCH = 10_000;
const REFERENCES = 1_000;
const CREATE_SECONDS = 6;

/** Measures all tables. Leaves its rows behind, so run it last. */
export async function measureErasure(environment: Record<string, string>): Promise<Section[]> {
  const running = await startService({ dataDir: environment.DATA_DIR!, environment });
  const log = createLogger({ level: 'warn', process: 'bench' });
  const foundation = await openFoundation(readConfig(environment), log);
  const service = { url: running.url, apiKey: running.credentials.api_key };
  try {
    const { database, keys, accounts } = foundation;
    const { id: accountId } = (await accounts.list()).find(({ sandboxOf }) => sandboxOf === null)!;
    const rows: string[][] = [];
    let kept = 0;
    for (const count of KEPT) {
      await seed(database.db, keys, accountId, kept, count);
      kept = count;
      rows.push(await timeDeletes(service, database.db, count));
    }
    return [
      deletesSection(rows),
      await measureCreates(service),
      await measureSearch(service, database.db, accountId),
    ];
  } finally {
    await foundation.close();
    await running.stop();
  }
}

/**
 * Inserts challenge rows as the service stores them, with keys spread over all buckets; each is sealed under its own
 * keys.
 */
async function seed(
  db: Database,
  keys: AccountKeys,
  accountId: string,
  from: number,
  to: number,
): Promise<void> {
  const tags = await Promise.all(
    Array.from({ length: REFERENCES }, (_, at) => tagOfReference(keys, accountId, `customer-${at}`)),
  );
  for (let at = from; at < to; at += SEED_BATCH) {
    const rows = await Promise.all(
      Array.from({ length: SEED_BATCH }, async (_, offset) => {
        const place = {
          id: idOfHour(at + offset),
          accountId,
          detailsKey: randomBytes(32),
          videoKey: randomBytes(32),
        };
        const request: SealedRequest = {
          ...PLAIN_REQUEST,
          customer_reference: `customer-${(at + offset) % REFERENCES}`,
        };
        return {
          ...place,
          sealed: await sealRequest(keys, place, request),
          tag: tags[(at + offset) % REFERENCES]!,
        };
      }),
    );
    await insertErasureKeys(
      db,
      rows.map(({ id, detailsKey, videoKey, tag }) => ({ id, key: detailsKey, videoKey, referenceTag: tag })),
    );
    await sql`
      insert into challenge (id, account_id, status, closed_reason, closed_at, public_request,
        sealed_request, link_hash, expires_at)
      select id, ${accountId}, 'expired', 'expired', now(),
        '{"liveness_only": true, "require_consent": false}', sealed, sha256(id::bytea), now()
      from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ sealed }) => sealed)}::bytea[]) as given (id, sealed)`.execute(
      db,
    );
  }
  await sql`vacuum analyze challenge`.execute(db);
}

/** An id from some hour in the past: buckets follow the time in the id. */
function idOfHour(index: number): string {
  const hour = BigInt(Math.floor(Date.now() / 3_600_000) - (index % 2_000)) * 3_600_000n;
  let value = (hour << 80n) | BigInt(`0x${randomBytes(10).toString('hex')}`);
  let digits = '';
  for (let at = 0; at < 26; at++) {
    digits = '0123456789abcdefghjkmnpqrstvwxyz'[Number(value & 31n)]! + digits;
    value >>= 5n;
  }
  return `${newId('challenge').slice(0, 3)}${digits}`;
}

async function timeDeletes(service: Service, db: Database, kept: number): Promise<string[]> {
  const times: number[] = [];
  for (let round = 0; round < DELETES; round++) {
    const id = await create(service);
    const from = performance.now();
    const answer = await ask(service, 'DELETE', `/v1/challenges/${id}`);
    if (answer.status !== 204) throw new Error(`DELETE: ${answer.status}`);
    times.push(performance.now() - from);
  }
  const ids = await Promise.all(Array.from({ length: 100 }, () => create(service)));
  const from = performance.now();
  await Promise.all(ids.map((id) => ask(service, 'DELETE', `/v1/challenges/${id}`)));
  const together = performance.now() - from;
  while ((await db.selectFrom('key_erasure').select('id').limit(1).execute()).length > 0) await delay(100);
  const goneMs = performance.now() - from - together;
  return [
    kept.toLocaleString('en'),
    ...[median(times), Math.min(...times), Math.max(...times), together].map((ms) => ms.toFixed(0)),
    (goneMs / 1_000).toFixed(1),
  ];
}

function deletesSection(rows: string[][]): Section {
  return {
    title: 'DELETE of a challenge',
    method: `Milliseconds until the answer; ${DELETES} one after another, then 100 at once, on the embedded PostgreSQL with fsync on. Then the seconds until the bytes of all their keys are off the disk, which the service's own periodic task does.`,
    columns: ['challenges kept', 'median', 'min', 'max', '100 at once, all', 'gone after, s'],
    rows,
  };
}

async function measureCreates(service: Service): Promise<Section> {
  const headers = { authorization: `Basic ${service.apiKey}` };
  const how = { connections: 32, duration: CREATE_SECONDS };
  await load(service.url, headers, how);
  const rates: { alone: number[]; beside: number[]; p99: number[]; erased: number[] } = {
    alone: [],
    beside: [],
    p99: [],
    erased: [],
  };
  for (let round = 0; round < 5; round++) {
    rates.alone.push((await load(service.url, headers, how)).rate);
    let over = false;
    let erased = 0;
    const erasing = (async () => {
      while (!over) {
        await ask(service, 'DELETE', `/v1/challenges/${await create(service)}`);
        erased += 1;
      }
    })();
    const beside = await load(service.url, headers, how);
    over = true;
    await erasing;
    rates.beside.push(beside.rate);
    rates.p99.push(beside.p99Ms);
    rates.erased.push(erased / CREATE_SECONDS);
  }
  const spread = (values: number[], digits = 0) =>
    [median(values), Math.min(...values), Math.max(...values)].map((v) => v.toFixed(digits));
  return {
    title: 'Creates while challenges are erased',
    method: `Creates per second as above, alone and beside one client that creates and erases without a pause, in 5 alternating rounds of ${CREATE_SECONDS} s.`,
    columns: ['', 'median', 'min', 'max'],
    rows: [
      ['alone', ...spread(rates.alone)],
      ['beside erasures', ...spread(rates.beside)],
      [
        'ratio',
        ...spread(
          rates.beside.map((rate, at) => rate / rates.alone[at]!),
          2,
        ),
      ],
      ['p99 beside erasures, ms', ...spread(rates.p99)],
      ['erasures per second', ...spread(rates.erased, 1)],
    ],
  };
}

async function measureSearch(service: Service, db: Database, accountId: string): Promise<Section> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from challenge where account_id = ${accountId}`.execute(db);
  const queries: Record<string, string> = {
    'a page of all': '',
    'by a reference that 100 have': '&customer_reference=customer-7',
    'the same, the page after': '&customer_reference=customer-7&page=2',
    'by a reference that nobody has': '&customer_reference=nobody',
    'by reference and status': '&customer_reference=customer-7&status=completed',
  };
  const table: string[][] = [];
  for (const [name, query] of Object.entries(queries)) {
    const times: number[] = [];
    for (let round = 0; round < 25; round++) {
      let path = `/v1/challenges?limit=20${query.replace('&page=2', '')}`;
      if (query.endsWith('&page=2')) {
        const first = await (await ask(service, 'GET', path)).json();
        path += `&cursor=${first.next_cursor}`;
      }
      const from = performance.now();
      const answer = await ask(service, 'GET', path);
      await answer.json();
      times.push(performance.now() - from);
    }
    table.push([name, ...[median(times), Math.min(...times), Math.max(...times)].map((ms) => ms.toFixed(1))]);
  }
  return {
    title: 'Search by customer_reference',
    method: `GET /v1/challenges of an account with ${rows[0]!.n.toLocaleString('en')} challenges, 20 a page, milliseconds; references are sealed, and found by a tag in the buckets of keys.`,
    columns: ['', 'median', 'min', 'max'],
    rows: table,
  };
}

async function create(service: Service): Promise<string> {
  const answer = await ask(service, 'POST', '/v1/create-challenge', { liveness_only: true });
  return ((await answer.json()) as { challenge_id: string }).challenge_id;
}

function ask(service: Service, method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${service.url}${path}`, {
    method,
    headers: {
      authorization: `Basic ${service.apiKey}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
}
