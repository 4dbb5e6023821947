// Creates per second of the whole service, compared with a bare fastify route with one insert into the same PostgreSQL,
// in alternating rounds.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { median, type Section } from './report.ts';

/** Ten times what a hundred workers can judge: docs/load-model.md. */
export const TENFOLD_PER_SECOND = 670;
const ROUNDS = 5;
const SECONDS_A_ROUND = 6;
const CONNECTIONS = 32;
const BODY = JSON.stringify({
  customer_reference: 'order-4711',
  liveness_only: true,
  expires_in_seconds: 900,
  require_consent: true,
  flow_behaviour: { exit_redirect_url: 'https://shop.example/done' },
  flow_style: { primary_colour_hex: '#0a66c2', show_consent_checkbox: true },
  notifications: {
    complete: [{ type: 'https', properties: { endpoint_url: 'https://shop.example/webhooks' } }],
    expired: [{ type: 'https', properties: { endpoint_url: 'https://shop.example/webhooks' } }],
  },
});

/** Measures both alternately (A B A B …), so that a drift in the machine's speed affects both alike. */
export async function measureCreates(service: {
  url: string;
  apiKey: string;
  databaseUrl: string;
}): Promise<Section> {
  const bare = await startBare(service.databaseUrl);
  try {
    const rates = {
      ours: [] as number[],
      keyed: [] as number[],
      asked: [] as number[],
      askedKeyed: [] as number[],
      bare: [] as number[],
      p99: [] as number[],
    };
    const headers = { authorization: `Basic ${service.apiKey}` };
    const rateOf = async (how: Partial<Load>) =>
      (await load(service.url, headers, { ...UNTHROTTLED, ...how })).rate;
    const overallRate = TENFOLD_PER_SECOND;
    await load(bare.url, {});
    await load(service.url, headers);
    for (let round = 0; round < ROUNDS; round++) {
      rates.bare.push((await load(bare.url, {})).rate);
      const ours = await load(service.url, headers);
      rates.ours.push(ours.rate);
      rates.p99.push(ours.p99Ms);
      rates.keyed.push(await rateOf({ hasKeys: true }));
      rates.asked.push(await rateOf({ overallRate }));
      rates.askedKeyed.push(await rateOf({ overallRate, hasKeys: true }));
    }
    const ratiosOf = (given: number[]) => given.map((rate, round) => rate / rates.bare[round]!);
    return {
      title: 'Creates per second',
      method: `POST /v1/create-challenge with a full body, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS_A_ROUND} s alternating with a bare fastify route that does one insert in the same PostgreSQL (fsync on). ${TENFOLD_PER_SECOND} a second are ten times what a hundred workers can judge (docs/load-model.md). The load generator runs on the same 2 cores.`,
      columns: ['', 'median per second', 'min', 'max'],
      rows: [
        ['Likeness', ...spread(rates.ours)],
        ['Likeness, each with an Idempotency-Key', ...spread(rates.keyed)],
        [`Likeness, asked for ${TENFOLD_PER_SECOND} a second`, ...spread(rates.asked)],
        ['the same, each with an Idempotency-Key', ...spread(rates.askedKeyed)],
        ['bare fastify + insert', ...spread(rates.bare)],
        ['ratio (aim ≥ 0.8)', ...spread(ratiosOf(rates.ours), 2)],
        ['ratio with keys', ...spread(ratiosOf(rates.keyed), 2)],
        ['Likeness p99, ms', ...spread(rates.p99)],
      ],
    };
  } finally {
    bare.process.kill('SIGTERM');
  }
}

function spread(values: number[], digits = 0): string[] {
  return [median(values), Math.min(...values), Math.max(...values)].map((value) => value.toFixed(digits));
}

interface Load {
  readonly connections: number;
  /** Seconds. */
  readonly duration: number;
  /** Creates per second; if absent, as fast as they are answered. */
  readonly overallRate?: number;
  /** Whether each has its own Idempotency-Key, which also costs the load generator something. */
  readonly hasKeys?: boolean;
}

const UNTHROTTLED: Load = { connections: CONNECTIONS, duration: SECONDS_A_ROUND };

/**
 * Sends creates to one server, as fast as it answers or at `overallRate` per second.
 * @throws if any answer is not 2xx
 */
export async function load(
  url: string,
  headers: Record<string, string>,
  { hasKeys = false, ...how }: Load = UNTHROTTLED,
): Promise<{ rate: number; p99Ms: number }> {
  const withKey = (request: autocannon.Request): autocannon.Request => ({
    ...request,
    headers: { ...request.headers, 'idempotency-key': randomUUID() },
  });
  const result = await autocannon({
    ...how,
    ...(hasKeys ? { requests: [{ setupRequest: withKey }] } : {}),
    url: `${url}/v1/create-challenge`,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: BODY,
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(
      `${url}: ${result.non2xx} answers other than 2xx and ${result.errors} errors: the measurement is invalid`,
    );
  }
  return { rate: result['2xx'] / result.duration, p99Ms: result.latency.p99 };
}

/** Starts the bare route in a separate process. */
export async function startBare(databaseUrl: string): Promise<{ url: string; process: ChildProcess }> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', join(import.meta.dirname, 'baseline', 'bare-create.ts')],
    {
      env: { ...process.env, DATABASE_URL: databaseUrl },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const port = await new Promise<string>((done, refuse) => {
    child.once('exit', (code) => refuse(new Error(`the bare server ended with ${code}`)));
    child.stdout.on('data', (chunk) => {
      const ready = /ready (\d+)/.exec(String(chunk));
      if (ready) done(ready[1]!);
    });
  });
  return { url: `http://127.0.0.1:${port}`, process: child };
}
