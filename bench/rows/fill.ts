// Fills a database with rows as wide as the service writes, in plain SQL: challenges over ninety days with everything that
// depends on them, and FeatureIDs.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { KEY_BYTES } from '../../src/keys/master-key-ring.ts';
import { openMasterKeys } from '../../src/keys/master-key-source.ts';

const ACCOUNTS = 20;

/** Ids like the service's: a prefix and 26 characters that sort by time; they rise with `n`. */
const id = (prefix: string, n: string) => `'${prefix}_' || lpad(to_hex(${n}), 26, '0')`;

const OPEN = 'n > :rows - :rows / 1000';
/** 62 % are completed, 30 % expired, 8 % cancelled; one in a thousand, the newest, is open. */
const STATUS = `case when ${OPEN} then 'created' when n % 100 < 62 then 'completed' when n % 100 < 92 then 'expired' else 'cancelled' end`;
const AT = `now() - interval '90 days' * (1 - n / (:rows + 1)::float8)`;
const ACCOUNT = `'acct_' || lpad((n % ${ACCOUNTS} * (n % 3) / 2)::text, 26, '0')`;
const COMPLETED = `n % 100 < 62 and not (${OPEN})`;
const NS = 'from generate_series(1::bigint, :rows) n';

/** One statement per table, ordered so that none refers to a later one. `:rows` is the number of challenges. */
const TABLES: readonly (readonly [name: string, sql: string])[] = [
  [
    'account',
    `insert into account (id, name, display_name, wrapped_key, master_key_id)
    select 'acct_' || lpad(n::text, 26, '0'), 'account ' || n, 'Account', '', 'k' from generate_series(0, ${ACCOUNTS}) n`,
  ],
  [
    'challenge',
    `insert into challenge (id, account_id, status, closed_reason, public_request, sealed_request, link_hash,
      overall_result, sealed_result, created_at, initiated_at, expires_at, closed_at)
    select ${id('ch', 'n')}, ${ACCOUNT}, status, case when status <> 'created' then status end,
      '{"liveness_only": true, "require_consent": true}', sha256(n::text::bytea) || sha256(n::text::bytea), sha256(n::text::bytea),
      case when status = 'completed' then case when n % 10 = 0 then 'fail' else 'pass' end end,
      case when status = 'completed' then decode(repeat(md5(n::text), 20), 'hex') end,
      at, at, case when status = 'created' then now() + interval '1 day' else at + interval '1 day' end,
      case when status <> 'created' then at + interval '1 minute' end
    from (select n, ${STATUS} as status, ${AT} as at ${NS}) row`,
  ],
  [
    'erasure_key',
    `insert into erasure_key (slot, id, key, video_key, reference_tag)
    select 2 * (n / :rows_an_hour % 61), ${id('ch', 'n')}, sha256(n::text::bytea), null, substr(sha256((n / 3)::text::bytea), 1, 32) ${NS}`,
  ],
  [
    'challenge_event',
    `insert into challenge_event (challenge_id, name, at)
    select ${id('ch', 'n')}, name, ${AT} ${NS}, unnest(array['challenge_created', 'challenge_opened', 'challenge_closed']) name`,
  ],
  [
    'capture',
    `insert into capture (id, challenge_id, account_id, attempt, state, level, script, performed_script, issued_at,
      commit_deadline, committed_at, upload_deadline, size_bytes, received_bytes, submitted_at)
    select ${id('cap', 'n')}, ${id('ch', 'n')}, ${ACCOUNT}, 1, 'judged', 'standard', '[]', '[]', ${AT}, ${AT}, ${AT}, ${AT}, 1000000, 1000000,
      ${AT} + interval '1 minute' - (n % 7) * interval '1 second' ${NS} where ${COMPLETED}`,
  ],
  [
    'asset',
    `insert into asset (id, account_id, challenge_id, kind, mime_type, size_bytes, sealed_key, created_at, delete_after)
    select ${id('ast', "2 * n + (kind = 'best_frame')::int")}, ${ACCOUNT}, ${id('ch', 'n')}, kind, 'video/webm', 1000000, sha256(n::text::bytea), ${AT},
      ${AT} + interval '30 days' ${NS}, unnest(array['liveness_video', 'best_frame']) kind
    where ${COMPLETED} and n > :rows * 2 / 3 + :rows / 500`,
  ],
  [
    'delivery',
    `insert into delivery (id, account_id, challenge_id, event, endpoint_index, sealed_endpoint, endpoint_hash, address_hash, status,
      attempts, schedule_step, created_at, finished_at)
    select ${id('msg', 'n')}, ${ACCOUNT}, ${id('ch', 'n')}, case when status = 'completed' then 'complete' else 'expired' end, 0,
      decode(repeat(md5(n::text), 10), 'hex'), sha256((n % 60)::text::bytea), sha256((n % 600)::text::bytea), case when n % 500 = 0 then 'failed' else 'delivered' end,
      1, 1, at, at from (select n, ${STATUS} as status, ${AT} as at ${NS}) row where status in ('completed', 'expired')`,
  ],
  [
    'delivery_attempt',
    `insert into delivery_attempt (delivery_id, at, duration_ms, response_status, outcome)
    select id, created_at, 20 + length(id) * attempts, 204, case when status = 'failed' then 'timeout' else 'delivered' end from delivery`,
  ],
  [
    'featid',
    `insert into featid (id, account_id, challenge_id, source, pack, layout, sealed_template, created_at, last_used_at, revoked_at, key_check)
    select md5(n::text), ${ACCOUNT}, ${id('ch', 'n')}, 'liveness_video', 'pack', 1, case when n % 50 <> 0 then sha256(n::text::bytea) end, ${AT}, ${AT},
      case when n % 50 = 0 then ${AT} end, sha256(n::text::bytea) ${NS.replace(':rows', ':featids')}`,
  ],
  [
    'erasure_key',
    `insert into erasure_key (slot, id, key)
    select 2 * (61 + n % 16), md5(n::text), sha256(n::text::bytea) ${NS.replace(':rows', ':featids')} where n % 50 <> 0`,
  ],
  [
    'frame_print',
    `insert into frame_print (capture_id, print, committed_at)
    select ${id('cap', 'n')}, substr(sha256((n * 24 + frame)::text::bytea), 1, 16), ${AT} ${NS}, generate_series(1, 24) frame
    where ${COMPLETED} and n > :rows - :rows / 12`,
  ],
  [
    'audit',
    `insert into audit (at, actor, action, account_id, subject)
    select ${AT}, 'key', 'challenge.created', ${ACCOUNT}, ${id('ch', 'n')} ${NS}`,
  ],
];

