// Where the capture page leads when it ends: to the client, to its other way, or to another try.
import { describe, expect, it } from 'vitest';
import type { AccessibleWay } from '../../../src/contract/accessible-way.ts';
import type { IssuedCapture } from '../../../src/contract/capture-page.ts';
import { withNextRecording } from '../../../src/contract/next-recording.ts';
import { readTexts } from '../../../web/capture/build/messages.ts';
import type { Cannot } from '../../../web/capture/flow/screens.ts';
import { PageClient } from '../../support/page-client.ts';
import { press, untilScreen } from '../../web/support/browser.ts';
import { ASKING, LONG_TAKE_MS, visits } from '../../web/support/visit.ts';

const en = readTexts('en');

describe('the capture page at its end', () => {
  const visit = visits();
  const { arrive, text, tracks } = visit;

  it('sends the person exactly where the client wants', async () => {
    const target = 'https://client.example/Back/../here?a=1&b=%20#x';
    const { url } = await visit.prepare({
      challenge: { require_consent: false, flow_behaviour: { exit_redirect_url: target } },
    });
    const { page, context } = await visit.tab('face');
    await context.route('https://client.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: 'the client’s page' }),
    );
    await page.goto(url);
    await press(page, 'start');
    await page.waitForURL('https://client.example/**');
    expect(page.url()).toBe(new URL(target).href);
  });

  it('announces the second recording of a login before it leads there', async () => {
    const { url } = await visit.prepare({
      challenge: {
        require_consent: false,
        flow_behaviour: { exit_redirect_url: withNextRecording(`${visit.origin}/next`) },
      },
    });
    const { page, context } = await visit.tab('face');
    await context.route(`${visit.origin}/next**`, (route) => route.fulfill({ body: 'the second' }));
    await page.goto(url);
    await press(page, 'start');
    await untilScreen(page, 'done');
    expect(await page.textContent('h1')).toBe(en.done.next.title);
    expect(await page.textContent('.lead')).toBe(en.done.next.body);
    await page.waitForURL(`${visit.origin}/next**`);
  });

  it('offers the client’s alternative wherever the person cannot continue the check', async () => {
    const alternative_url = 'https://client.example/branch?id=1';
    const page = await arrive('denied', { challenge: { ...ASKING, flow_behaviour: { alternative_url } } });
    const offered = () => page.getAttribute('[data-action="another-way"]', 'href');
    await untilScreen(page, 'privacy');
    expect(await offered()).toBe(alternative_url);
    await press(page, 'decline');
    await untilScreen(page, 'declined');
    expect(await offered()).toBe(alternative_url);
    expect(await text()).toContain(en.anotherWay);
    await press(page, 'change-mind');
    await press(page, 'agree');
    await untilScreen(page, 'camera_denied');
    expect(await offered()).toBe(alternative_url);
    const elsewhere = new PageClient(visit.check.url);
    await elsewhere.start();
    await elsewhere.consent();
    await elsewhere.issue();
    const { page: stranger } = await visit.tab('face');
    await stranger.goto(visit.check.url);
    await untilScreen(stranger, 'hand_off');
    expect(await stranger.getAttribute('[data-action="another-way"]', 'href')).toBe(alternative_url);
    await visit.check.expire();
    await page.reload();
    await untilScreen(page, 'expired');
    expect(await offered()).toBe(alternative_url);
  });

  it('offers the alternative where the client cancelled the check, and not where it is finished', async () => {
    const alternative_url = 'https://client.example/branch?id=1';
    const challenge = { require_consent: false, flow_behaviour: { alternative_url } };
    const page = await arrive('face', { challenge });
    await untilScreen(page, 'start');
    await visit.rig.call('POST', `/v1/challenges/${visit.check.id}/cancel`);
    await page.reload();
    await untilScreen(page, 'cancelled');
    expect(await page.getAttribute('[data-action="another-way"]', 'href')).toBe(alternative_url);

    const { url } = await visit.prepare({ challenge });
    await page.goto(url);
    await press(page, 'start');
    await untilScreen(page, 'done', 45_000);
    expect(await page.locator('[data-action="another-way"]').count()).toBe(0);
    await page.reload();
    await untilScreen(page, 'used');
    expect(await page.locator('[data-action="another-way"]').count()).toBe(0);
  });

  it('offers the alternative where a call fails permanently, but not for a lost connection', async () => {
    const page = await arrive('face', {
      challenge: {
        require_consent: false,
        flow_behaviour: { alternative_url: 'https://client.example/branch' },
      },
    });
    await untilScreen(page, 'start');
    await page.route('**/captures', (route) => route.fulfill({ status: 500, body: '' }));
    await press(page, 'start');
    await untilScreen(page, 'failed', 30_000);
    expect(await text()).toContain(en.failed.server.title);
    expect(await page.locator('[data-action="another-way"]').count()).toBe(1);
    await page.route('**/captures', (route) => route.abort());
    await page.route('**/state', (route) => route.abort());
    await press(page, 'reload');
    await expect.poll(text).toContain(en.failed.offline.title);
    expect(await page.locator('[data-action="another-way"]').count()).toBe(0);
  });

  it('says why another try is needed, and makes it with a fresh script', async () => {
    const alternative_url = 'https://client.example/branch?id=1';
    const page = await arrive('face', {
      challenge: { require_consent: false, flow_behaviour: { alternative_url } },
      judge: (submission) => (submission === 1 ? 'smile_missing' : 'done'),
    });
    await press(page, 'start');
    await untilScreen(page, 'retry');
    expect(await page.getAttribute('[data-action="another-way"]', 'href')).toBe(alternative_url);
    expect(await text()).toContain(en.retry.reasons.smile_missing.title);
    expect(await text()).toContain(en.retry.triesLeft({ tries: 2 }));
    expect(await tracks()).toEqual(['ended']);
    await press(page, 'try-again');
    await untilScreen(page, 'done', 45_000);
    expect((await visit.check.captures()).map(({ state }) => state)).toEqual(['rejected', 'judged']);
    expect(await tracks()).toEqual(['ended', 'ended']);
  });

  it('says that the client cancelled the check, before a recording and during one', async () => {
    const cancel = () => visit.rig.call('POST', `/v1/challenges/${visit.check.id}/cancel`);
    const page = await arrive('face', { challenge: ASKING });
    await untilScreen(page, 'privacy');
    await cancel();
    await press(page, 'agree');
    await untilScreen(page, 'cancelled');
    const { url } = await visit.prepare({ takeMs: LONG_TAKE_MS });
    await page.goto(url);
    await press(page, 'start');
    await untilScreen(page, 'recording');
    await cancel();
    await untilScreen(page, 'cancelled');
    expect(await tracks()).toEqual(['ended']);
  });

  it('says so in place of another try where the recording failed before the page had heard of it', async () => {
    const page = await arrive('face', { takeMs: LONG_TAKE_MS });
    await page.route('**/slices', () => {});
    await press(page, 'start');
    await untilScreen(page, 'recording');
    await visit.rig.call('POST', `/v1/challenges/${visit.check.id}/cancel`);
    await page.evaluate("window.cameraTracks.at(-1).dispatchEvent(new Event('ended'))");
    await untilScreen(page, 'cancelled');
    expect(await tracks()).toEqual(['ended']);
  });
});

describe('another try of a person who cannot do what was asked', () => {
  const visit = visits({ LIVENESS_PROMPTS: 'smile,target' });

  it.each<[Cannot, AccessibleWay]>([
    ['turn', 'without_turns'],
    ['smile', 'without_smile'],
  ])('leaves out what they tick there: %s', async (what, way) => {
    const page = await visit.arrive('face', { judge: () => 'unknown' });
    const issued = async () => {
      const answer = await page.waitForResponse((answer) => answer.url().endsWith('/captures'));
      return ((await answer.json()) as IssuedCapture).script.way;
    };
    const first = issued();
    await press(page, 'start');
    expect(await first).toBeUndefined();
    await untilScreen(page, 'retry');
    await page.check(`[data-action="cannot-${what}"]`);
    const second = issued();
    await press(page, 'try-again');
    expect(await second).toBe(way);
  });
});
