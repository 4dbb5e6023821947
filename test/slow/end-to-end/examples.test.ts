// The examples as their README starts them: processes of their own beside a real service, a browser, a virtual subject.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from '../../support/api.ts';
import { launchBrowser } from '../../support/browser.ts';
import type { CameraSubject } from '../../support/camera-film.ts';
import { takeChallenge } from '../../support/capture-subject.ts';
import { HAS_FACES } from '../../support/faces.ts';
import { freePort } from '../../support/free-port.ts';
import {
  newDataDir,
  type RunningService,
  removeDataDir,
  startService,
} from '../../support/running-service.ts';
import { installCamera } from '../../support/virtual-camera.ts';

const TIMEOUT_MS = 180_000;

describe('the examples', () => {
  const dataDir = newDataDir();
  const started: ChildProcess[] = [];
  let service: RunningService;
  let browser: Browser;
  let metricsPort: number;

  beforeAll(async () => {
    browser = await launchBrowser();
    metricsPort = await freePort();
    const environment = {
      LIVENESS_PROMPTS: 'smile,neutral',
      LIVENESS_LEVEL: 'quick',
      METRICS_PORT: String(metricsPort),
    };
    service = await startService({ dataDir, environment });
  }, TIMEOUT_MS);
  afterAll(async () => {
    for (const child of started) child.kill();
    await browser?.close();
    await service?.stop();
    removeDataDir(dataDir);
  });

  /** Starts an example with its documented command; resolves when it says that it is ready. */
  async function start(file: string, more = {}): Promise<{ url: string; output(): string }> {
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: String(await freePort()), ...more };
    const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    started.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    await expect.poll(() => output, { timeout: 20_000 }).toMatch(/ready on/);
    return { url: /ready on (\S+)/.exec(output)![1]!, output: () => output };
  }

  it('the receiver verifies and prints webhooks, and refuses unsigned requests', async () => {
    const receiver = await start('examples/receiver/server.js');
    const api = new TestApi(service);
    const endpoint = { type: 'http', properties: { endpoint_url: receiver.url } };
    const sent = await api.call('POST', '/v1/webhooks/test', endpoint);
    expect(sent.body).toMatchObject({ delivered: true });
    await expect.poll(receiver.output).toContain('ch_test_event (test-event): completed');
    expect((await fetch(receiver.url, { method: 'POST', body: '{}' })).status).toBe(400);
    expect((await fetch(receiver.url)).status).toBe(405);
  });

  it('the shop runs in the sandbox without a camera, and its challenges are marked', async () => {
    const shop = await start('examples/shop/server.js', { LIKENESS_SANDBOX: '1' });
    expect(await payInSandbox(shop.url, 'pass')).toBe('Paid. Thank you!');
    expect(await payInSandbox(shop.url, 'no_match')).toBe('Not paid');
    const headers = { authorization: `Basic ${service.credentials.sandbox_api_key}` };
    const answer = await fetch(`${service.url}/v1/challenges`, { headers });
    expect((await answer.json()).data).toMatchObject([
      { sandbox: true, overall_result: 'fail' },
      { sandbox: true, overall_result: 'pass' },
    ]);
  });

  /** Buys the lamp in a browser that has no camera; returns what the order's page says in the end. */
  async function payInSandbox(shopUrl: string, outcome: string): Promise<string> {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    try {
      const page = await context.newPage();
      await page.goto(shopUrl);
      await page.getByRole('button').click();
      await page.locator('[data-action="agree"]').click();
      await page.locator('.bar__sandbox').waitFor();
      await page.locator(`[data-action="end-as-${outcome}"]`).click();
      await page.waitForURL((url) => url.href.startsWith(shopUrl));
      return await settledHeading(page);
    } finally {
      await context.close();
    }
  }

  it.skipIf(!HAS_FACES)(
    `the shop lets a live person pay${HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)'}`,
    async () => {
      const shop = await start('examples/shop/server.js');
      expect(await payAs('d0', shop.url)).toBe('Paid. Thank you!');
      await expectMetrics();
    },
    TIMEOUT_MS,
  );

  /** The workers' metrics stand beside the API's, and none of them holds personal data. */
  async function expectMetrics(): Promise<void> {
    expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(text).toMatch(/^likeness_judgements_total\{settlement="completed",live="true"[^}]*\} 1$/m);
    expect(text).toMatch(/^likeness_judgement_step_seconds_count\{step="total"\} 1$/m);
    expect(text).toMatch(/^likeness_delivery_attempts_total\{outcome="delivered"\} \d+$/m);
    expect(text).toMatch(/^likeness_queue_depth\{queue="judge"\} 0$/m);
    expect(text).toMatch(/^likeness_worker_process_cpu_seconds_total [\d.]+$/m);
    expect(text).not.toMatch(/ch_[0-9a-z]{26}|acct_|msg_/);
  }

  /** Buys the lamp with that person before the camera; returns what the order's page says in the end. */
  async function payAs(who: CameraSubject, shopUrl: string): Promise<string> {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    try {
      await installCamera(context, who, 'follows');
      const page = await context.newPage();
      await page.goto(shopUrl);
      await page.getByRole('button').click();
      await page.waitForURL((url) => url.href.startsWith(service.url));
      expect((await takeChallenge(page, page.url(), { timeoutMs: TIMEOUT_MS })).end).toBe('left');
      return await settledHeading(page);
    } finally {
      await context.close();
    }
  }

  async function settledHeading(page: Page): Promise<string> {
    const heading = page.locator('h1');
    await expect
      .poll(() => heading.textContent().catch(() => null), { timeout: 30_000 })
      .toMatch(/^(Paid|Not paid)/);
    return (await heading.textContent()) ?? '';
  }
});
