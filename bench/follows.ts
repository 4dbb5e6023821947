// `npm run bench`, or alone: `npx tsx bench/follows.ts [--follows 1,2,3,4,6,8] [--rounds 3] [--workers 1]`. Measures
// how many captures a machine can judge while they are recorded before their answers are late, and how long the API
// takes to answer meanwhile. Needs FACES_DIR.
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { TestApi } from '../test/support/api.ts';
import { PageClient, performedScript } from '../test/support/page-client.ts';
import { type RunningService, withService } from '../test/support/running-service.ts';
import { load } from './creates.ts';
import { median, render, type Section } from './report.ts';
import { makeClip } from './uploads.ts';

/** Length of the clip. */
const RECORDED_MS = 6_000;
/** Counted from the end of the recording: a later answer is late. */
const LATE_MS = 2_000;
/** Spreads the starts: people do not begin in step. */
const APART_MS = 700;
/** Creates during the recordings, from when all are recording until the first has ended. */
const HOW = { connections: 4, duration: 3, overallRate: 50 };
const OUTCOME_WITHIN_MS = 120_000;
/** Target for the API's p99 divided by its idle p99. */
const AIM = 2;

/** Milliseconds from the end of a recording, whose slices were sent as they were made, to the outcome. */
async function record(api: TestApi, bytes: Uint8Array): Promise<number> {
  const made = await api.create({ liveness_only: true, require_consent: false });
  const page = new PageClient(made.challenge_url);
  await page.start();
  const issued = await page.issue(bytes);
  if (issued.status !== 201) throw new Error(`${issued.status} ${JSON.stringify(issued.body)}`);
  const issuedAtMs = performance.now();
  const script = performedScript(issued.body.script, RECORDED_MS / issued.body.script.steps.length);
  const recording = { bytes, mimeType: 'video/webm', script, issuedAtMs, recordedMs: RECORDED_MS };
  const sent = await page.send(issued.body, recording);
  if (sent.status !== 200) throw new Error(`${sent.status} ${JSON.stringify(sent.body)}`);
  const { status } = await page.outcome(OUTCOME_WITHIN_MS);
  if (status === 'processing') throw new Error(`no outcome within ${OUTCOME_WITHIN_MS} ms`);
  return performance.now() - issuedAtMs - RECORDED_MS;
}

interface Round {
  readonly answersMs: readonly number[];
  readonly idleP99Ms: number;
  readonly busyP99Ms: number;
}

async function roundOf(service: RunningService, bytes: Uint8Array, follows: number): Promise<Round> {
  const api = new TestApi(service);
  const headers = { authorization: `Basic ${service.credentials.api_key}` };
  const idleP99Ms = (await load(service.url, headers, HOW)).p99Ms;
  const recordings = Array.from({ length: follows }, async (_, i) => {
    await delay((i * APART_MS) / follows);
    return record(api, bytes);
  });
  const [busy, ...answersMs] = await Promise.all([
    delay(APART_MS).then(() => load(service.url, headers, HOW)),
    ...recordings,
  ]);
  return { answersMs, idleP99Ms, busyP99Ms: busy.p99Ms };
}

/** Judgements so far, and how many of them were of followed captures, from the service's own log. */
function judgedBy(service: RunningService): { all: number; followed: number } {
  const lines = service
    .log()
    .split('\n')
    .filter((line) => line.includes('capture judged'));
  return { all: lines.length, followed: lines.filter((line) => /"?followed"?: ?true/.test(line)).length };
}

/** What is measured. */
interface Plan {
  /** Captures recorded at once, one row each. */
  readonly follows: readonly number[];
  readonly rounds: number;
  readonly workers: number;
}

/** Measures on a separate service, by default with one worker. */
export async function measureFollows(
  { follows, rounds, workers }: Plan = { follows: [1, 2, 3, 4, 6, 8], rounds: 3, workers: 1 },
): Promise<Section> {
  const environment = {
    WORKER_PROCESSES: String(workers),
    LIVENESS_PROMPTS: 'smile,neutral',
    LIVENESS_LEVEL: 'standard',
  };
  const rows: string[][] = [];
  let keptUpWith = 0;
  await withService(environment, async (service) => {
    const bytes = makeClip();
    // Warm up networks and prepared statements.
    await record(new TestApi(service), bytes);
    for (const atOnce of follows) {
      const before = judgedBy(service);
      const done: Round[] = [];
      for (let round = 0; round < rounds; round++) done.push(await roundOf(service, bytes, atOnce));
      const after = judgedBy(service);
      const followed = `${after.followed - before.followed} of ${after.all - before.all}`;
      const { late, row } = rowOf(done);
      if (late === 0 && keptUpWith === rows.length) keptUpWith += 1;
      rows.push([String(atOnce), followed, ...row]);
      process.stderr.write(`${rows.at(-1)!.join(' | ')}\n`);
    }
  });
  const without = keptUpWith === 0 ? 'none' : rows[keptUpWith - 1]![0];
  return {
    title: 'Captures followed at once',
    method: `Recordings of ${RECORDED_MS / 1000} s, 640×480, whose slices are sent as they are made, the given number at once on ${workers} worker process(es), ${rounds} rounds; API, PostgreSQL, decoders and the load generator share the machine. Answer: from the end of the recording to the outcome. API: p99 of ${HOW.overallRate} creates per second before each round and while all are recording, medians. Largest number without a late answer: ${without}.`,
    columns: [
      'at once',
      'followed',
      'answer, median',
      'max',
      `later than ${LATE_MS / 1000} s`,
      'API idle',
      'API while recording',
      `ratio (aim ≤ ${AIM})`,
    ],
    rows,
  };
}

function rowOf(rounds: readonly Round[]): { late: number; row: string[] } {
  const answersMs = rounds.flatMap((round) => round.answersMs);
  const late = answersMs.filter((answerMs) => answerMs > LATE_MS).length;
  const idleMs = median(rounds.map(({ idleP99Ms }) => idleP99Ms));
  const busyMs = median(rounds.map(({ busyP99Ms }) => busyP99Ms));
  const row = [
    `${(median(answersMs) / 1000).toFixed(2)} s`,
    `${(Math.max(...answersMs) / 1000).toFixed(2)} s`,
    `${late} of ${answersMs.length}`,
    `${idleMs.toFixed(0)} ms`,
    `${busyMs.toFixed(0)} ms`,
    (busyMs / idleMs).toFixed(1),
  ];
  return { late, row };
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      follows: { type: 'string', default: '1,2,3,4,6,8' },
      rounds: { type: 'string', default: '3' },
      workers: { type: 'string', default: '1' },
    },
  });
  const section = await measureFollows({
    follows: values.follows.split(',').map(Number),
    rounds: Number(values.rounds),
    workers: Number(values.workers),
  });
  process.stdout.write(render(section));
}
