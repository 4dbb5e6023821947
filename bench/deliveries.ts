// Deliveries per second of a real worker process, compared with a bare undici loop with one insert each, in alternating
// rounds, both to the same receiver in a separate process. Alone: node --import tsx bench/deliveries.ts
import { type ChildProcess, spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '../src/base/ids.ts';
import { createLogger } from '../src/base/log.ts';
import { openFoundation } from '../src/composition/foundation.ts';
import { readConfig } from '../src/config/read-config.ts';
import { type BenchDatabase, runAlone } from './alone.ts';
import { closeChallenges } from './closed-challenges.ts';
import { median, type Section } from './report.ts';

const ROUNDS = 5;
const DELIVERIES = 4_000;
/** Concurrent calls to the one receiver: as many as the worker may make. */
const CONCURRENCY = 64;
/** The first and the last tenth are left out: the start-up and the tail. */
const MARGIN = 0.1;
const GIVE_UP_MS = 120_000;

const projectRoot = resolve(import.meta.dirname, '..');

/**
 * Measures both alternately (A B A B …), so that a drift in the machine's speed affects both alike. `dataDir` holds the
 * master key.
 */
export async function measureDeliveries({ databaseUrl, dataDir }: BenchDatabase): Promise<Section> {
  const environment = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, LOG_LEVEL: 'info' };
  const foundation = await openFoundation(
    readConfig(environment),
    createLogger({ level: 'warn', process: 'bench' }),
  );
  const receiver = startChild('counting-receiver.ts', {});
  try {
    const receiverUrl = `http://127.0.0.1:${await readyPort(receiver)}`;
    const account = await foundation.accounts.create({ name: `bench ${newId('account')}` }, 'operator');
    if (account.status !== 'created') throw new Error('no account');
    const rates: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      const bare = await runBare(databaseUrl, receiverUrl);
      await closeChallenges(foundation, account.accountId, Array(DELIVERIES).fill(receiverUrl));
      const ours = await runWorker(environment, receiverUrl);
      // The first round only warms up the database's files.
      if (round === 0) continue;
      rates.bare.push(bare);
      rates.ours.push(ours);
    }
    return report(rates);
  } finally {
    receiver.kill('SIGTERM');
    await foundation.close();
  }
}

function report(rates: { ours: number[]; bare: number[] }): Section {
  const ratios = rates.ours.map((rate, round) => rate / rates.bare[round]!);
  const spread = (values: number[], digits: number) =>
    [median(values), Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits));
  return {
    title: 'Deliveries per second',
    method: `${DELIVERIES} signed expiry notifications to one receiver on this machine by one worker process (claimed, read, signed, sent, recorded; fsync on), ${ROUNDS} rounds alternating with a bare undici loop of ${CONCURRENCY} concurrent calls that does one insert for each call in the same PostgreSQL. Receiver, database and sender share the 2 cores.`,
    columns: ['', 'median per second', 'min', 'max'],
    rows: [
      ['Likeness (aim ≥ 670)', ...spread(rates.ours, 0)],
      ['bare undici + insert', ...spread(rates.bare, 0)],
      ['ratio', ...spread(ratios, 2)],
    ],
  };
}

async function runBare(databaseUrl: string, receiverUrl: string): Promise<number> {
  const child = startChild('bare-deliver.ts', {
    DATABASE_URL: databaseUrl,
    RECEIVER_URL: receiverUrl,
    COUNT: String(DELIVERIES),
    CONCURRENCY: String(CONCURRENCY),
  });
  await new Promise((done) => child.once('exit', done));
  return rateOf(await readTimes(receiverUrl));
}

async function runWorker(environment: Record<string, string>, receiverUrl: string): Promise<number> {
  const { PATH, HOME } = process.env;
  const worker = spawn(process.execPath, ['bin/likeness', 'serve'], {
    cwd: projectRoot,
    env: { PATH, HOME, METRICS_PORT: '0', ...environment, ROLE: 'worker' },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  try {
    const deadline = Date.now() + GIVE_UP_MS;
    const times: number[] = [];
    while (times.length < DELIVERIES) {
      if (Date.now() > deadline) throw new Error(`${times.length} of ${DELIVERIES} deliveries arrived`);
      await delay(500);
      times.push(...(await readTimes(receiverUrl)));
    }
    return rateOf(times);
  } finally {
    const ended = new Promise((done) => worker.once('exit', done));
    worker.kill('SIGTERM');
    await ended;
  }
}

async function readTimes(receiverUrl: string): Promise<number[]> {
  return (await (await fetch(`${receiverUrl}/times`)).json()) as number[];
}

function rateOf(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  const from = Math.floor(sorted.length * MARGIN);
  const to = Math.ceil(sorted.length * (1 - MARGIN)) - 1;
  return ((to - from) / (sorted[to]! - sorted[from]!)) * 1000;
}

function startChild(script: string, environment: Record<string, string>): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'baseline', script)], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function readyPort(child: ChildProcess): Promise<string> {
  return new Promise((done, refuse) => {
    child.once('exit', (code) => refuse(new Error(`the receiver ended with ${code}`)));
    child.stdout!.on('data', (chunk) => {
      const ready = /ready (\d+)/.exec(String(chunk));
      if (ready) done(ready[1]!);
    });
  });
}

await runAlone(import.meta.filename, measureDeliveries);
