// Measures how long the API takes to answer while the workers are saturated with judgements, compared with an idle
// service; and a bare route under the same judgements.
import { TestApi } from '../test/support/api.ts';
import type { RunningService } from '../test/support/running-service.ts';
import { load, startBare } from './creates.ts';
import { median, type Section } from './report.ts';
import { makeClip, submitClip } from './uploads.ts';

const ROUNDS = 3;
const HOW = { connections: 4, duration: 3, overallRate: 100 };
/** Enough that judging them takes longer than the two loads. */
const CLIPS = 7;

interface P99 {
  readonly ours: number[];
  readonly bare: number[];
}

export async function measureApiBesideJudgements(
  service: RunningService,
  databaseUrl: string,
): Promise<Section> {
  const clip = makeClip();
  const api = new TestApi(service);
  const bare = await startBare(databaseUrl);
  const idle: P99 = { ours: [], bare: [] };
  const busy: P99 = { ours: [], bare: [] };
  const measure = async (into: P99) => {
    into.ours.push(
      (await load(service.url, { authorization: `Basic ${service.credentials.api_key}` }, HOW)).p99Ms,
    );
    into.bare.push((await load(bare.url, {}, HOW)).p99Ms);
  };
  let waitedFor = 0;
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await measure(idle);
      const pages = await Promise.all(Array.from({ length: CLIPS }, () => submitClip(api, clip)));
      await measure(busy);
      const outcomes = await Promise.all(pages.map((page) => page.call('GET', '/outcome')));
      waitedFor += outcomes.filter(({ body }) => body.status === 'processing').length;
      await Promise.all(pages.map((page) => page.outcome(120_000)));
    }
  } finally {
    bare.process.kill('SIGTERM');
  }
  // Otherwise the workers were idle for part of the measurement.
  if (waitedFor < ROUNDS) throw new Error('the judgement queue was empty before the load ended');
  const row = (name: string, a: number[], b: number[]) => [
    name,
    median(a).toFixed(0),
    median(b).toFixed(0),
    (median(b) / median(a)).toFixed(1),
  ];
  return {
    title: 'The API beside judgements',
    method: `p99 latency in milliseconds at ${HOW.overallRate} creates per second, idle and while ${CLIPS} videos wait for the worker beside the API; medians of ${ROUNDS} alternating rounds of ${HOW.duration} s. For comparison, a bare fastify route with one insert, under the same judgements. API, worker, ffmpeg, PostgreSQL and load generator share 2 cores.`,
    columns: ['', 'idle', 'workers saturated', 'ratio (aim ≤ 3)'],
    rows: [row('Likeness', idle.ours, busy.ours), row('bare fastify + insert', idle.bare, busy.bare)],
  };
}
