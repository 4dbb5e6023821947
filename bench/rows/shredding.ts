// Measures what it costs to get one erased key off the disk, by the number of stored keys: its bucket, which holds a
// bounded number of them, is rewritten as a whole. Also what a search by a reference costs, which looks into all
// buckets.
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { createLogger } from '../../src/base/log.ts';
import { createDatabase, type Database } from '../../src/storage/postgres/database.ts';
import { balanceKeyBuckets } from '../../src/storage/postgres/keys/bucket-sizes.ts';
import { AT_ONCE, type KeyFamily, markKeysErased } from '../../src/storage/postgres/keys/buckets.ts';
import { findTagged } from '../../src/storage/postgres/keys/challenge-keys.ts';
import { createKeyShredder } from '../../src/storage/postgres/keys/shredder.ts';
import { migrateDatabase } from '../../src/storage/postgres/migrate.ts';
import { median, type Section } from '../report.ts';

const ERASURES = 9;
/** The bases of each family, and how a key's row is made up; ids of challenges rise, those of FeatureIDs do not. */
const FAMILIES: readonly (readonly [
  family: KeyFamily,
  bases: number,
  columns: string,
  id: string,
  keys: string,
])[] = [
  [
    'challenge',
    32,
    'challenge_id, details_key, video_key, reference_tag',
    `'ch_' || lpad(n::text, 26, '0')`,
    'key, key, key',
  ],
  ['featid', 16, 'featid_id, template_key', 'md5(n::text)', 'key'],
];

/** Measures in a separate database on this server. */
export async function measureShredding(
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
      for (const [family, bases] of FAMILIES) {
        rows.push(await timeErasures(db, family, bases, kept));
        report(`erasure: ${rows.at(-1)!.join(' · ')}`);
      }
    }
  } finally {
    await db.destroy();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
  return {
    title: 'One erased key, by the number of keys kept',
    method: `Milliseconds until the bytes of one deleted key are off the disk (bucket rewritten and cut off, write-ahead log switched, checkpoint), without the request around it; ${ERASURES} times each, with a bucket of its own. Then a search by a reference that one challenge has, on a connection that has searched before. Only the key tables are filled.`,
    columns: [
      'keys of',
      'kept',
      'buckets',
      'in the largest',
      'median ms',
      'min',
      'max',
      'search ms (median)',
    ],
    rows,
  };
}

/** Fills a tenth at a time, because buckets are split while they fill. */
async function fill(db: Database, from: number, to: number): Promise<void> {
  const shredder = createKeyShredder(db, createLogger({ level: 'warn', process: 'bench' }));
  const step = Math.max(to / 10, 1_000);
  for (let at = from; at < to; at += step) {
    for (const [family, bases, columns, id, keys] of FAMILIES) {
      await sql`insert into ${sql.table(`${family}_key`)} (slot, ${sql.raw(columns)})
        select s.slot, s.id, ${sql.raw(keys)}
        from (select n, sha256(n::text::bytea) as key from generate_series(${at + 1}::int, ${Math.min(at + step, to)}::int) n) given
        cross join (select array_agg(${sql.raw(id)}) as ids, array_agg((n % ${bases})::smallint) as bases
          from generate_series(${at + 1}::int, ${Math.min(at + step, to)}::int) n) filled
        join key_slots(${family}, filled.ids, filled.bases) s on s.id = ${sql.raw(id)}`.execute(db);
    }
    while ((await balanceKeyBuckets(db)) > 0) await shredder.shred('due');
  }
  await sql`checkpoint`.execute(db);
}

async function timeErasures(db: Database, family: KeyFamily, bases: number, kept: number): Promise<string[]> {
  const shredder = createKeyShredder(db, createLogger({ level: 'warn', process: 'bench' }));
  const times: number[] = [];
  // Spread over all stored keys, at most one per base.
  for (let round = 0; round < ERASURES; round++) {
    const n = Math.floor((kept * (round + 1)) / (ERASURES + 1) / bases) * bases + round;
    const id = family === 'challenge' ? `ch_${String(n).padStart(26, '0')}` : md5(String(n));
    await db.transaction().execute(async (trx) => {
      for (const { slots, ids } of await markKeysErased(trx, family, [{ id, base: n % bases }], AT_ONCE)) {
        await sql`delete from ${sql.table(`${family}_key`)} where slot = any(${slots}::smallint[])
          and ${sql.ref(`${family}_id`)} = any(${ids}::text[])`.execute(trx);
      }
    });
    const from = performance.now();
    await shredder.shred('due');
    times.push(performance.now() - from);
    // The shredder rests for as long as it has worked.
    await delay(times.at(-1)!);
  }
  const { rows } = await sql<{ buckets: number; most: number }>`
    select count(*)::int as buckets,
      max((select count(*) from ${sql.table(`${family}_key`)} where slot in (2 * bucket, 2 * bucket + 1)))::int as most
    from key_bucket where family = ${family} and base is not null`.execute(db);
  return [
    family === 'challenge' ? 'challenges' : 'FeatureIDs',
    ...[kept, rows[0]!.buckets, rows[0]!.most].map((count) => count.toLocaleString('en')),
    ...[median(times), Math.min(...times), Math.max(...times)].map((ms) => ms.toFixed(0)),
    family === 'challenge' ? (await timeSearch(db, kept)).toFixed(1) : '',
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

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
