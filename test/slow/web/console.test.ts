// The console in a real browser on the real services: every page, by keyboard where it matters, and axe on each.
import { TOTP } from 'otpauth';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/base/ids.ts';
import { sealResult, sealTry } from '../../../src/challenge/seals.ts';
import { newTotpSecret } from '../../../src/console/totp.ts';
import { writeAudit } from '../../../src/storage/postgres/audit.ts';
import { createHttpRig, type HttpRig, OPERATOR_PASSWORD } from '../../http/http-rig.ts';
import { launchBrowser } from '../../support/browser.ts';
import { answer, type Receiver, startReceiver } from '../../support/receiver.ts';
import { leaveScreenshot } from '../../web/support/browser.ts';
import {
  CONSOLE_PAGES,
  consolePageDir,
  expectAccessible,
  expectWhole,
  openConsolePage,
  WINDOWS,
} from '../../web/support/console.ts';

describe('the console in a browser', () => {
  let rig: HttpRig;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let receiver: Receiver;
  let url = '';
  let judgedId = '';
  const thirdParties: string[] = [];

  beforeAll(async () => {
    rig = await createHttpRig({ console: true, settings: { consolePageDir }, environment: { OIDC: 'on' } });
    receiver = await startReceiver();
    receiver.script([], answer(204));
    url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
    judgedId = await makeJudged();
    await rig.call('POST', '/v1/webhooks/test', {
      type: 'http',
      properties: { endpoint_url: `${receiver.url}/?token=secret` },
    });
    browser = await launchBrowser();
    context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      reducedMotion: 'reduce',
      timezoneId: 'Asia/Kolkata',
    });
    page = await context.newPage();
    page.on('request', (request) => {
      if (!request.url().startsWith(url)) thirdParties.push(request.url());
    });
  });
  afterAll(async () => {
    await browser?.close();
    await Promise.all([rig?.close(), receiver?.close()]);
  });

  /** A completed comparison with everything that the page can show of one. */
  async function makeJudged(): Promise<string> {
    const asked = { liveness_only: true, customer_reference: 'order 42', device_binding: 'offer' };
    const { challenge_id } = await rig.create(asked);
    await rig.makeAsset(challenge_id, await sharp({ create: PLAIN }).png().toBuffer(), 'image/png');
    const cue = {
      cue: 'smile',
      status: 'failed',
      value: 0.31,
      threshold: 0.8,
      reason: 'smile_missing',
    } as const;
    const compared = {
      featid: 'lf1_0123456789abcdef',
      feat_id: 'lf1_0123456789abcdef',
      score: 0.83,
      result: 'pass',
      likeness_features: { nose: 'Pass', mouth: 'Fail', left_eye: 'Pass' },
    } as const;
    const sealed = await sealResult(rig.custody, await rig.placeOf(challenge_id), {
      liveness: { face: true, smile: false, spoof_result: true, overall: false },
      liveness_featid: null,
      compared: [compared],
      sources: ['liveness_video'],
      reasons: ['smile_missing'],
      device: { status: 'bound', backed_up: false, credential_since: '2026-01-31T09:30:00.123Z' },
      cues: {
        cues: [cue],
        timings_ms: { track: 512.3 },
        region_strengths: { [compared.featid]: { nose: 1, mouth: 0.04, left_eye: 0.55 } },
      },
    });
    await rig.db
      .updateTable('challenge')
      .set({
        sealed_result: sealed,
        overall_result: 'fail',
        status: 'completed',
        closed_reason: 'completed',
        closed_at: new Date(Date.now() + 2_000),
      })
      .where('id', '=', challenge_id)
      .execute();
    await writeAudit(rig.db, {
      actor: 'system',
      action: 'challenge.device_checked',
      accountId: rig.accountId,
      subject: challenge_id,
      detail: { device_result: { status: 'bound', backed_up: false } },
    });
    await addTry(challenge_id, 1, 'rejected');
    await addTry(challenge_id, 2, 'judged');
    await rig.db
      .updateTable('asset')
      .set({ kind: 'best_frame' })
      .where('challenge_id', '=', challenge_id)
      .execute();
    return challenge_id;
  }

  /** A try with its judgement and curves, as a worker leaves it. */
  async function addTry(challengeId: string, attempt: number, state: 'judged' | 'rejected'): Promise<void> {
    const id = newId('capture');
    const sealed_try = await sealTry(rig.custody, await rig.placeOf(challengeId), id, {
      liveness: { face: true, smile: false, spoof_result: true, overall: false },
      reasons: [state === 'rejected' ? 'too_dark' : 'smile_missing'],
      cues: [
        { cue: 'sharpness', status: 'passed', value: 0.5, threshold: 0.2, reason: null },
        { cue: 'smile', status: 'failed', value: 0.31, threshold: 0.8, reason: 'smile_missing' },
      ],
      timings_ms: { track: 500 + attempt },
      durationMs: 4_000,
      moments: Array.from({ length: 40 }, (_, i) => ({
        timeMs: i * 100,
        motion: i % 3,
        identity: 0.9,
        face: { smile: i / 40, head: { x: 0, y: 0 } },
      })),
    });
    await rig.db
      .insertInto('capture')
      .values({
        id,
        challenge_id: challengeId,
        account_id: rig.accountId,
        attempt,
        state,
        sealed_try,
        level: 'standard',
        script: JSON.stringify({
          steps: [{ prompt: 'smile', hold_ms: 500 }],
          max_step_ms: 6_000,
          ...(state === 'judged' && { way: 'without_turns' }),
        }),
        performed_script: JSON.stringify({ steps: [{ prompt: 'smile', from_ms: 0, to_ms: 4_000 }] }),
        commit_deadline: new Date(),
        submitted_at: new Date(Date.now() + attempt),
        size_bytes: 1_000_000,
        mime_type: 'video/webm',
        rejected_reason: state === 'rejected' ? 'too_dark' : null,
      })
      .execute();
  }

  const open = (address: string, heading: string) => openConsolePage(page, url, address, heading);

  async function turn(colorScheme: 'light' | 'dark'): Promise<void> {
    await page.emulateMedia({ colorScheme });
    const scheme = () => page.getAttribute('html', 'data-mantine-color-scheme');
    await expect.poll(scheme).toBe(colorScheme);
    // Colours fade from one to the other.
    await page.evaluate(
      'Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => {})',
    );
  }

  it('asks for the password and says when it is wrong', async () => {
    await page.goto(`${url}/console`);
    await page.getByLabel('Operator password').fill('not the password');
    await page.keyboard.press('Enter');
    await page.getByText('That is not the password.').waitFor();
    await expectAccessible(page, 'sign-in');
    await page.getByLabel('Operator password').fill(OPERATOR_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  it('says who gets in, how fast and by day, and counts reasons', async () => {
    await open('/', 'Overview');
    await page.getByText('In at the first try').waitFor();
    await page
      .getByRole('img', { name: /^Share of people who got in, by day/ })
      .locator('circle')
      .first()
      .waitFor();
    for (const name of [/^Share of people/, /^Seconds from start/, /^Challenges by day/]) {
      const labels = await page.getByRole('img', { name }).locator('text').allTextContents();
      const days = labels.filter((label) => label.includes('-'));
      expect(days.length, String(name)).toBeGreaterThan(1);
      for (const day of days) expect(day).toMatch(/^20\d\d-\d\d-\d\d$/);
    }
    const titles = await page.getByRole('heading', { level: 2, name: /by day/ }).allTextContents();
    expect(titles).toEqual([
      'Who gets in, by day (UTC)',
      'How long it takes, by day (UTC)',
      'Challenges by day (UTC)',
    ]);
    await page.getByText('As a table').click();
    const today = page.getByRole('region', { name: 'By day, as a table' }).getByRole('row').last();
    const cells = await today.getByRole('cell').allTextContents();
    // Created, and what became of them; then the person who was turned away at both tries.
    expect(cells.slice(1)).toEqual(['1', '0', '1', '0', '0', '0', '0 %', '0 %', '–', '–']);
    await page.getByText('smile missing').waitFor();
    const sentBack = page.getByRole('region', { name: 'Reason', exact: true });
    expect(await sentBack.getByRole('row').last().getByRole('cell').allTextContents()).toEqual([
      'too dark',
      '1',
      '0 %',
      '–',
      '–',
    ]);
    expect(await page.getByRole('cell', { name: 'standard' }).count()).toBe(1);
    const funnel = page.getByRole('listitem').filter({ hasText: /^(Sent back|Judged )/ });
    expect(await funnel.allTextContents()).toEqual([
      'Sent back: too dark1 100 %',
      'Judged without turns1 100 %',
    ]);
  });

  // In light colours: console-windows.test.ts.
  it.each(CONSOLE_PAGES)('shows %s in dark colours', async (address, heading) => {
    await open(address, heading);
    await turn('dark');
    await expectAccessible(page, `${heading}-dark`);
    await turn('light');
  });

  it('identifies receivers by their address', async () => {
    await open('/deliveries', 'Deliveries');
    const receivers = page.getByRole('region', { name: 'Receivers' });
    await expect.poll(() => receivers.textContent()).toContain(`${receiver.url}/`);
    await expect
      .poll(() => page.getByRole('region', { name: 'Deliveries' }).textContent())
      .toContain(receiver.url);
    // What follows `?` may be a secret of the client.
    expect(await page.textContent('main')).not.toContain('token=');
  });

  it('shows one challenge: checks, face map, score, and the picture on demand', async () => {
    await open(`/challenges/${judgedId}`, judgedId);
    await page.getByText('smile_missing').first().waitFor();
    await page.getByRole('img', { name: /threshold is at 0.50/ }).waitFor();
    const face = page.getByRole('img', { name: /regions/ });
    const shades = await face
      .locator('path[fill-opacity]')
      .evaluateAll((regions) => regions.map((each) => [each.textContent, each.getAttribute('fill-opacity')]));
    // Shaded by their comparison scores, whatever the client was told of them.
    expect(shades).toEqual([
      ['left eye: 0.55', '0.59'],
      ['nose: 1.00', '1.00'],
      ['mouth: 0.04', '0.12'],
    ]);
    expect(await face.locator('path[stroke-dasharray]').count()).toBe(9);
    expect(await page.getByRole('row', { name: 'mouth' }).textContent()).toBe('mouth0.04Fail');
    expect(await page.textContent('main')).not.toContain('0123456789abcdef');
    expect(await page.textContent('dl')).toContain('offered: boundpasskey that stays on the device, since ');
    expect(await page.getByText(/^script of try/).allTextContents()).toEqual([
      'script of try 1',
      'script of try 2, without turns',
    ]);
    const frame = page.getByRole('img', { name: 'Best frame of the capture' });
    expect(await frame.count()).toBe(0);
    await page.getByRole('button', { name: 'Show the best frame' }).click();
    await frame.waitFor();
    const width = "document.querySelector('img[alt^=Best]').naturalWidth";
    await expect.poll(() => page.evaluate(width)).toBe(PLAIN.width);
    await expectAccessible(page, 'challenge');
    await open('/audit', 'Audit log');
    await page.getByText('best_frame.viewed').waitFor();
    const checked = page.getByRole('row').filter({ hasText: 'challenge.device_checked' });
    expect(await checked.textContent()).toContain(
      `${judgedId}device: bound, passkey that stays on the device`,
    );
  });

  it('moves the focus to a challenge opened from the list, and puts its id in the title', async () => {
    await open('/challenges', 'Challenges');
    await page.getByRole('link', { name: judgedId }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: judgedId }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('MAIN');
    expect(await page.title()).toContain(judgedId);
  });

  it('shows every try with its checks, failed ones first, and its curves', async () => {
    await open(`/challenges/${judgedId}`, judgedId);
    const tries = page.getByRole('article', { name: /^Try/ });
    await expect
      .poll(() => tries.locator('h3').allTextContents())
      .toEqual(['Try 2 judged', 'Try 1 sent back']);
    const first = await tries.nth(1).locator('tbody tr td:first-child').allTextContents();
    expect(first).toEqual(['smile', 'sharpness']);
    expect(await tries.nth(1).textContent()).toContain('too_dark');
    expect(await tries.nth(1).textContent()).toContain('No video');
    expect(await tries.nth(0).textContent()).not.toContain('No video');
    await page.getByText('Curves of try 1').first().click();
    const image = tries.nth(1).getByRole('img', { name: /^How well each prompt/ });
    await image.scrollIntoViewIfNeeded();
    const width = "document.querySelectorAll('img[alt^=How]')[1]?.naturalWidth";
    await expect.poll(() => page.evaluate(width)).toBeGreaterThan(500);
    await expectAccessible(page, 'tries');
    const curves = await image.getAttribute('src');
    const svg = await (await context.request.get(`${url}${curves}`)).text();
    // Drawn by the same code as `evaluate --plot`.
    expect(svg).toContain('<svg');
    expect(svg).toContain('Try 1');
    expect(svg).toContain('answered');
    const elsewhere = curves!.replace(/cap_\w+/, `cap_${'0'.repeat(26)}`);
    expect((await context.request.get(`${url}${elsewhere}`)).status()).toBe(404);
    expect((await (await browser.newContext()).request.get(`${url}${curves}`)).status()).toBe(401);
  });

  it('shows times in 24 hours, with year and zone', async () => {
    await open('/challenges', 'Challenges');
    const created = page.getByRole('row', { name: /order 42/ }).locator('time');
    const at = Date.parse((await created.getAttribute('datetime'))!);
    const there = new Date(at + 5.5 * 3_600_000).toISOString();
    const form = `^${there.slice(8, 10)}\\s\\p{L}+\\s${there.slice(0, 4)} ${there.slice(11, 19)}\\sGMT\\+5:30$`;
    expect(await created.textContent()).toMatch(RegExp(form, 'u'));
  });

  it('finds a new challenge by itself, and filters', async () => {
    await open('/challenges', 'Challenges');
    await page.getByLabel('Search').fill('brand new');
    await page.getByText('No matching challenges.').waitFor();
    await rig.create({ liveness_only: true, customer_reference: 'brand new' });
    await page.getByRole('cell', { name: 'brand new' }).waitFor({ timeout: 10_000 });
  });

  it('makes a key and shows it once; revoking asks again', async () => {
    await open('/accounts', 'Accounts');
    await page.getByRole('button', { name: 'New sandbox key' }).click();
    const shown = await page
      .getByText(/^lk_test_/)
      .first()
      .textContent();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy: API key' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(shown);
    const row = page.getByRole('row', { name: /sandbox/ });
    await row.getByRole('button', { name: 'Revoke' }).click();
    await row.getByRole('button', { name: 'Yes, revoke' }).click();
    await row.getByText('revoked').waitFor();
    const rotate = page.getByRole('button', { name: 'Rotate webhook secret' }).first();
    await rotate.click();
    await page.getByRole('button', { name: /^Yes, rotate/ }).click();
    await page
      .getByText(/whsec_/)
      .first()
      .waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    expect(await page.content()).not.toContain(shown!);
  });

  it('registers a client of the OpenID Provider, and shows what people will read about it', async () => {
    await open('/logins', 'Logins');
    await page.getByLabel('Name for operators').fill('gate');
    await page.getByLabel('Redirect URIs').fill('https://gate.example/back');
    const registering = page.locator('form', { has: page.getByRole('button', { name: 'Register' }) });
    await registering.getByLabel('Purpose shown to people').fill('opening the gate.');
    await registering
      .getByLabel('Addition to the consent text')
      .fill('<b>Checked here.</b>\nAsk at the gate.');
    await registering.getByLabel("The person's device").selectOption('require');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText(/^los_/).waitFor();
    const facts = page.locator('dl').first();
    expect(await facts.innerText()).toContain('https://gate.example/back');
    expect(await facts.innerText()).toContain('opening the gate.');
    expect(await facts.innerText()).toContain('must have a passkey');
    expect(await facts.innerText()).toContain('<b>Checked here.</b>\nAsk at the gate.');
    await page.getByText('Change what people read').click();
    const changing = page.locator('form', { has: page.getByRole('button', { name: /^Save/ }) });
    await changing.getByLabel('Name shown to people').fill('The Gate');
    await changing.getByLabel('Addition to the consent text').fill('');
    await leaveScreenshot(page, 'console-login-client');
    await changing.getByRole('button', { name: /^Save/ }).click();
    await facts.getByText('The Gate', { exact: true }).waitFor();
    expect(await facts.innerText()).toContain('opening the gate.');
    expect(await facts.innerText()).not.toContain('Checked here.');

    await page.getByText('Erase a person').click();
    await page.getByLabel('Name', { exact: true }).fill('ada');
    await page.getByRole('button', { name: 'Erase', exact: true }).click();
    await leaveScreenshot(page, 'console-login-erasure');
    await page.getByRole('button', { name: 'Yes, forget this person' }).click();
    await page.getByText('The client knows nobody by this name').waitFor();
    await expectAccessible(page, 'login-refused');
  });

  // Its other pages: console-windows.test.ts.
  it.each(WINDOWS)('shows a challenge whole, %i px wide', async (width, height) => {
    await page.setViewportSize({ width, height });
    await open(`/challenges/${judgedId}`, judgedId);
    await expectWhole(page, judgedId);
    await expectAccessible(page, `${width}-challenge`);
  });

  it('signs out, and leaves nothing behind', async () => {
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByLabel('Operator password').waitFor();
    expect(await context.cookies()).toEqual([]);
    expect(thirdParties).toEqual([]);
  });
});

describe('the console with a second factor, on a port of its own', () => {
  const secret = newTotpSecret();
  let rig: HttpRig;
  let browser: Browser;
  let url = '';
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  // Each test has its own limit of sign-ins.
  beforeEach(async () => {
    rig = await createHttpRig({ console: 'own', totpSecret: secret, settings: { consolePageDir } });
    url = await rig.consoleApp.listen({ host: '127.0.0.1', port: 0 });
  });
  afterEach(() => rig?.close());
  afterAll(async () => {
    await browser?.close();
  });

  let skewMs = 0;
  /** A code that has not been used yet. */
  const nextCode = () => {
    skewMs += 60_000;
    rig.skewClock(skewMs);
    return new TOTP({ secret }).generate({ timestamp: Date.now() + skewMs });
  };
  async function signIn(page: Page, password: string, code: string): Promise<void> {
    // An attempt under way clears the code when it is refused.
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.getByLabel('Operator password').fill(password);
    await page.getByLabel('Code from your authenticator').fill(code);
    await page.keyboard.press('Enter');
  }
  const open = async () => {
    const page = await (await browser.newContext({ viewport: { width: 390, height: 700 } })).newPage();
    await page.goto(url);
    await page.getByLabel('Code from your authenticator').waitFor();
    return page;
  };

  it('asks for the code, clears it when refused, and says what to do after too many attempts', async () => {
    const page = await open();
    expect(new URL(page.url()).pathname).toBe('/console');
    await signIn(page, OPERATOR_PASSWORD, '000 000');
    await page.getByText('The password or the code is wrong.').waitFor();
    expect(await page.getByLabel('Code from your authenticator').inputValue()).toBe('');
    await expectAccessible(page, 'second-factor');
    await signIn(page, OPERATOR_PASSWORD, nextCode());
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: 'Navigation' }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    for (let time = 0; time < 6; time++) {
      await page.getByLabel('Code from your authenticator').waitFor();
      const answered = page.waitForResponse((response) => response.url().endsWith('/login'));
      await signIn(page, 'a wrong password', '000000');
      await answered;
    }
    await page.getByText(/Too many sign-ins from here\. Try again in \d+ minutes\./).waitFor();
    await leaveScreenshot(page, 'console-too-many');
  });

  it('asks for the code where Enter was pressed before it knew that one is needed', async () => {
    const page = await (await browser.newContext()).newPage();
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/console/api/sign-in', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(url);
    await page.getByLabel('Operator password').fill(OPERATOR_PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Checking …' }).waitFor();
    answer();
    await page.getByText('Enter the code from your authenticator, too.').waitFor();
    await signIn(page, OPERATOR_PASSWORD, nextCode());
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  it('signs everybody out, and the other page says so unprompted', async () => {
    const [mine, other] = [await open(), await open()];
    await signIn(mine, OPERATOR_PASSWORD, nextCode());
    await mine.getByRole('heading', { name: 'Overview' }).waitFor();
    await signIn(other, OPERATOR_PASSWORD, nextCode());
    await other.getByRole('heading', { name: 'Overview' }).waitFor();
    await other.goto(`${url}/console#/challenges`);
    await mine.getByRole('button', { name: 'Navigation' }).click();
    await mine.getByRole('button', { name: 'Sign out everywhere' }).click();
    // The console asks first, so nobody is signed out by mistake.
    await other.waitForTimeout(500);
    expect(await mine.getByRole('heading', { name: 'Overview' }).isVisible()).toBe(true);
    await mine.getByRole('button', { name: 'Yes, end every session' }).click();
    await mine.getByLabel('Operator password').waitFor();
    await other.getByText('You were signed out').waitFor({ timeout: 15_000 });
    await leaveScreenshot(other, 'console-signed-out');
  });
});

const PLAIN = { width: 40, height: 30, channels: 3, background: '#888' } as const;
