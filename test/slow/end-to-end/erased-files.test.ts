// Erased means gone: a person takes a challenge in a browser, the client erases it, and an attacker with a copy of
// every file, the master key, the FeatureID and all ciphertexts recovers nothing. erasure.test.ts has longer cases.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attack, connectToEmbedded, type Loot, spyOnUploads, takeLoot } from '../../support/attacker.ts';
import { HAS_FACES } from '../../support/faces.ts';
import { SMILES_ALONE, TAKE_TIMEOUT_MS, useJourney } from '../../support/journey.ts';

const REFERENCE = 'ada.lovelace@example.org';
/** What the attacker is after. */
const ALL = ['delivery', 'request', 'result', 'template', 'upload', 'video'];
const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';

describe.skipIf(!HAS_FACES)(`an erased challenge${why}`, () => {
  const journey = useJourney({ ...SMILES_ALONE, REGION: 'au' });
  let client: pg.Client;
  let loot: Loot;
  let challengeId = '';
  const copies = mkdtempSync(join(tmpdir(), 'likeness-copies-'));

  beforeAll(async () => {
    client = await connectToEmbedded(journey.dataDir);
    await spyOnUploads(client);
  });
  afterAll(async () => {
    await client?.end();
    rmSync(copies, { recursive: true, force: true });
  });

  /** Copies the files of the running system as they are at this moment, as an attacker would. */
  function copyFiles(name: string): string {
    const copy = join(copies, name);
    rmSync(copy, { recursive: true, force: true });
    execFileSync('cp', ['-a', join(journey.dataDir, 'postgres', 'cluster'), copy]);
    return copy;
  }

  it(
    'was taken by a person who passed',
    async () => {
      const notification = { type: 'http', properties: { endpoint_url: 'http://127.0.0.1:2/ada' } };
      const challenge = await journey.api.create({
        customer_reference: REFERENCE,
        liveness_only: true,
        flow_behaviour: { exit_redirect_url: `http://127.0.0.1:2/done?${REFERENCE}` },
        notifications: { complete: [notification], expired: [] },
      });
      challengeId = challenge.challenge_id;
      await journey.take(challenge.challenge_url);
      const result = await journey.api.waitFor(challengeId, ['completed']);
      expect(result.overall_result).toBe('pass');
      const link = result.assets_links.find(
        ({ asset_type }: { asset_type: string }) => asset_type === 'liveness_video',
      );
      const video = Buffer.from(await (await fetch(link.presigned_url)).arrayBuffer());
      const featid: string = result.liveness_result.liveness_featid;
      loot = await takeLoot(journey.dataDir, client, {
        challengeId,
        featid,
        region: 'au',
        reference: REFERENCE,
        video,
      });
    },
    TAKE_TIMEOUT_MS,
  );

  it('can be read with the files, the master key and the string for as long as it is kept', async () => {
    expect(await attack(copyFiles('before'), loot)).toEqual(ALL);
  });

  it('is gone from every file within a minute of DELETE, and stays gone', async () => {
    expect((await journey.api.call('DELETE', `/v1/challenges/${challengeId}`)).status).toBe(204);
    await expect
      .poll(async () => attack(copyFiles('soon'), loot), { timeout: 60_000, interval: 5_000 })
      .toEqual([]);
    await client.query('checkpoint');
    expect(await attack(copyFiles('later'), loot)).toEqual([]);
    expect(journey.service.log()).not.toContain(REFERENCE);
    const check = { liveness_only: false, compare_to_featids: [loot.featid] };
    const refused = await journey.api.call('POST', '/v1/create-challenge', check);
    expect(refused.body.errors[0].code).toBe('featid_revoked');
  }, 120_000);
});
