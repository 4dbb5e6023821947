// Recordings that hold more film than the time in which they are made, four at once, each with more pixels than a video
// may have: what they cost the worker that judges honest people beside them. Its processor time is compared, because
// other work on the machine does not change it; how long the answers took is printed.
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { keptClips, testPicture } from '../../evaluation/video/make-clip.ts';
import { TestApi } from '../../support/api.ts';
import { facePath, HAS_FACES } from '../../support/faces.ts';
import { freePort } from '../../support/free-port.ts';
import { PageClient, performedScript, slicesOf } from '../../support/page-client.ts';
import { withService } from '../../support/running-service.ts';

const ATTACKERS = 4;
const ATTACK_MS = 15_000;
const HONEST_MS = 6_000;
const ROUNDS = 2;
const PER_ROUND = 3;
const OUTCOME_WITHIN_MS = 120_000;
const ENVIRONMENT = {
  WORKER_PROCESSES: '1',
  LIVENESS_PROMPTS: 'smile,neutral',
  LIVENESS_LEVEL: 'quick',
};
const QUICK = ['-deadline', 'realtime', '-cpu-used', '16', '-an'];

/** 26 s of film in 16 MB. */
const greedyFilm = async () =>
  readFileSync(
    await keptClips().make('greedy.webm', [
      ...testPicture('1920x1440', 60, 26),
      '-c:v',
      'libvpx',
      ...QUICK,
      '-b:v',
      '5M',
    ]),
  );

const honestFilm = async () =>
  readFileSync(
    await keptClips().make('honest.webm', [
      '-t',
      '6',
      '-i',
      facePath('video/liveportrait/d19.mp4'),
      '-vf',
      'scale=480:480,pad=640:480:80:0',
      '-c:v',
      'libvpx-vp9',
      ...QUICK.slice(0, -3),
      '-cpu-used',
      '8',
      '-an',
      '-b:v',
      '2M',
    ]),
  );

/** Sends a recording as it is made: its outcome, null if it was too late, and the milliseconds from its end to it. */
async function record(api: TestApi, bytes: Uint8Array, recordedMs: number) {
  const made = await api.create({ liveness_only: true, require_consent: false });
  const page = new PageClient(made.challenge_url);
  await page.start();
  const issued = await page.issue(bytes);
  expect(issued.status).toBe(201);
  const issuedAtMs = performance.now();
  const script = performedScript(issued.body.script, recordedMs / issued.body.script.steps.length);
  const recording = { bytes, mimeType: 'video/webm', script, issuedAtMs, recordedMs };
  const sent = await page.send(issued.body, recording);
  const outcome = sent.status === 200 ? await page.outcome(OUTCOME_WITHIN_MS) : null;
  return { outcome, answerMs: performance.now() - issuedAtMs - recordedMs };
}

/** Processor seconds of the worker so far. */
async function workerSeconds(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  return Number(/^likeness_worker_process_cpu_seconds_total (\S+)/m.exec(text)![1]);
}

it.skipIf(!HAS_FACES)(
  'take less of the worker than the honest ones beside them, and end as stored ones do (FACES_DIR)',
  async () => {
    const [greedy, honest] = [await greedyFilm(), await honestFilm()];
    const metricsPort = await freePort();
    const seconds = { alone: 0, beside: 0 };
    const answersMs: { alone: number[]; beside: number[] } = { alone: [], beside: [] };
    const ends: unknown[] = [];
    await withService({ ...ENVIRONMENT, METRICS_PORT: String(metricsPort) }, async (service) => {
      const api = new TestApi(service);
      const someHonest = async (as: keyof typeof seconds) => {
        for (let i = 0; i < PER_ROUND; i++) {
          const { outcome, answerMs } = await record(api, honest, HONEST_MS);
          expect(outcome).not.toBeNull();
          answersMs[as].push(Math.round(answerMs));
        }
      };
      const attack = async () => {
        const attacks = Array.from({ length: ATTACKERS }, () => record(api, greedy, ATTACK_MS));
        // On a busy machine their own slices may be late.
        for (const { outcome } of await Promise.all(attacks))
          if (outcome) ends.push(outcome.retry?.reason ?? outcome);
      };
      const timed = async (as: keyof typeof seconds, work: () => Promise<unknown>) => {
        const before = await workerSeconds(metricsPort);
        await work();
        seconds[as] += (await workerSeconds(metricsPort)) - before;
      };
      // Networks and prepared statements warm up.
      await record(api, honest, HONEST_MS);
      for (let round = 0; round < ROUNDS; round++) {
        await timed('alone', () => someHonest('alone'));
        await timed('beside', () => Promise.all([attack(), delay(1_000).then(() => someHonest('beside'))]));
      }
    });
    const figures = JSON.stringify({ seconds, answersMs });
    process.stderr.write(`${figures}\n`);
    // As a stored video with too many pixels ends.
    expect(new Set(ends)).toEqual(new Set(['video_unreadable']));
    expect(seconds.beside / seconds.alone, figures).toBeLessThan(2);
  },
  1_800_000,
);

const TRICKLES = 6;
const TRICKLE_MS = 3_500;
const HONEST_BESIDE = 4;

/** Records as an honest page does, but sends a byte now and then once it has committed, until stopped. */
async function trickle(api: TestApi, bytes: Uint8Array, isOver: () => boolean): Promise<void> {
  const made = await api.create({ liveness_only: true, require_consent: false });
  const page = new PageClient(made.challenge_url);
  await page.start();
  const { body } = await page.issue(bytes);
  const issuedAtMs = performance.now();
  const path = `/captures/${body.capture_id}`;
  const slices = slicesOf(bytes, HONEST_MS, body.slice_ms);
  for (const { announcement } of slices) {
    await delay(Math.max(0, issuedAtMs + announcement.to_ms - performance.now()));
    expect((await page.call('POST', `${path}/slices`, { slices: [announcement] })).status).toBe(200);
  }
  const script = performedScript(body.script, HONEST_MS / body.script.steps.length);
  const said = { mime_type: 'video/webm', duration_ms: HONEST_MS, script };
  const commit = { slices: slices.length, size_bytes: bytes.length, ...said };
  expect((await page.call('POST', `${path}/commit`, commit)).status).toBe(200);
  for (let at = 0; !isOver(); at++) {
    await page.call('POST', `${path}/bytes?offset=${at}`, bytes.subarray(at, at + 1));
    await delay(TRICKLE_MS);
  }
}

it.skipIf(!HAS_FACES)(
  'do not keep the places of those that are followed by a byte now and then (FACES_DIR)',
  async () => {
    const honest = await honestFilm();
    const metricsPort = await freePort();
    await withService({ ...ENVIRONMENT, METRICS_PORT: String(metricsPort) }, async (service) => {
      const api = new TestApi(service);
      let isOver = false;
      const trickles = Array.from({ length: TRICKLES }, () => trickle(api, honest, () => isOver));
      await delay(HONEST_MS + 2 * TRICKLE_MS);
      for (let i = 0; i < HONEST_BESIDE; i++)
        expect((await record(api, honest, HONEST_MS)).outcome).not.toBeNull();
      isOver = true;
      await Promise.all(trickles);
      const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
      const judged = text.split('\n').filter((line) => line.startsWith('likeness_judgements_total{'));
      const followed = judged.filter((line) => line.includes('followed="true"'));
      const count = (lines: string[]) => lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
      expect(count(judged)).toBe(HONEST_BESIDE);
      // The first may come while all places are still taken, for some seconds each.
      expect(count(followed)).toBeGreaterThanOrEqual(HONEST_BESIDE - 1);
    });
  },
  300_000,
);
