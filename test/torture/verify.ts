// After the load: waits until nothing is left to do, then checks every acknowledged fact against the tables, the disk
// and the API.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { digestOf } from './failing-receiver.ts';
import type { Ledger } from './ledger.ts';
import { NOTIFICATIONS } from './load.ts';

/** One promise, how many items it was checked against, and the violations. */
export interface Check {
  readonly promise: string;
  readonly of: number;
  readonly broken: readonly string[];
}

export interface VerifyOptions {
  readonly ledger: Ledger;
  readonly connectionString: string;
  readonly assetsFolder: string;
  /** The product's own sweep of assets without a row, as if they were old enough. */
  readonly sweepOrphans: () => Promise<number>;
  readonly readResult: (
    challengeId: string,
  ) => Promise<{ status: number; body: Record<string, unknown> } | null>;
  readonly settleWithinMs: number;
}

// biome-ignore lint/suspicious/noExplicitAny: rows of plain statements
type Row = any;
type Query = (text: string) => Promise<Row[]>;

/** Waits until nothing is left to do, then checks everything. */
export async function verify(options: VerifyOptions): Promise<{ quiet: boolean; checks: Check[] }> {
  const client = new pg.Client({ connectionString: options.connectionString });
  client.on('error', () => {});
  await client.connect();
  const query: Query = async (text) => (await client.query(text)).rows;
  try {
    const quiet = await waitForQuiet(query, options.settleWithinMs);
    await options.sweepOrphans();
    const tables = await readTables(query);
    const checks = [
      ...checkChallenges(options.ledger, tables),
      ...checkDeliveries(options.ledger, tables),
      ...checkAssets(options, tables),
      await checkResults(options, tables),
    ];
    return { quiet, checks };
  } finally {
    await client.end();
  }
}

const LEFT_TO_DO = `
  select (select count(*) from challenge where closed_at is null)
    + (select count(*) from delivery where status = 'pending')
    + (select count(*) from graphile_worker.jobs)
    + (select count(*) from asset where deleting) as left_to_do`;

async function waitForQuiet(query: Query, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    if (Number((await query(LEFT_TO_DO))[0].left_to_do) === 0) return true;
    if (Date.now() > deadline) return false;
    await delay(500);
  }
}

type Tables = Awaited<ReturnType<typeof readTables>>;

async function readTables(query: Query) {
  const challenges = await query(
    'select id, status, closed_reason, overall_result, sealed_result is not null as has_result from challenge',
  );
  const events = await query('select challenge_id, name from challenge_event');
  const deliveries = await query(
    'select id, challenge_id, event, endpoint_index, status, attempts from delivery where event <> $$test$$',
  );
  const featids = await query('select challenge_id, revoked_at is null as in_force from featid');
  const assets = await query('select id, challenge_id, kind from asset');
  const captures = await query('select challenge_id, state, shared_prints from capture');
  const chunks = await query('select distinct capture_id from capture_chunk');
  const byChallenge = (rows: Row[]) => group(rows, (row) => row.challenge_id);
  return {
    challenges: new Map<string, Row>(challenges.map((row) => [row.id, row])),
    events: byChallenge(events),
    deliveries,
    deliveriesOf: byChallenge(deliveries),
    featidsOf: byChallenge(featids),
    assets,
    assetsOf: byChallenge(assets),
    captures,
    chunks,
  };
}

const FINAL_EVENT: Readonly<Record<string, string>> = {
  completed: 'evaluation_completed',
  expired: 'challenge_expired',
  cancelled: 'challenge_cancelled',
};

function checkChallenges(ledger: Ledger, tables: Tables): Check[] {
  const created = ledger.all('created').map((fact) => fact.id);
  const erased = new Set(ledger.all('erased').map((fact) => fact.id));
  const erasing = new Set(ledger.all('erasing').map((fact) => fact.id));
  const known = new Set(created);
  const kept = created.filter((id) => !erasing.has(id));
  const has = (id: string, event: string) =>
    (tables.events.get(id) ?? []).some((row: Row) => row.name === event);
  const endings = (id: string) =>
    (tables.events.get(id) ?? []).filter((row: Row) => Object.values(FINAL_EVENT).includes(row.name));
  const isEndedOnce = (id: string) => {
    const row = tables.challenges.get(id);
    return (
      row?.closed_reason === row?.status &&
      endings(id).length === 1 &&
      has(id, FINAL_EVENT[row?.status] ?? '')
    );
  };
  const submitted = ledger.all('submitted').filter((fact) => !erasing.has(fact.id));
  const cancelled = ledger.all('cancelled').filter((fact) => !erasing.has(fact.id));
  const completed = kept.filter((id) => tables.challenges.get(id)?.status === 'completed');
  return [
    check('an acknowledged challenge exists', kept, (id) => tables.challenges.has(id)),
    check('a retried create made one challenge', [...tables.challenges.keys()], (id) => known.has(id)),
    check('it has ended once, for one reason', kept, isEndedOnce),
    check(
      'an acknowledged capture was judged',
      submitted.map((fact) => fact.id),
      (id) =>
        has(id, 'evaluation_completed') || has(id, 'capture_rejected') || has(id, 'challenge_cancelled'),
    ),
    check(
      'an acknowledged cancellation holds',
      cancelled.map((fact) => fact.id),
      (id) => tables.challenges.get(id)?.status === 'cancelled',
    ),
    check('a completed challenge has its result', completed, (id) => tables.challenges.get(id).has_result),
    check(
      'a template has its result, a passed result its template',
      [...new Set([...tables.featidsOf.keys(), ...completed])].filter((id) => !erasing.has(id)),
      (id) =>
        (tables.featidsOf.get(id) ?? []).length ===
        (tables.challenges.get(id)?.overall_result === 'pass' ? 1 : 0),
    ),
    check('an erased challenge left nothing', [...erased], (id) => isGone(tables, id)),
    check('no bytes of an upload remain', tables.chunks, () => false),
    check('no capture is open', tables.captures, (row) =>
      ['judged', 'rejected', 'abandoned'].includes(row.state),
    ),
    check(
      'a passed capture was compared with earlier captures',
      completed.filter((id) => tables.challenges.get(id).overall_result === 'pass'),
      (id) =>
        tables.captures.some(
          (row) => row.challenge_id === id && row.state === 'judged' && row.shared_prints !== null,
        ),
    ),
    // Each take has its own noise, and a capture that is judged again must not find itself.
    check('no capture is mistaken for an earlier one', tables.captures, (row) => !row.shared_prints),
  ];
}

