// Hostile and broken files through the real service's upload: a clear outcome each, and the service still up.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from '../../support/api.ts';
import { facePath, HAS_FACES } from '../../support/faces.ts';
import { PageClient } from '../../support/page-client.ts';
import {
  newDataDir,
  type RunningService,
  removeDataDir,
  startService,
} from '../../support/running-service.ts';

/** One challenge takes this many tries. */
const TRIES = 3;
const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';
const FOLDER = 'video/malformed';
// Pictures end as `jpeg_as_mp4.mp4` does, by their first bytes; as pictures: test/evaluation/template-of-media.test.ts.
const files = HAS_FACES ? readdirSync(facePath(FOLDER)).map((name) => `${FOLDER}/${name}`) : [];

describe.skipIf(!HAS_FACES)(`malformed uploads${why}`, () => {
  let service: RunningService;
  let api: TestApi;
  const dataDir = newDataDir();

  beforeAll(async () => {
    service = await startService({ dataDir, environment: { LIVENESS_PROMPTS: 'smile,neutral' } });
    api = new TestApi(service);
  });
  afterAll(async () => {
    if (service) expect(await service.stop()).toBe(0);
    removeDataDir(dataDir);
  });

  it.each(batches(files))('%s', async (...batch) => {
    const challenge = await api.create({ liveness_only: true, require_consent: false });
    const page = new PageClient(challenge.challenge_url);
    await page.start();
    let judged = 0;
    for (const file of batch) {
      const bytes = readFileSync(facePath(file));
      const type = file.endsWith('.webm') ? 'video/webm' : 'video/mp4';
      const answer = await page.upload(bytes, type, declaredMs(facePath(file)));
      if (bytes.length === 0) {
        expect(answer.status, file).toBe(422);
        continue;
      }
      expect(answer.body.state, `${file}: ${JSON.stringify(answer.body)}`).toBe('submitted');
      judged++;
      const outcome = await page.outcome();
      if (judged < TRIES) {
        expect(outcome.status, file).toBe('retry');
        expect(['video_unreadable', 'too_short', 'face_missing', 'too_dark'], file).toContain(
          outcome.retry.reason,
        );
      } else expect(outcome.status, file).toBe('done');
    }
    if (judged === TRIES) {
      const result = await api.waitFor(challenge.challenge_id, ['completed']);
      expect(result.overall_result).toBe('fail');
      expect(result.diagnostics.reasons.length).toBeGreaterThan(0);
    }
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  });
});

/** The length that the file declares; 0 where it declares none, or one that is too long for a test to wait for. */
function declaredMs(path: string): number {
  const asked = ['-v', 'quiet', '-show_entries', 'format=duration', '-of', 'csv=p=0', path];
  const seconds = Number(spawnSync('ffprobe', asked, { encoding: 'utf8', timeout: 10_000 }).stdout);
  return seconds > 0 && seconds < 5 ? seconds * 1000 : 0;
}

function batches(all: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(all.length / TRIES) }, (_, at) =>
    all.slice(at * TRIES, (at + 1) * TRIES),
  );
}
