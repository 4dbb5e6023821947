// A recording that the service's own absence spoilt costs the person no try; silence of the person's own does.
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { TestApi } from '../../support/api.ts';
import { PageClient } from '../../support/page-client.ts';
import {
  newDataDir,
  type RunningService,
  removeDataDir,
  startService,
} from '../../support/running-service.ts';

/** Longer than a slice's announcement may be late. */
const SILENCE_MS = 7_000;
const BEGINS = Buffer.from('1a45dfa3', 'hex');

let dataDir: string;
let service: RunningService;
beforeEach(async () => {
  dataDir = newDataDir();
  service = await startService({ dataDir });
});
afterEach(async () => {
  await service.stop();
  removeDataDir(dataDir);
});

/** Begins a recording, lets time pass, and announces its next slice; resolves with the tries left. */
async function triesLeftAfter(pass: () => Promise<void>): Promise<number> {
  const { challenge_url } = await new TestApi(service).create({
    liveness_only: true,
    require_consent: false,
  });
  const begun = new PageClient(challenge_url);
  await begun.start();
  const { body } = await begun.issue(BEGINS);
  await pass();
  const address = new URL(new URL(challenge_url).pathname, service.url).href;
  const page = new PageClient(address, begun.device);
  const next = { slices: [{ index: 1, sha256: 'a'.repeat(64), size_bytes: 5, to_ms: 1_500 }] };
  // A service that just woke up may say that it is busy, and the page asks again.
  const announce = () => page.call('POST', `/captures/${body.capture_id}/slices`, next);
  let answer = await announce();
  for (let asked = 1; answer.status === 503 && asked < 20; asked++) {
    await delay(500);
    answer = await announce();
  }
  expect(answer).toMatchObject({ status: 409, body: { conflict: 'slice_too_late' } });
  return (await page.call('POST', '/state', {})).body.tries_left;
}

it('a silent person loses a try', async () => {
  expect(await triesLeftAfter(() => delay(SILENCE_MS))).toBe(2);
}, 60_000);

it('a service that stands still, or is killed and started anew, does not take one', async () => {
  expect(
    await triesLeftAfter(async () => {
      service.process.kill('SIGSTOP');
      await delay(SILENCE_MS);
      service.process.kill('SIGCONT');
    }),
  ).toBe(3);
  expect(
    await triesLeftAfter(async () => {
      await service.kill();
      await delay(SILENCE_MS);
      service = await startService({ dataDir });
    }),
  ).toBe(3);
}, 120_000);
