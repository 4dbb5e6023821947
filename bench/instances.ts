// Measures several processes of each role on one database: three APIs and two workers compared with one of each, in
// alternating rounds; for the creates also one and three bare processes.

import { TestApi } from '../test/support/api.ts';
import type { DevCredentials } from '../test/support/running-service.ts';
import { load, startBare } from './creates.ts';
import { type RunningRole, startRole } from './processes.ts';
import { median, type Section } from './report.ts';
import { makeClip, submitClip } from './uploads.ts';

const ROUNDS = 2;
const CONNECTIONS = 30;
const SECONDS = 4;
const CLIPS = 6;
const FEW = { apis: 1, workers: 1 };
const MANY = { apis: 3, workers: 2 };

interface Rates {
  readonly creates: number;
  readonly judgementsPerMinute: number;
}

/** `environment`: for every process; `credentials`: of an account in its database. */
export async function measureInstances(
  environment: Readonly<Record<string, string>>,
  databaseUrl: string,
  credentials: DevCredentials,
): Promise<Section> {
  const clip = makeClip();
  const few: Rates[] = [];
  const many: Rates[] = [];
  const bare: { one: number[]; three: number[] } = { one: [], three: [] };
  for (let round = 0; round < ROUNDS; round++) {
    few.push(await measureSet(FEW, environment, credentials, clip));
    many.push(await measureSet(MANY, environment, credentials, clip));
    bare.one.push(await measureBare(FEW.apis, databaseUrl));
    bare.three.push(await measureBare(MANY.apis, databaseUrl));
  }
  const row = (name: string, a: number[], b: number[]) => [
    name,
    median(a).toFixed(0),
    median(b).toFixed(0),
    (median(b) / median(a)).toFixed(2),
  ];
  const of = (set: Rates[], key: keyof Rates) => set.map((rates) => rates[key]);
  return {
    title: 'Several processes',
    method: `One PostgreSQL, one asset folder; creates with ${CONNECTIONS} connections over all APIs for ${SECONDS} s, then ${CLIPS} uploads over all APIs until the last is judged; medians of ${ROUNDS} alternating rounds. Everything, including the load generator, shares 2 cores, so more processes cannot be faster here than the cores allow; the ratio shows what they cost each other.`,
    columns: ['', '1 API, 1 worker', '3 APIs, 2 workers', 'ratio'],
    rows: [
      row('creates per second', of(few, 'creates'), of(many, 'creates')),
      row('bare fastify + insert, 1 and 3 processes', bare.one, bare.three),
      row('judgements per minute', of(few, 'judgementsPerMinute'), of(many, 'judgementsPerMinute')),
    ],
  };
}

async function measureSet(
  { apis, workers }: typeof FEW,
  environment: Readonly<Record<string, string>>,
  credentials: DevCredentials,
  clip: Uint8Array,
): Promise<Rates> {
  const started: RunningRole[] = [];
  try {
    const roles = [...Array(apis).fill('api'), ...Array(workers).fill('worker')];
    started.push(...(await Promise.all(roles.map((role) => startRole(role, environment)))));
    const urls = started.flatMap(({ url }) => (url ? [url] : []));
    const headers = { authorization: `Basic ${credentials.api_key}` };
    const creates = await loadAll(urls, headers);
    return { creates, judgementsPerMinute: await judgeAll(urls, credentials, clip) };
  } finally {
    await Promise.all(started.map((role) => role.stop()));
  }
}

async function measureBare(processes: number, databaseUrl: string): Promise<number> {
  const started = await Promise.all(Array.from({ length: processes }, () => startBare(databaseUrl)));
  try {
    return await loadAll(
      started.map(({ url }) => url),
      {},
    );
  } finally {
    for (const each of started) each.process.kill('SIGTERM');
  }
}

async function loadAll(urls: readonly string[], headers: Record<string, string>): Promise<number> {
  const how = { connections: Math.round(CONNECTIONS / urls.length), duration: SECONDS };
  const loads = await Promise.all(urls.map((url) => load(url, headers, how)));
  return loads.reduce((sum, { rate }) => sum + rate, 0);
}

async function judgeAll(
  urls: readonly string[],
  credentials: DevCredentials,
  clip: Uint8Array,
): Promise<number> {
  const from = performance.now();
  const pages = await Promise.all(
    Array.from({ length: CLIPS }, (_, at) =>
      submitClip(new TestApi({ url: urls[at % urls.length]!, credentials }), clip),
    ),
  );
  await Promise.all(pages.map((page) => page.outcome(120_000)));
  return (CLIPS * 60_000) / (performance.now() - from);
}
