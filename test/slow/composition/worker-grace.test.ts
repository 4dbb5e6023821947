// A worker on its own (ROLE=worker) that is told to stop in the middle of its work: it ends within the grace period that
// deploy/ gives it, and nothing that was accepted is lost.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from '../../support/api.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { HAS_FACES } from '../../support/faces.ts';
import { PageClient } from '../../support/page-client.ts';
import { cutPiece, PIECE_SECONDS } from '../../support/pieces.ts';
import {
  newDataDir,
  type RunningService,
  removeDataDir,
  startService,
} from '../../support/running-service.ts';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
/** The shortest of the deployments'. */
const GRACE_MS = 60_000;
const TIMEOUT_MS = 240_000;
const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';

interface Worker {
  readonly child: ChildProcess;
  /** Messages of its log so far. */
  readonly said: string[];
}

let database: TestDatabase;
let service: RunningService;
const workers: Worker[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({
    dataDir: newDataDir(),
    environment: {
      ROLE: 'api',
      DATABASE_URL: database.url,
      LIVENESS_PROMPTS: 'smile,neutral',
      LIVENESS_LEVEL: 'quick',
    },
  });
}, TIMEOUT_MS);
afterAll(async () => {
  for (const { child } of workers) child.kill('SIGKILL');
  await service?.stop();
  await database?.drop();
  if (service) removeDataDir(service.dataDir);
});

describe.skipIf(!HAS_FACES)(`SIGTERM to a worker${why}`, () => {
  it('that judges a recording: the judgement ends first', { timeout: TIMEOUT_MS }, async () => {
    const page = await openPage();
    expect((await record(page, 0)).body.state).toBe('submitted');
    const worker = await startWorker();
    await untilTaken('judge');
    expect(await stop(worker)).toBe(0);
    expect(worker.said).toContain('capture judged');
    // The signal came before the end of the judgement.
    expect(worker.said.indexOf('stopping')).toBeLessThan(worker.said.indexOf('capture judged'));
    expect((await page.outcome(10_000)).status).toBe('retry');
  });

  it('that follows a recording under way: the next worker judges it', { timeout: TIMEOUT_MS }, async () => {
    const worker = await startWorker();
    const page = await openPage();
    const recorded = record(page, 1);
    await untilTaken('follow');
    expect(await stop(worker)).toBe(0);
    expect(worker.said).not.toContain('capture judged');
    expect((await recorded).body.state).toBe('submitted');
    const next = await startWorker();
    expect((await page.outcome(60_000)).status).toBe('retry');
    expect(await stop(next)).toBe(0);
  });
});

it('SIGTERM to a worker that decodes a client’s picture, with others waiting', {
  timeout: TIMEOUT_MS,
}, async () => {
  const costly = await sharp({ create: { width: 6_000, height: 6_000, channels: 4, background: '#36a8' } })
    .png({ progressive: true })
    .toBuffer();
  const asked = Array.from({ length: 4 }, () => enrol(costly));
  const worker = await startWorker();
  await untilTaken('picture');
  expect(await stop(worker)).toBe(0);
  // What it had not begun stays in the queue, so the next worker answers it, or the client asks again.
  const next = await startWorker();
  for (const answer of await Promise.all(asked)) expect([422, 503]).toContain(answer);
  expect(await stop(next)).toBe(0);
});

async function openPage(): Promise<PageClient> {
  const challenge = await new TestApi(service).create({ liveness_only: true, require_consent: false });
  const page = new PageClient(challenge.challenge_url);
  await page.start();
  return page;
}

const record = (page: PageClient, piece: number) =>
  page.upload(cutPiece(piece), 'video/webm', PIECE_SECONDS * 1000);

async function enrol(picture: Uint8Array): Promise<number> {
  const { status } = await fetch(`${service.url}/v1/featids`, {
    method: 'POST',
    headers: { authorization: `Basic ${service.credentials.api_key}`, 'content-type': 'image/png' },
    body: new Uint8Array(picture),
  });
  return status;
}

async function startWorker(): Promise<Worker> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'likeness'), 'serve'], {
    env: {
      PATH,
      HOME,
      ROLE: 'worker',
      METRICS_PORT: '0',
      DATA_DIR: service.dataDir,
      DATABASE_URL: database.url,
      BASE_URL: service.url,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  createInterface({ input: child.stderr! }).on('line', (line) => said.push(JSON.parse(line).msg));
  const worker = { child, said };
  workers.push(worker);
  await expect.poll(() => said, { timeout: 60_000 }).toContain('ready');
  return worker;
}

/** Resolves once a worker has begun a job of this kind. */
async function untilTaken(task: string): Promise<void> {
  const taken = async () => {
    const { rows } = await sql`select 1 from graphile_worker.jobs
      where task_identifier = ${task} and locked_at is not null`.execute(database.db);
    return rows.length;
  };
  await expect.poll(taken, { timeout: 60_000, interval: 10 }).toBeGreaterThan(0);
}

/** Sends SIGTERM; resolves with the exit code, or says that it did not end in time. */
async function stop({ child }: Worker): Promise<number | string> {
  const ended = once(child, 'close').then(([code]) => code as number);
  child.kill('SIGTERM');
  return Promise.race([ended, delay(GRACE_MS, 'still running', { ref: false })]);
}
