// What it costs to get one erased key off the disk, by the number of keys that are kept: its bucket is rewritten, whole.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { createLogger } from '../../src/base/log.ts';
import { createDatabase, type Database } from '../../src/storage/postgres/database.ts';
import { AT_ONCE, type KeyFamily, noteErasure } from '../../src/storage/postgres/key-buckets.ts';
import { createKeyShredder } from '../../src/storage/postgres/key-shredder.ts';
import { migrateDatabase } from '../../src/storage/postgres/migrate.ts';
import { median, type Section } from '../report.ts';

const KEPT = [1_000, 100_000, 1_000_000] as const;
const ERASURES = 9;
/** Buckets of each family, and how a key's row is made up. */
const FAMILIES: readonly (readonly [family: KeyFamily, buckets: number, columns: string, row: string])[] = [
  ['challenge', 32, 'challenge_id, details_key, video_key, reference_tag', 'id, key, key, key'],
  ['featid', 16, 'featid_id, template_key', 'id, key'],
];

/** In a database of its own on this server. */
export async function measureShredding(serverUrl: string): Promise<Section> {
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
    for (const kept of KEPT) {
      await fill(db, filled, kept);
      filled = kept;
      for (const [family, buckets] of FAMILIES) rows.push(await timeErasures(db, family, buckets, kept));
    }
  } finally {
    await db.destroy();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
  return {
    title: 'One erased key, by the number of keys kept',
    method: `Milliseconds until the bytes of one deleted key are off the disk (bucket rewritten and cut off, write-ahead log switched, checkpoint), without the request around it; ${ERASURES} times each, with a bucket of its own. The tables of keys are filled, no others.`,
    columns: ['keys of', 'kept', 'in a bucket', 'median ms', 'min', 'max'],
    rows,
    notes: ['The cost of a bucket grows with the table: it is not bounded yet.'],
  };
}

async function fill(db: Database, from: number, to: number): Promise<void> {
  for (const [family, buckets, columns, row] of FAMILIES) {
    await sql`insert into ${sql.table(`${family}_key`)} (slot, ${sql.raw(columns)})
      select 2 * (n % ${buckets}) + side, ${sql.raw(row)}
      from (select n, md5(n::text) as id, sha256(n::text::bytea) as key from generate_series(${from + 1}::int, ${to}::int) n) given
      join key_bucket b on b.family = ${family} and b.bucket = n % ${buckets}`.execute(db);
  }
  await sql`checkpoint`.execute(db);
}

async function timeErasures(
  db: Database,
  family: KeyFamily,
  buckets: number,
  kept: number,
): Promise<string[]> {
  const shredder = createKeyShredder(db, createLogger({ level: 'warn', process: 'bench' }));
  const times: number[] = [];
  // One of the newest in each bucket, which no smaller filling has deleted.
  const newest = (Math.floor(kept / buckets) - 1) * buckets;
  for (let bucket = 0; bucket < ERASURES; bucket++) {
    await db.transaction().execute(async (trx) => {
      await noteErasure(trx, family, [bucket], AT_ONCE);
      await sql`delete from ${sql.table(`${family}_key`)} where slot in (${2 * bucket}, ${2 * bucket + 1})
        and ${sql.ref(`${family}_id`)} = md5(${String(newest + bucket)}::text)`.execute(trx);
    });
    const from = performance.now();
    await shredder.shred('due');
    times.push(performance.now() - from);
    // The shredder rests as long as it worked.
    await new Promise((done) => setTimeout(done, times.at(-1)!));
  }
  const figures = [median(times), Math.min(...times), Math.max(...times)];
  return [
    family === 'challenge' ? 'challenges' : 'FeatureIDs',
    kept.toLocaleString('en'),
    Math.round(kept / buckets).toLocaleString('en'),
    ...figures.map((ms) => ms.toFixed(0)),
  ];
}
