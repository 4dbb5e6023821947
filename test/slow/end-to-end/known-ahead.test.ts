// An attacker who collects the prompts before there is a film: asks for each step with a slice of one byte, then sends
// the whole film.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { IssuedCapture, ReceivedBytes } from '../../../src/contract/capture-page.ts';
import type { DrawnStep } from '../../../src/contract/script.ts';
import { keptClips, testPicture } from '../../evaluation/video/make-clip.ts';
import { TestApi } from '../../support/api.ts';
import { PageClient, performedScript } from '../../support/page-client.ts';
import {
  newDataDir,
  type RunningService,
  removeDataDir,
  startService,
} from '../../support/running-service.ts';

const dataDir = newDataDir();
let service: RunningService;
let film: Buffer;
beforeAll(async () => {
  const args = [...testPicture('320x240', 25, 9), '-c:v', 'libvpx', '-b:v', '400k'];
  film = readFileSync(await keptClips().make('film.webm', args));
  service = await startService({ dataDir, environment: { LIVENESS_JUST_IN_TIME: 'require' } });
});
afterAll(async () => {
  await service?.stop();
  removeDataDir(dataDir);
});

const announcementOf = (bytes: Uint8Array, index: number, to_ms: number) => ({
  index,
  to_ms,
  size_bytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

/** Sends the film as one last slice, when it might have been recorded; returns what the person is told. */
async function present(page: PageClient): Promise<string> {
  const issued = await page.call('POST', '/captures', {});
  const startedAtMs = performance.now();
  const { capture_id, step_count, script, chunk_bytes } = issued.body as IssuedCapture;
  const path = `/captures/${capture_id}`;
  let steps: DrawnStep[] = script.steps;
  // Every film begins with these bytes, so they can be sent before there is one.
  for (let index = 0; steps.length < step_count; index++) {
    await delay(5);
    const slices = [announcementOf(film.subarray(index, index + 1), index, index + 1)];
    const { body } = await page.call('POST', `${path}/slices`, { slices, steps: step_count });
    const received = body as ReceivedBytes;
    expect(received.steps?.length).toBe(index + 2);
    steps = received.steps!;
  }
  expect(performance.now() - startedAtMs).toBeLessThan(3_000);
  const known = steps.length - 1;
  const performed = performedScript({ ...script, steps }, 8_500 / step_count);
  const lengthMs = Math.max(9_000, performed.steps.at(-1)!.to_ms + 300);
  // One-byte slices as time passes, then all the rest.
  let index = known;
  for (; performance.now() - startedAtMs < lengthMs; index++) {
    await delay(1_000);
    const slices = [announcementOf(film.subarray(index, index + 1), index, (index - known + 1) * 900)];
    const { status, body } = await page.call('POST', `${path}/slices`, { slices });
    expect(status, JSON.stringify(body)).toBe(200);
  }
  const rest = announcementOf(film.subarray(index), index, (index - known + 1) * 900);
  expect((await page.call('POST', `${path}/slices`, { slices: [rest] })).status).toBe(200);
  const commit = { slices: index + 1, size_bytes: film.length, mime_type: 'video/webm', script: performed };
  const committed = await page.call('POST', `${path}/commit`, { ...commit, duration_ms: lengthMs });
  expect(committed.status, JSON.stringify(committed.body)).toBe(200);
  for (let offset = 0; offset < film.length; offset += chunk_bytes)
    await page.call('POST', `${path}/bytes?offset=${offset}`, film.subarray(offset, offset + chunk_bytes));
  return (await page.outcome()).status;
}

it('collecting the prompts first does not help an attacker', { timeout: 300_000 }, async () => {
  const api = new TestApi(service);
  const made = await api.create({ liveness_only: true, require_consent: false });
  const page = new PageClient(made.challenge_url);
  await page.start();
  // On the second try its pictures are already known, which cannot be retried.
  while ((await present(page)) === 'retry');
  const result = await api.waitFor(made.challenge_id, ['completed']);
  expect(result.overall_result).toBe('fail');
  expect(result.diagnostics.reasons).toEqual(expect.arrayContaining(['prompts_ahead', 'announced_late']));
});
