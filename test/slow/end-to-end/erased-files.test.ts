// Erased means gone: a person takes a challenge in a browser, the client erases it, and somebody with a copy of every
// file, the master key, the FeatureID and all ciphertexts gets nothing back. erasure.test.ts beside it has the long story.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from '../../support/api.ts';
import { attack, connectToEmbedded, type Loot, spyOnUploads, takeLoot } from '../../support/attacker.ts';
import { launchBrowser } from '../../support/browser.ts';
import { takeChallenge } from '../../support/capture-subject.ts';
import { HAS_FACES } from '../../support/faces.ts';
import {
  newDataDir,
  type RunningService,
  removeDataDir,
  startService,
} from '../../support/running-service.ts';
import { installCamera } from '../../support/virtual-camera.ts';

const TAKE_TIMEOUT_MS = 180_000;
const REFERENCE = 'ada.lovelace@example.org';
/** What the attacker is after. */
const ALL = ['delivery', 'request', 'result', 'template', 'upload', 'video'];
const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';

describe.skipIf(!HAS_FACES)(`an erased challenge${why}`, () => {
  let service: RunningService;
  let api: TestApi;
  let browser: Browser;
  let client: pg.Client;
  let loot: Loot;
  let challengeId = '';
  const dataDir = newDataDir();
  const copies = mkdtempSync(join(tmpdir(), 'likeness-copies-'));

  beforeAll(async () => {
    const environment = { LIVENESS_PROMPTS: 'smile,neutral', LIVENESS_LEVEL: 'quick', REGION: 'au' };
    [browser, service] = await Promise.all([launchBrowser(), startService({ dataDir, environment })]);
    api = new TestApi(service);
    client = await connectToEmbedded(dataDir);
    await spyOnUploads(client);
  });
  afterAll(async () => {
    await client?.end();
    await browser?.close();
    if (service) expect(await service.stop()).toBe(0);
    removeDataDir(dataDir);
    rmSync(copies, { recursive: true, force: true });
  });

  /** As an attacker takes it: the files of the running system, as they are at this moment. */
  function copyFiles(name: string): string {
    const copy = join(copies, name);
    execFileSync('cp', ['-a', join(dataDir, 'postgres', 'cluster'), copy]);
    return copy;
  }

  it(
    'was taken by a person who passed',
    async () => {
      const notification = { type: 'http', properties: { endpoint_url: 'http://127.0.0.1:2/ada' } };
      const challenge = await api.create({
        customer_reference: REFERENCE,
        liveness_only: true,
        flow_behaviour: { exit_redirect_url: `http://127.0.0.1:2/done?${REFERENCE}` },
        notifications: { complete: [notification], expired: [] },
      });
      challengeId = challenge.challenge_id;
      const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
      await installCamera(context, 'd0', 'follows');
      await takeChallenge(await context.newPage(), challenge.challenge_url, { timeoutMs: TAKE_TIMEOUT_MS });
      await context.close();
      const result = await api.waitFor(challengeId, ['completed']);
      expect(result.overall_result).toBe('pass');
      const link = result.assets_links.find(
        ({ asset_type }: { asset_type: string }) => asset_type === 'liveness_video',
      );
      const video = Buffer.from(await (await fetch(link.presigned_url)).arrayBuffer());
      const featid: string = result.liveness_result.liveness_featid;
      loot = await takeLoot(dataDir, client, {
        challengeId,
        featid,
        region: 'au',
        reference: REFERENCE,
        video,
      });
    },
    TAKE_TIMEOUT_MS,
  );

  it('lies open to who holds files, master key and string, as long as it is kept', async () => {
    expect(await attack(copyFiles('before'), loot)).toEqual(ALL);
  });

  it('is gone from every file when DELETE answers, and stays gone', async () => {
    expect((await api.call('DELETE', `/v1/challenges/${challengeId}`)).status).toBe(204);
    const atOnce = copyFiles('at once');
    await client.query('checkpoint');
    expect(await attack(atOnce, loot)).toEqual([]);
    expect(await attack(copyFiles('later'), loot)).toEqual([]);
    expect(service.log()).not.toContain(REFERENCE);
    const check = { liveness_only: false, compare_to_featids: [loot.featid] };
    const refused = await api.call('POST', '/v1/create-challenge', check);
    expect(refused.body.errors[0].code).toBe('featid_revoked');
  });
});
