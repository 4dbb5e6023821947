// Measures what it costs to get one erased key off the disk, by the number of stored keys: its bucket is rewritten as a
// whole. Also what a search by a reference costs, which looks into all buckets of challenges.
import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { createLogger } from '../../src/base/log.ts';
import { CHALLENGE_BUCKETS } from '../../src/keys/erasure-key.ts';
import { findTagged } from '../../src/keys/tables/challenge-keys.ts';
import { rewriteErased } from '../../src/keys/tables/rewrite.ts';
import { createDatabase, type Database } from '../../src/storage/postgres/database.ts';
import { migrateDatabase } from '../../src/storage/postgres/migrate.ts';
import { median, type Section } from '../report.ts';

const ERASURES = 9;
/** How the rows of each kind are made up; ids of challenges rise, those of FeatureIDs do not. */
const KINDS = [
  {
    name: 'challenges',
    firstBucket: 0,
    buckets: CHALLENGE_BUCKETS,
    id: `'ch_' || lpad(n::text, 26, '0')`,
    keys: 'key, key, key',
  },
  {
    name: 'FeatureIDs',
    firstBucket: CHALLENGE_BUCKETS,
    buckets: 16,
    id: 'md5(n::text)',
    keys: 'key, null, null',
  },
] as const;

/** Measures in a separate database on this server. */
export async function measureRewriting(
  serverUrl: string,
  most: number,
  report: (figures: string) => void,
): Promise<Section> {
  const admin = new pg.Client({ connectionString: serverUrl });
  await admin.connect();
  const name = `bench_${randomUUID().slice(0, 8)}`;
  await admin.query(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await migrateDatabase(url.href);
  const db = createDatabase(url.href);
  const rows: string[][] = [];
  try {
    let filled = 0;
    for (const kept of [1_000, 100_000, 1_000_000, 10_000_000].filter((each) => each <= most)) {
      await fill(db, filled, kept);
      filled = kept;
      for (const kind of KINDS) {
        rows.push(await timeRewrites(db, kind, kept));
        report(`rewrite: ${rows.at(-1)!.join(' · ')}`);
      }
    }
  } finally {
    await db.destroy();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
  return {
    title: 'One erased key, by the number of keys kept',
    method: `Milliseconds until the bytes of one deleted key are off the disk, from the moment when the periodic task begins (bucket rewritten, write-ahead log switched, checkpoint); ${ERASURES} times each, with a bucket of its own. Then a search by a reference that one challenge has, on a connection that has searched before. Only the key table is filled.`,
    columns: ['keys of', 'kept', 'in a bucket', 'median ms', 'min', 'max', 'search ms (median)'],
    rows,
  };
}

async function fill(db: Database, from: number, to: number): Promise<void> {
  for (const { firstBucket, buckets, id, keys } of KINDS) {
    await sql`insert into erasure_key (slot, id, key, video_key, reference_tag)
      select 2 * bucket + side, ${sql.raw(id)}, ${sql.raw(keys)}
      from (select n, ${firstBucket} + n % ${buckets} as bucket, sha256(n::text::bytea) as key
        from generate_series(${from + 1}::int, ${to}::int) n) given
      join key_bucket using (bucket)`.execute(db);
  }
  await sql`checkpoint`.execute(db);
}

async function timeRewrites(db: Database, kind: (typeof KINDS)[number], kept: number): Promise<string[]> {
  const log = createLogger({ level: 'warn', process: 'bench' });
  const times: number[] = [];
  for (let round = 0; round < ERASURES; round++) {
    const bucket = kind.firstBucket + round;
    const slots = [2 * bucket, 2 * bucket + 1];
    await sql`delete from erasure_key where slot = any(${slots}::smallint[])
      and id = (select min(id) from erasure_key where slot = any(${slots}::smallint[]))`.execute(db);
    await sql`insert into key_erasure (bucket, due_at) values (${bucket}, now())`.execute(db);
    const from = performance.now();
    const { rewritten } = await rewriteErased(db, 'due', log);
    if (rewritten !== 1) throw new Error('not rewritten');
    times.push(performance.now() - from);
  }
  return [
    kind.name,
    ...[kept, Math.round(kept / kind.buckets)].map((count) => count.toLocaleString('en')),
    ...[median(times), Math.min(...times), Math.max(...times)].map((ms) => ms.toFixed(0)),
    kind.name === 'challenges' ? (await timeSearch(db, kept)).toFixed(1) : '',
  ];
}

/** Keys are derived from their numbers, and a key is its own tag. */
async function timeSearch(db: Database, kept: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round <= ERASURES; round++) {
    const tag = createHash('sha256')
      .update(String(Math.floor(kept / 3) + round))
      .digest();
    const from = performance.now();
    if ((await findTagged(db, [tag])).length !== 1) throw new Error('not found');
    if (round > 0) times.push(performance.now() - from);
  }
  return median(times);
}
