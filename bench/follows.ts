// `npx tsx bench/follows.ts [--follows 1,2,3,4,6,8] [--rounds 3] [--recordings 16]`: how many captures a machine judges while they are
// recorded before their answers come late, and how long the API takes to answer meanwhile. Prints a table. It needs FACES_DIR.
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { TestApi } from '../test/support/api.ts';
import { livedScript, PageClient } from '../test/support/page-client.ts';
import { type RunningService, withService } from '../test/support/running-service.ts';
import { load } from './creates.ts';
import { median, render } from './report.ts';
import { makeClip } from './uploads.ts';

const { values } = parseArgs({
  options: {
    /** Captures that are recorded at once, one row each. */
    follows: { type: 'string', default: '1,2,3,4,6,8' },
    rounds: { type: 'string', default: '3' },
    /** Recordings that a worker follows at most (WORKER_RECORDINGS): more than are made, so that none waits for its end. */
    recordings: { type: 'string', default: '16' },
    workers: { type: 'string', default: '1' },
  },
});
/** Length of the clip. */
const RECORDED_MS = 6_000;
/** From the end of the recording: a later answer is late. */
const LATE_MS = 2_000;
/** People do not begin in step. */
const APART_MS = 700;
/** Creates beside them, from when all record until the first has ended. */
const HOW = { connections: 4, duration: 3, overallRate: 50 };
const OUTCOME_WITHIN_MS = 120_000;
/** Aim for the p99 of the API over its p99 when idle. */
const AIM = 2;

/** Milliseconds from the end of a recording, whose slices went out as they were made, to the outcome. */
async function record(api: TestApi, bytes: Uint8Array): Promise<number> {
  const made = await api.create({ liveness_only: true, require_consent: false });
  const page = new PageClient(made.challenge_url);
  await page.start();
  const issued = await page.issue(bytes);
  if (issued.status !== 201) throw new Error(`${issued.status} ${JSON.stringify(issued.body)}`);
  const issuedAtMs = performance.now();
  const script = livedScript(issued.body.script, RECORDED_MS / issued.body.script.steps.length);
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

/** Judgements so far, and how many of them of captures that were followed, by the service's own log. */
function judgedBy(service: RunningService): { all: number; followed: number } {
  const lines = service
    .log()
    .split('\n')
    .filter((line) => line.includes('capture judged'));
  return { all: lines.length, followed: lines.filter((line) => /"?followed"?: ?true/.test(line)).length };
}

const environment = {
  ...{ WORKER_RECORDINGS: values.recordings, WORKER_PROCESSES: values.workers },
  ...{ LIVENESS_PROMPTS: 'smile,neutral', LIVENESS_LEVEL: 'standard' },
  ...{ CREATE_RATE_PER_MINUTE: '10000000', PAGE_RATE_PER_MINUTE: '10000000' },
};
const rows: string[][] = [];
let keptUpWith = 0;
await withService(environment, async (service) => {
  const bytes = makeClip();
  // Networks and statements are warm.
  await record(new TestApi(service), bytes);
  for (const follows of values.follows.split(',').map(Number)) {
    const before = judgedBy(service);
    const rounds: Round[] = [];
    for (let round = 0; round < Number(values.rounds); round++)
      rounds.push(await roundOf(service, bytes, follows));
    const after = judgedBy(service);
    const answersMs = rounds.flatMap((round) => round.answersMs);
    const late = answersMs.filter((answerMs) => answerMs > LATE_MS).length;
    const idleMs = median(rounds.map(({ idleP99Ms }) => idleP99Ms));
    const busyMs = median(rounds.map(({ busyP99Ms }) => busyP99Ms));
    if (late === 0 && keptUpWith === rows.length) keptUpWith += 1;
    rows.push([
      ...[String(follows), `${after.followed - before.followed} of ${after.all - before.all}`],
      `${(median(answersMs) / 1000).toFixed(2)} s`,
      `${(Math.max(...answersMs) / 1000).toFixed(2)} s`,
      `${late} of ${answersMs.length}`,
      ...[`${idleMs.toFixed(0)} ms`, `${busyMs.toFixed(0)} ms`, (busyMs / idleMs).toFixed(1)],
    ]);
    process.stderr.write(`${rows.at(-1)!.join(' | ')}\n`);
  }
});
const without = keptUpWith === 0 ? 'none' : rows[keptUpWith - 1]![0];
process.stdout.write(
  render({
    title: 'Captures followed at once',
    method: `Recordings of ${RECORDED_MS / 1000} s, 640×480, whose slices go out as they are made, so many at once on ${values.workers} worker process(es), ${values.rounds} rounds; API, PostgreSQL, decoders and the load generator on the same machine. The answer: from the end of the recording to the outcome. API: p99 of ${HOW.overallRate} creates a second before each round and while all record, medians. Most without a late answer: ${without}.`,
    columns: [
      ...['at once', 'followed', 'answer, median', 'most', `later than ${LATE_MS / 1000} s`],
      ...['API idle', 'API meanwhile', `ratio (aim ≤ ${AIM})`],
    ],
    rows,
  }),
);
