// The two step-ups of examples/step-up, as a person meets them: the first payment enrols, the second compares.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttpRig, type HttpRig } from '../../http/http-rig.ts';
import { launchBrowser } from '../../support/browser.ts';
import { freePort } from '../../support/free-port.ts';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
let rig: HttpRig;
let service: string;
let browser: Browser;
let key: string;
const apps: ChildProcess[] = [];

beforeAll(async () => {
  // Builds the element as integrators get it.
  await promisify(execFile)('npm', ['pack', '--dry-run', '--silent'], {
    cwd: join(ROOT, 'packages/likeness'),
  });
  const port = await freePort();
  service = `http://127.0.0.1:${port}`;
  const settings = { capturePageDir: join(ROOT, 'build', 'web', 'capture') };
  [rig, browser] = await Promise.all([
    createHttpRig({ settings, environment: { BASE_URL: service } }),
    launchBrowser(),
  ]);
  await rig.app.listen({ host: '127.0.0.1', port });
  const account = (await rig.accounts.find(rig.accountId))!;
  key = (await rig.accounts.createKey(account, { sandbox: true }, 'test')).key;
}, 120_000);
afterAll(async () => {
  for (const app of apps) app.kill();
  await browser?.close();
  await rig?.close();
});

async function start(name: string): Promise<string> {
  const environment = { LIKENESS_URL: service, LIKENESS_API_KEY: key, LIKENESS_WEBHOOK_SECRET: 'none' };
  const env = { PATH: process.env.PATH, PORT: String(await freePort()), ...environment };
  const app = spawn(process.execPath, [`examples/step-up/${name}.js`], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  apps.push(app);
  const [line] = await once(app.stdout, 'data');
  return /http\S+/.exec(String(line))![0];
}

/** What the person presses on the sandbox's page. */
async function check(where: Page | FrameLocator, outcome: RegExp): Promise<void> {
  await where.getByRole('button', { name: /agree/i }).click();
  await where.getByRole('button', { name: outcome }).first().click();
}

it.each(['rest', 'component'])('%s: pays after a passed check, and not after a failed one', async (name) => {
  const url = await start(name);
  const page = await browser.newPage();
  const pay = async (outcome: RegExp) => {
    await page.goto(url);
    await page.getByRole('button', { name: 'Pay 249' }).click();
    await check(name === 'rest' ? page : page.frameLocator('iframe'), outcome);
  };
  await pay(/pass/i);
  await page.getByText('Paid. Thank you, Ada.').waitFor();
  await pay(/no.?match|another|other person/i);
  await page.getByText('Nothing was charged.').waitFor();
  const results = await rig.app.inject({ url: '/v1/challenges', headers: { authorization: `Basic ${key}` } });
  const [second, first] = results.json().data;
  expect([first, second]).toMatchObject([
    { liveness_only: true, overall_result: 'pass' },
    { liveness_only: false, overall_result: 'fail' },
  ]);
  await page.close();
});
