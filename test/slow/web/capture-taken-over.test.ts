// A link that is opened twice: the later start goes on, the earlier page follows it there, and each page says how the
// check ended.
import { devices, type Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readTexts } from '../../../web/capture/build/messages.ts';
import { press, untilScreen } from '../../web/support/browser.ts';
import { ASKING, LONG_TAKE_MS, visits } from '../../web/support/visit.ts';

const en = readTexts('en');
const TARGET = 'https://client.example/done';
const LEADING_BACK = { require_consent: false, flow_behaviour: { exit_redirect_url: TARGET } };

/** A verdict that waits to be released. */
function held(): { verdict: Promise<'done'>; release(): void } {
  let release = () => {};
  const verdict = new Promise<'done'>((resolve) => {
    release = () => resolve('done');
  });
  return { verdict, release };
}

describe('a link that is opened twice', () => {
  const visit = visits();
  const { text } = visit;

  /** A tab whose client's page can be opened. */
  async function tab(camera: 'face' | 'empty', options?: Parameters<typeof visit.tab>[1]): Promise<Page> {
    const { page, context } = await visit.tab(camera, options);
    await context.route('https://client.example/**', (route) => route.fulfill({ body: 'the client’s page' }));
    return page;
  }

  /** A computer at its QR code, and a phone that opens the plain link beside it. */
  async function phoneWithPlainLink(camera: 'face' | 'empty'): Promise<{ computer: Page; phone: Page }> {
    await visit.prepare({ challenge: LEADING_BACK });
    const computer = await tab('face', { viewport: { width: 1280, height: 800 } });
    await computer.goto(visit.check.url);
    await press(computer, 'use-phone');
    await untilScreen(computer, 'hand_off');
    const phone = await tab(camera, devices['Pixel 7']);
    await phone.goto(visit.check.url);
    await press(phone, 'start');
    await expect.poll(text).toContain(en.handOff.onPhone);
    return { computer, phone };
  }

  it('on a phone, while a computer waits at its QR code, leads both of them back to the client', async () => {
    const { computer, phone } = await phoneWithPlainLink('face');
    await untilScreen(computer, 'done', 45_000);
    await Promise.all([computer.waitForURL(TARGET), phone.waitForURL(TARGET)]);
  });

  it.each([
    ['cancelled', 'cancelled', () => visit.rig.call('POST', `/v1/challenges/${visit.check.id}/cancel`)],
    ['expired', 'expired', () => visit.check.expire()],
    ['erased', 'unknown_link', () => visit.rig.call('DELETE', `/v1/challenges/${visit.check.id}`)],
  ] as const)('says at the QR code that the check was %s', async (_how, screen, end) => {
    const { computer } = await phoneWithPlainLink('empty');
    await end();
    await untilScreen(computer, screen);
    expect(await text()).toContain(en.deadEnds[screen].title);
  });

  it('goes on where it was opened last, with a consent of its own, and the earlier page follows', async () => {
    const judged = held();
    await visit.prepare({ challenge: ASKING, judge: () => judged.verdict });
    const earlier = await tab('empty');
    await earlier.goto(visit.check.url);
    await press(earlier, 'agree');
    await untilScreen(earlier, 'position');
    const later = await tab('face');
    await later.goto(visit.check.url);
    await untilScreen(later, 'privacy');
    expect(await visit.check.consent()).not.toBeNull();
    await press(later, 'agree');
    await untilScreen(later, 'processing', 45_000);
    expect((await visit.check.events()).filter((name) => name === 'consent_given')).toHaveLength(2);
    // As if the person came back to it.
    await earlier.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await untilScreen(earlier, 'hand_off');
    judged.release();
    await untilScreen(later, 'done');
    await untilScreen(earlier, 'done');
  });

  it('stays with the page that records, however often the other asks, and leads both back to the client', async () => {
    await visit.prepare({ challenge: LEADING_BACK, takeMs: LONG_TAKE_MS });
    const earlier = await tab('face');
    await earlier.goto(visit.check.url);
    const later = await tab('empty');
    await later.goto(visit.check.url);
    await press(later, 'start');
    await untilScreen(later, 'position');
    // Nobody is in front of that camera: the earlier page takes over by its start.
    await press(earlier, 'start');
    await untilScreen(earlier, 'recording', 30_000);
    await later.reload();
    await untilScreen(later, 'hand_off');
    expect(await later.textContent('main')).toContain(en.deadEnds.other_device.body);
    await press(later, 'here');
    await untilScreen(later, 'hand_off');
    await Promise.all([earlier.waitForURL(TARGET), later.waitForURL(TARGET)]);
    expect(await visit.check.captures()).toHaveLength(1);
  });

  it('lets the person go on elsewhere after a try that was sent back, and the earlier page learns of it', async () => {
    const judged = held();
    await visit.prepare({ judge: (submission) => (submission === 1 ? 'too_dark' : judged.verdict) });
    const earlier = await tab('face');
    await earlier.goto(visit.check.url);
    await press(earlier, 'start');
    await untilScreen(earlier, 'retry', 45_000);
    const later = await tab('face');
    await later.goto(visit.check.url);
    await untilScreen(later, 'start');
    await press(later, 'start');
    await untilScreen(later, 'recording', 30_000);
    await press(earlier, 'try-again');
    await untilScreen(earlier, 'hand_off', 30_000);
    judged.release();
    await untilScreen(later, 'done', 45_000);
    await untilScreen(earlier, 'done');
    expect((await visit.check.captures()).map(({ state }) => state)).toEqual(['rejected', 'judged']);
  });
});
