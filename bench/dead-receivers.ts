// Measures whether dead receivers hold up live ones: webhooks per second to live receivers while hundreds of dead ones
// have dozens of deliveries pending each, from a worker that knows nothing of any of them. Alone: node --import tsx
// bench/dead-receivers.ts
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '../src/base/ids.ts';
import { createLogger } from '../src/base/log.ts';
import { type Foundation, openFoundation } from '../src/composition/foundation.ts';
import { readConfig } from '../src/config/read-config.ts';
import { type BenchDatabase, runAlone } from './alone.ts';
import { closeChallenges } from './closed-challenges.ts';
import { startRole } from './processes.ts';
import type { Section } from './report.ts';

const SCENARIOS = [
  { dead: 0, waiting: 0 },
  { dead: 200, waiting: 50 },
];
const DEAD_KINDS = ['hangs', 'refuses', 'unknownName', 'answers500slowly', 'dripsHeaders', 'dripsBody'];
const WATCHED_MS = 60_000;
const LIVE_PER_SECOND = 20;
/** Live receivers that get webhooks throughout; another one that was never called before joins at each interval. */
const KNOWN_LIVE = 20;
const NEW_LIVE_EVERY_MS = 2_000;
/** Time allowed for late ones: as long as an attempt at a dead receiver. */
const GRACE_MS = 15_000;

const newLive = WATCHED_MS / NEW_LIVE_EVERY_MS;

type Crowd = Record<string, string[]>;
/** When each delivery was due, in milliseconds since 1970. */
type Sent = Map<string, { at: number; firstCall: boolean }>;

/** Runs one scenario after another, each with its own account, receivers and worker process. */
export async function measureDeadReceivers({ databaseUrl, dataDir }: BenchDatabase): Promise<Section> {
  const environment = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
  const log = createLogger({ level: 'warn', process: 'bench' });
  const foundation = await openFoundation(readConfig(environment), log);
  const rows: string[][] = [];
  try {
    for (const scenario of SCENARIOS) {
      rows.push(await measure(foundation, environment, scenario));
      process.stderr.write(`${rows.at(-1)!.join(' | ')}\n`);
    }
  } finally {
    await foundation.close();
  }
  return {
    title: 'Live receivers beside dead ones',
    method: `${LIVE_PER_SECOND} webhooks a second for ${WATCHED_MS / 1000} s to ${KNOWN_LIVE} live receivers and to a new one every ${NEW_LIVE_EVERY_MS / 1000} s, by one worker process that starts when all deliveries to the dead ones are due; milliseconds from before the webhook's challenge is written to the webhook's arrival. Dead receivers in equal parts: ${DEAD_KINDS.join(', ')}. At the start, nothing is known about any receiver. Webhooks that have not arrived ${GRACE_MS / 1000} s after the end count as never arrived.`,
    columns: [
      'dead × waiting',
      'arrived',
      'p50',
      'p95 (aim ≤ 1000)',
      'max',
      'first calls, max',
      'attempts at dead ones',
    ],
    rows,
  };
}

async function measure(
  foundation: Foundation,
  environment: Record<string, string>,
  { dead, waiting }: { dead: number; waiting: number },
): Promise<string[]> {
  const account = await foundation.accounts.create({ name: `bench ${newId('account')}` }, 'operator');
  if (account.status !== 'created') throw new Error('no account');
  const counts = Object.fromEntries(
    DEAD_KINDS.map((kind, index) => [kind, Math.floor((dead + index) / DEAD_KINDS.length)]),
  );
  const { process: receivers, crowd } = await startCrowd({ live: KNOWN_LIVE + newLive, ...counts });
  const deadUrls = DEAD_KINDS.flatMap((kind) => crowd[kind]!);
  await closeChallenges(
    foundation,
    account.accountId,
    deadUrls.flatMap((url) => Array(waiting).fill(url)),
  );
  const worker = await startRole('worker', environment);
  try {
    const sent = await sendLive(foundation, account.accountId, crowd.live!);
    await delay(GRACE_MS);
    const answer = await fetch(`${crowd.live![0]}/arrivals`);
    const arrivals = new Map((await answer.json()) as [string, number][]);
    return row(`${dead} × ${waiting}`, sent, arrivals, await countAttempts(foundation, account.accountId));
  } finally {
    await worker.stop();
    receivers.kill('SIGKILL');
    // The next scenario begins without these.
    const { db } = foundation.database;
    await db.deleteFrom('challenge').where('account_id', '=', account.accountId).execute();
  }
}

/** Sends at an even rate, whatever happens to the deliveries. */
async function sendLive(foundation: Foundation, accountId: string, live: readonly string[]): Promise<Sent> {
  const sent: Sent = new Map();
  const startedAt = performance.now();
  const perNew = (LIVE_PER_SECOND * NEW_LIVE_EVERY_MS) / 1000;
  const writing: Promise<void>[] = [];
  for (let index = 0; index < (LIVE_PER_SECOND * WATCHED_MS) / 1000; index += 1) {
    await delay(Math.max(0, startedAt + (index * 1000) / LIVE_PER_SECOND - performance.now()));
    const firstCall = index % perNew === 0;
    const url = firstCall ? live[KNOWN_LIVE + index / perNew]! : live[index % KNOWN_LIVE]!;
    const at = Date.now();
    writing.push(
      closeChallenges(foundation, accountId, [url]).then(([id]) => {
        sent.set(id!, { at, firstCall });
      }),
    );
  }
  await Promise.all(writing);
  return sent;
}

async function countAttempts({ database }: Foundation, accountId: string): Promise<number> {
  const { n } = await database.db
    .selectFrom('delivery_attempt as t')
    .innerJoin('delivery as d', 'd.id', 't.delivery_id')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('d.account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return n;
}

function row(name: string, sent: Sent, arrivals: Map<string, number>, attempts: number): string[] {
  const latency = (chosen: (firstCall: boolean) => boolean) =>
    [...sent]
      .filter(([, { firstCall }]) => chosen(firstCall))
      .map(([id, { at }]) => (arrivals.get(id) ?? Number.POSITIVE_INFINITY) - at)
      .sort((a, b) => a - b);
  const all = latency(() => true);
  const arrived = all.filter(Number.isFinite).length;
  const at = (values: number[], share: number) =>
    values[Math.min(values.length - 1, Math.floor(values.length * share))]!;
  const ms = (value: number) => (Number.isFinite(value) ? value.toFixed(0) : 'never');
  return [
    name,
    `${arrived} of ${all.length}`,
    ms(at(all, 0.5)),
    ms(at(all, 0.95)),
    ms(all.at(-1)!),
    ms(latency((firstCall) => firstCall).at(-1)!),
    String(attempts - arrived),
  ];
}

function startCrowd(counts: Record<string, number>): Promise<{ process: ChildProcess; crowd: Crowd }> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(import.meta.dirname, 'receivers', 'crowd.ts')],
    { env: { ...process.env, COUNTS: JSON.stringify(counts) }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  return new Promise((done, refuse) => {
    child.once('exit', (code) => refuse(new Error(`the receivers ended with ${code}`)));
    let output = '';
    child.stdout!.on('data', (chunk) => {
      output += chunk;
      const ready = /ready (\{.*\})\n/.exec(output);
      if (ready) done({ process: child, crowd: JSON.parse(ready[1]!) as Crowd });
    });
  });
}

await runAlone(import.meta.filename, measureDeadReceivers);
