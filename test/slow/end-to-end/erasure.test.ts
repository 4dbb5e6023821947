// Erased means gone, the longer cases: killed at any moment, after rejections, retention and revocation, under load,
// after a restart. The tests note the keys while they exist and search every file for them afterwards.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from '../../support/api.ts';
import { connectToEmbedded } from '../../support/attacker.ts';
import { facePath, HAS_FACES } from '../../support/faces.ts';
import { PageClient } from '../../support/page-client.ts';
import {
  newDataDir,
  type RunningService,
  removeDataDir,
  startService,
} from '../../support/running-service.ts';
import { filesWith, type Secrets } from '../../support/secret-search.ts';

/** What the service promises of an erasure. The sweep runs every 20 s, and takes some time. */
const SWEPT_MS = 60_000;
const SWEPT = { timeout: SWEPT_MS, interval: 1_000 };
const KILLS = 12;
const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';

describe.skipIf(!HAS_FACES)(`erased means gone${why}`, () => {
  let service: RunningService;
  let api: TestApi;
  let client: pg.Client;
  const dataDir = newDataDir();
  const copies = mkdtempSync(join(tmpdir(), 'likeness-copies-'));
  const gone: Record<string, Buffer> = {};

  async function begin(): Promise<void> {
    service = await startService({ dataDir, environment: { LIVENESS_PROMPTS: 'smile,neutral' } });
    api = new TestApi(service);
    client = await connectToEmbedded(dataDir);
  }

  beforeAll(begin);
  afterAll(async () => {
    await client?.end();
    if (service) expect(await service.stop()).toBe(0);
    removeDataDir(dataDir);
    rmSync(copies, { recursive: true, force: true });
  });

  async function keysOf(
    challengeId: string,
  ): Promise<{ details: Buffer; video: Buffer | null; tag: Buffer | null }> {
    const { rows } = await client.query(
      'select key as details, video_key as video, reference_tag as tag from erasure_key where id = $1',
      [challengeId],
    );
    return rows[0];
  }

  /** Copies the files of the running system as they are at this moment, and returns those that hold any of these. */
  function foundInCopy(name: string, needles: Secrets): string[] {
    const copy = join(copies, name);
    execFileSync('cp', ['-a', join(dataDir, 'postgres', 'cluster'), copy]);
    try {
      return filesWith(copy, needles);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  }

  async function create(reference: string): Promise<string> {
    return (await api.create({ customer_reference: reference, liveness_only: true })).challenge_id;
  }

  /** Completes a challenge with three uploads that cannot be judged. Returns the video key that each was sent under. */
  async function uploadThrice(): Promise<{ id: string; keys: Buffer[] }> {
    const { challenge_id: id, challenge_url } = await api.create({
      liveness_only: true,
      require_consent: false,
    });
    const page = new PageClient(challenge_url);
    await page.start();
    const [name] = readdirSync(facePath('video/malformed'));
    const keys: Buffer[] = [];
    for (let captured = 1; captured <= 3; captured++) {
      const bytes = Buffer.concat([
        readFileSync(facePath(`video/malformed/${name}`)),
        Buffer.alloc(captured),
      ]);
      keys.push((await keysOf(id)).video!);
      const answer = await page.upload(bytes, 'video/webm', 6_000);
      expect(answer.body.state, JSON.stringify(answer.body)).toBe('submitted');
      await page.outcome();
    }
    await api.waitFor(id, ['completed']);
    return { id, keys };
  }

  /** Waits until nothing below the data folder contains these, after retention was applied now. */
  async function expectPurged(needles: Secrets): Promise<void> {
    const options = { env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir } };
    const found = () => {
      execFileSync(process.execPath, ['bin/likeness', 'purge', '--json'], options);
      return filesWith(dataDir, needles);
    };
    // Once more where a transaction of the service still saw a key.
    await expect.poll(found, SWEPT).toEqual([]);
  }

  let tried: Awaited<ReturnType<typeof uploadThrice>>;

  it('no copy taken a minute after DELETE has answered holds a key', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await create(`person ${round}`);
      const { details, tag } = await keysOf(id);
      Object.assign(gone, { [`details ${id}`]: details, [`tag ${id}`]: tag! });
      await client.query(round % 2 ? 'analyze' : 'checkpoint');
      expect((await api.call('DELETE', `/v1/challenges/${id}`)).status).toBe(204);
    }
    const untilMs = performance.now() + SWEPT_MS;
    // Meanwhile, what the next test begins with.
    tried = await uploadThrice();
    const leftMs = Math.max(SWEPT.interval, untilMs - performance.now());
    await expect.poll(() => filesWith(dataDir, gone), { ...SWEPT, timeout: leftMs }).toEqual([]);
    expect(foundInCopy('a minute later', gone)).toEqual([]);
  }, 120_000);

  it('the key of a rejected recording goes with the next rewrite, while its challenge continues', async () => {
    const { id, keys } = tried;
    expect(new Set(keys.map(String)).size).toBe(3);
    const [first, second, last] = keys;
    Object.assign(gone, { [`first try ${id}`]: first, [`second try ${id}`]: second });
    await expectPurged({ first: first!, second: second! });
    expect(filesWith(dataDir, { last: last! })).not.toEqual([]);

    // The video's retention is over: the video goes, the result stays.
    await client.query(
      `update asset set delete_after = now() - interval '1 second' where challenge_id = $1`,
      [id],
    );
    await expect.poll(async () => (await keysOf(id)).video, SWEPT).toBeNull();
    await expectPurged({ last: last! });
    gone[`video ${id}`] = last!;
    const result = await api.call('GET', `/v1/challenges/${id}`);
    expect(result.body).toMatchObject({ status: 'completed', assets_links: [] });

    // Now the result's retention is over too.
    const { details } = await keysOf(id);
    await client.query(`update challenge set closed_at = now() - interval '91 days' where id = $1`, [id]);
    await expectPurged({ details });
    expect(await keysOf(id)).toBeUndefined();
    gone[`details ${id}`] = details;
  }, 200_000);

  it('an erasure that is killed at any moment has not happened, or is finished by the next start', async () => {
    const fates = { erased: 0, kept: 0 };
    for (let kill = 0; kill < KILLS; kill++) {
      const id = await create(`killed ${kill}`);
      const { details } = await keysOf(id);
      const asked = api.call('DELETE', `/v1/challenges/${id}`).catch(() => null);
      await delay(kill * 12);
      if (kill % 3 === 2) {
        // Takes down all of the database server's sessions too.
        const { rows } = await client.query('select pg_backend_pid() as pid');
        process.kill(rows[0].pid, 'SIGKILL');
      }
      await service.kill();
      await asked;
      await client.end().catch(() => {});
      await begin();
      const found = await api.call('GET', `/v1/challenges/${id}`);
      if (found.status === 404) {
        fates.erased += 1;
        gone[`details ${id}`] = details;
      } else {
        fates.kept += 1;
        expect(found.body.customer_reference).toBe(`killed ${kill}`);
        expect((await api.call('DELETE', `/v1/challenges/${id}`)).status).toBe(204);
        gone[`details ${id}`] = details;
      }
    }
    expect(fates.erased).toBeGreaterThan(0);
    expect(fates.erased + fates.kept).toBe(KILLS);
    await expect.poll(() => filesWith(dataDir, gone), SWEPT).toEqual([]);
  }, 900_000);

  it('nothing comes back after a thousand more challenges and a restart', async () => {
    for (let batch = 0; batch < 20; batch++) {
      await Promise.all(Array.from({ length: 50 }, (_, at) => create(`later ${batch} ${at}`)));
      if (batch % 5 === 0) await client.query('vacuum analyze');
      await client.query('checkpoint');
    }
    expect(foundInCopy('later', gone)).toEqual([]);
    await client.end();
    expect(await service.stop()).toBe(0);
    expect(filesWith(dataDir, gone)).toEqual([]);
    await begin();
    expect(filesWith(dataDir, gone)).toEqual([]);
  }, 300_000);
});
