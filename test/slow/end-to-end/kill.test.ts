// Nothing accepted is lost by kill -9 of the worker in the middle of a judgement, by SIGTERM or kill -9 of the whole
// service.
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { TestApi } from '../../support/api.ts';
import { HAS_FACES } from '../../support/faces.ts';
import { PageClient } from '../../support/page-client.ts';
import { cutPiece, PIECE_SECONDS } from '../../support/pieces.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import {
  newDataDir,
  type RunningService,
  removeDataDir,
  startService,
  workerOf,
} from '../../support/running-service.ts';

const TIMEOUT_MS = 180_000;
const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';

describe.skipIf(!HAS_FACES)(`kill -9${why}`, () => {
  const dataDir = newDataDir();
  let service: RunningService | undefined;
  let receiver: Receiver | undefined;
  const start = () =>
    startService({ dataDir, environment: { LIVENESS_PROMPTS: 'smile,neutral', LIVENESS_LEVEL: 'quick' } });

  afterAll(async () => {
    await service?.stop();
    await receiver?.close();
    removeDataDir(dataDir);
  });

  it(
    'judges what was accepted and delivers what was due, whichever process was killed meanwhile',
    async () => {
      receiver = await startReceiver();
      service = await start();
      const api = () => new TestApi(service!);
      const notification = { type: 'http', properties: { endpoint_url: `${receiver.url}/webhooks` } };
      const challenge = await api().create({
        liveness_only: true,
        require_consent: false,
        notifications: { complete: [notification] },
      });
      const page = new PageClient(challenge.challenge_url);
      await page.start();
      const upload = (client: PageClient, piece: number) =>
        client.upload(cutPiece(piece), 'video/webm', PIECE_SECONDS * 1000);

      expect((await upload(page, 0)).body.state).toBe('submitted');
      process.kill(workerOf(service), 'SIGKILL');
      expect((await page.outcome(TIMEOUT_MS)).status).toBe('retry');

      // SIGTERM in the middle of a judgement, with a request under way: both are finished, and nothing is forgotten.
      expect((await upload(page, 1)).body.state).toBe('submitted');
      const waiting = page.call('GET', '/outcome?wait_seconds=20');
      await delay(200);
      expect(await service.stop()).toBe(0);
      expect((await waiting).status).toBe(200);
      service = await start();
      await expect
        .poll(() => eventsOf(api(), challenge.challenge_id), { timeout: TIMEOUT_MS })
        .toHaveLength(2);

      // The same link, at the new process's address.
      const again = new PageClient(`${service.url}${new URL(challenge.challenge_url).pathname}`, page.device);
      expect((await upload(again, 2)).body.state).toBe('submitted');
      await service.kill();
      service = await start();
      const result = await api().waitFor(challenge.challenge_id, ['completed'], TIMEOUT_MS);
      expect(result.overall_result).toBe('fail');
      expect(result.diagnostics.reasons).toContain('smile_missing');
      await receiver.received(1, 30_000);
      const ids = receiver.requests.map((request) => request.headers['webhook-id']);
      expect(new Set(ids).size).toBe(1);
    },
    TIMEOUT_MS * 2,
  );
});

async function eventsOf(api: TestApi, challengeId: string): Promise<string[]> {
  const { body } = await api.call('GET', `/v1/challenges/${challengeId}`);
  const names: string[] = body.events.map((event: { name: string }) => event.name);
  return names.filter((name) => name === 'capture_rejected');
}
