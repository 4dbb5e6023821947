// kill -9 of the whole service between the device's signature and the settlement, which then has begun to write: the
// person is bound to that device once, and a signature counts once.

import type pg from 'pg';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from '../../support/api.ts';
import { connectToEmbedded } from '../../support/attacker.ts';
import { launchBrowser } from '../../support/browser.ts';
import { takeChallenge } from '../../support/capture-subject.ts';
import { HAS_FACES } from '../../support/faces.ts';
import { freePort } from '../../support/free-port.ts';
import { TAKE_TIMEOUT_MS } from '../../support/journey.ts';
import {
  newDataDir,
  type RunningService,
  removeDataDir,
  startService,
  workerOf,
} from '../../support/running-service.ts';
import { installCamera } from '../../support/virtual-camera.ts';
import { plugIn } from '../../web/support/authenticator.ts';

const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';
const DEVICE = '[data-action="add-device"], [data-action="confirm-device"]';

/** Ends a person's way through the page. */
class Killed extends Error {}

describe.skipIf(!HAS_FACES)(`a service that dies over a signed recording${why}`, () => {
  const dataDir = newDataDir();
  let port: string;
  let browser: Browser;
  let service: RunningService | undefined;
  let client: pg.Client | undefined;
  let context: BrowserContext;
  let page: Page;
  let featid = '';

  beforeAll(async () => {
    port = String(await freePort());
    [browser, service] = await Promise.all([launchBrowser(), start()]);
    client = await connectToEmbedded(dataDir);
    context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    await installCamera(context, 'turning', 'follows');
    page = await context.newPage();
    await plugIn(page);
  });
  afterAll(async () => {
    await browser?.close();
    await client?.end();
    await service?.stop();
    removeDataDir(dataDir);
  });

  /** Each run is at the same address, which the passkey is made for. */
  const start = () =>
    startService({
      dataDir,
      environment: {
        PORT: port,
        BASE_URL: `http://localhost:${port}`,
        LIVENESS_LEVEL: 'quick',
        WORKER_PROCESSES: '1',
      },
    });

  const query = async (text: string, values: readonly unknown[] = []) =>
    (await client!.query(text, [...values])).rows;

  /** Whether a settlement waits until it may write what the device showed. */
  const isSettling = async () => {
    const waiting = await query(`select from pg_locks
      where relation = 'passkey'::regclass and mode like 'Row%' and not granted`);
    return waiting.length > 0;
  };

  /** What the database says of a challenge, and of all passkeys. */
  async function standing(challengeId: string) {
    const [challenge] = await query(
      'select status, overall_result, sealed_result from challenge where id = $1',
      [challengeId],
    );
    const events = await query(
      `select name from challenge_event where challenge_id = $1
        and name in ('evaluation_completed', 'device_added') order by id`,
      [challengeId],
    );
    const passkeys = await query('select id, sign_count::integer from passkey');
    return { challenge, events: events.map(({ name }) => name), passkeys };
  }

  /** Uses the device, and kills every process of the service once its settlement waits. Not if it sends back. */
  async function useAndKill(screen: string): Promise<void> {
    if (screen !== 'device') return;
    const answered = page.waitForResponse((answer) => answer.url().endsWith('/passkey'));
    await page.click(DEVICE, { timeout: 5_000 });
    expect((await answered).status()).toBe(200);
    const isSentBack = () => page.evaluate(() => document.documentElement.dataset.state === 'retry');
    await expect
      .poll(async () => (await isSettling()) || (await isSentBack()), { timeout: TAKE_TIMEOUT_MS })
      .toBe(true);
    if (!(await isSettling())) return;
    // Its worker would finish what it does.
    const worker = workerOf(service!);
    await service!.kill();
    process.kill(worker, 'SIGKILL');
    throw new Killed();
  }

  const use = async (screen: string) => {
    if (screen === 'device') await page.click(DEVICE, { timeout: 5_000 });
  };

  /** Takes a challenge that requires the device, over which the service dies; resolves with its result. */
  async function takeThroughDeath(fields: object) {
    const challenge = await new TestApi(service!).create({
      require_consent: false,
      device_binding: 'require',
      ...fields,
    });
    const { challenge_id: id, challenge_url: url } = challenge;
    const { passkeys } = await standing(id);
    await query('begin');
    // Nothing that settles can go past its passkey.
    await query('lock table passkey in exclusive mode');
    const options = { timeoutMs: TAKE_TIMEOUT_MS };
    await expect(takeChallenge(page, url, { ...options, onScreen: useAndKill })).rejects.toThrow(Killed);
    await query('rollback');
    expect(await standing(id)).toEqual({
      challenge: { status: 'processing', overall_result: null, sealed_result: null },
      events: [],
      passkeys,
    });
    service = await start();
    // What is sent back is recorded again, and signed by the same passkey.
    await takeChallenge(page, url, { ...options, onScreen: use });
    const result = await new TestApi(service).waitFor(id, ['completed'], TAKE_TIMEOUT_MS);
    expect(result, JSON.stringify(result.diagnostics)).toMatchObject({
      overall_result: 'pass',
      device_result: { status: 'bound' },
    });
    return { before: passkeys, ...(await standing(id)), result };
  }

  it(
    'has the device of an enrolment once when it is up again',
    async () => {
      const { result, events, passkeys } = await takeThroughDeath({ liveness_only: true });
      featid = result.liveness_result.liveness_featid;
      expect(events).toEqual(['evaluation_completed', 'device_added']);
      expect(passkeys).toHaveLength(1);
      const listed = await new TestApi(service!).call('POST', '/v1/featids/devices', { featid });
      expect(listed.body.data).toHaveLength(1);
    },
    TAKE_TIMEOUT_MS * 3,
  );

  it(
    'has the signature of a comparison once when it is up again',
    async () => {
      expect(featid).not.toBe('');
      const request = { liveness_only: false, compare_to_featids: [featid] };
      const { before, events, passkeys } = await takeThroughDeath(request);
      expect(events).toEqual(['evaluation_completed']);
      expect(passkeys.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
      expect(passkeys[0].sign_count).toBeGreaterThan(before[0].sign_count);
    },
    TAKE_TIMEOUT_MS * 3,
  );
});