/** Fills every table; `report` receives each with the seconds that it took. */
export async function fill(
  connectionString: string,
  { challenges, featids, masterKey }: { challenges: number; featids: number; masterKey: string },
  report: (table: string, seconds: number) => void,
): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    // No triggers and no foreign key checks: the rows are consistent by construction.
    await client.query(`set session_replication_role = replica; set synchronous_commit = off`);
    await client.query(`set maintenance_work_mem = '1GB'`);
    for (const [table, text] of TABLES) {
      const from = performance.now();
      const indexes = await dropIndexes(client, table);
      const bound = text
        .replaceAll(':rows_an_hour', String(Math.ceil(challenges / 2160)))
        .replaceAll(':rows', String(challenges))
        .replaceAll(':featids', String(featids));
      await client.query(bound);
      for (const definition of indexes) await client.query(definition);
      report(table, (performance.now() - from) / 1000);
    }
    await wrapAccountKeys(client, masterKey);
    await client.query('vacuum (analyze)');
  } finally {
    await client.end();
  }
}

/** A service with another master key would not start. */
async function wrapAccountKeys(client: pg.Client, masterKey: string): Promise<void> {
  const keys = await openMasterKeys({ MODE: 'production', MASTER_KEY: masterKey, dataDir: '' });
  const { rows } = await client.query<{ id: string }>('select id from account');
  for (const { id: account } of rows) {
    const { wrapped, masterKeyId } = await keys.wrap(account, randomBytes(KEY_BYTES));
    const text = 'update account set wrapped_key = $2, master_key_id = $3 where id = $1';
    await client.query(text, [account, wrapped, masterKeyId]);
  }
}

/**
 * Drops a table's indexes except those of its constraints, and returns the statements that re-create them: building
 * them at the end is many times faster.
 */
async function dropIndexes(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = $1::regclass and not exists (select 1 from pg_constraint where conindid = indexrelid)`,
    [table],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  // For a partitioned table the definition would name only the parent.
  return rows.map(({ definition }) => definition.replace(' ON ONLY ', ' ON '));
}