function isGone(tables: Tables, id: string): boolean {
  const rows = [tables.deliveriesOf, tables.assetsOf, tables.events].some(
    (table) => (table.get(id) ?? []).length > 0,
  );
  const usable = (tables.featidsOf.get(id) ?? []).some((row: Row) => row.in_force);
  return !tables.challenges.has(id) && !rows && !usable;
}

function checkDeliveries(ledger: Ledger, tables: Tables): Check[] {
  const acknowledged = new Set(
    ledger.all('received').flatMap((fact) => (fact.acknowledged ? [fact.delivery] : [])),
  );
  const expected = (row: Row, event: string) =>
    (row.status === 'completed' && event === 'complete') || (row.status === 'expired' && event === 'expired')
      ? NOTIFICATIONS[event as 'complete' | 'expired']
      : 0;
  const hasOneEach = (row: Row) =>
    ['complete', 'expired'].every((event) => {
      const found = (tables.deliveriesOf.get(row.id) ?? []).filter((each: Row) => each.event === event);
      const places = new Set(found.map((each: Row) => each.endpoint_index));
      return found.length === expected(row, event) && places.size === found.length;
    });
  const digests = group(ledger.all('received'), (fact) => fact.id);
  return [
    check('one event per configured notification', [...tables.challenges.values()], hasOneEach),
    check(
      'every delivery has arrived',
      tables.deliveries,
      (row) => row.status === 'delivered' && acknowledged.has(row.id),
    ),
    check(
      'all webhooks of a challenge say the same',
      [...digests.values()],
      (facts) => new Set(facts.map((each) => each.digest)).size === 1,
    ),
    check('every webhook is signed', [...ledger.all('badSignature')], () => false),
  ];
}

function checkAssets({ assetsFolder }: VerifyOptions, tables: Tables): Check[] {
  const files = new Set(
    readdirSync(assetsFolder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap((shard) => readdirSync(join(assetsFolder, shard.name))),
  );
  const rows = new Map<string, Row>(tables.assets.map((row) => [row.id, row]));
  const completed = [...tables.challenges.values()].filter((row) => row.status === 'completed');
  const kinds = (id: string) => (tables.assetsOf.get(id) ?? []).map((row: Row) => row.kind);
  return [
    check('no asset without a row', [...files], (file) => rows.has(file)),
    check('no row without its asset', [...rows.keys()], (id) => files.has(id)),
    check('a completed challenge has its video', completed, (row) =>
      kinds(row.id).includes('liveness_video'),
    ),
    check(
      'an asset belongs to a completed challenge',
      tables.assets,
      (row) => tables.challenges.get(row.challenge_id)?.status === 'completed',
    ),
  ];
}

/** The API must now say what the webhooks said. */
async function checkResults({ ledger, readResult }: VerifyOptions, tables: Tables): Promise<Check> {
  const told = new Map(ledger.all('received').map((fact) => [fact.id, fact.digest]));
  const ids = [...told.keys()].filter((id) => tables.challenges.get(id)?.status === 'completed');
  const broken: string[] = [];
  for (const id of ids) {
    const answer = await readResult(id);
    if (answer?.status !== 200 || digestOf(answer.body) !== told.get(id)) broken.push(id);
  }
  return { promise: 'the API says what the webhook said', of: ids.length, broken };
}

function check<T>(promise: string, things: readonly T[], holds: (thing: T) => boolean): Check {
  const broken = things.filter((thing) => !holds(thing)).map((thing) => nameOf(thing));
  return { promise, of: things.length, broken };
}

function nameOf(thing: unknown): string {
  const row = thing as Row;
  return typeof thing === 'object'
    ? String(row.id ?? row.challenge_id ?? JSON.stringify(row).slice(0, 120))
    : String(thing);
}

function group<T>(things: readonly T[], keyOf: (thing: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const thing of things) {
    const known = groups.get(keyOf(thing));
    if (known) known.push(thing);
    else groups.set(keyOf(thing), [thing]);
  }
  return groups;
}
