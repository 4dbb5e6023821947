// The capture page in a real browser, on the real server: links that lead no further, and what fails to load.
import { describe, expect, it } from 'vitest';
import { readTexts } from '../../../web/capture/build/messages.ts';
import { serverTexts } from '../../../web/capture/build/server-texts.ts';
import { PageClient } from '../../support/page-client.ts';
import { press, untilScreen } from '../../web/support/browser.ts';
import { ASKING, visits } from '../../web/support/visit.ts';

const en = readTexts('en');

describe('a link that leads no further', () => {
  const visit = visits();
  const { arrive, text } = visit;

  it('says so when the link expires while the page is open', async () => {
    const page = await arrive('face', { challenge: ASKING });
    await untilScreen(page, 'privacy');
    await visit.check.expire();
    await press(page, 'agree');
    await untilScreen(page, 'expired');
    expect(await text()).toContain(en.deadEnds.expired.title);
  });

  it.each([
    ['before', false],
    ['after', true],
  ] as const)('a link of a recording elsewhere, begun %s the page was opened, says so, and stays there', async (_when, afterwards) => {
    const { url } = await visit.prepare();
    const { page } = await visit.tab('face');
    const elsewhere = new PageClient(url);
    const record = async () => {
      await elsewhere.start();
      await elsewhere.issue();
    };
    if (!afterwards) await record();
    await page.goto(url);
    if (afterwards) {
      await untilScreen(page, 'start');
      await record();
      await press(page, 'start');
    }
    await untilScreen(page, 'hand_off');
    expect(await page.textContent('h1')).toBe(en.deadEnds.other_device.title);
    expect(await text()).toContain(en.deadEnds.other_device.body);
    // The device that records keeps the check, however often another one asks for it.
    await press(page, 'here');
    await untilScreen(page, 'hand_off');
    expect((await visit.check.events()).filter((name) => name === 'challenge_opened')).toHaveLength(1);
  });

  it('a dead link shows its client’s design and a way back, and without scripts its text', async () => {
    const { default: sharp } = await import('sharp');
    visit.logo = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#0a66c2' } })
      .png()
      .toBuffer();
    const target = 'https://client.example/back';
    const { id, url } = await visit.prepare({
      challenge: {
        flow_behaviour: { exit_redirect_url: target },
        flow_style: { primary_colour_hex: '#0a66c2', logo_public_url: 'https://client.example/logo.png' },
      },
    });
    const { page } = await visit.tab('face');
    await page.goto(url);
    await page.waitForSelector('.logo[data-plate] img');
    await visit.rig.call('POST', `/v1/challenges/${id}/cancel`);
    await page.goto(url);
    await untilScreen(page, 'cancelled');
    expect(await text()).toContain(en.deadEnds.cancelled.body);
    await page.waitForSelector('.logo[data-plate] img[alt="first"]');
    expect(await page.evaluate("document.documentElement.style.getPropertyValue('--primary')")).toBe(
      '#0a66c2',
    );
    expect(await page.getAttribute('[data-action="leave"]', 'href')).toBe(target);
    expect(await page.evaluate('window.violations')).toEqual([]);

    const { page: plain } = await visit.tab('face', { javaScriptEnabled: false });
    await plain.goto(`${url}?lang=de`);
    const { title, body } = readTexts('de').deadEnds.cancelled;
    await plain.getByText(title).waitFor();
    await plain.getByText(body).waitFor();
    expect(await plain.textContent('.bar__name')).toBe('first');
  });

  it('says in the person’s language that its script does not load, and offers to reload', async () => {
    const { url } = await visit.prepare();
    const { page } = await visit.tab('face');
    const files = /\/assets\/capture\/.*\.js$/;
    await page.route(files, (route) => route.abort());
    await page.goto(`${url}?lang=de`);
    const { late, retry } = serverTexts().de!;
    const again = page.getByRole('link', { name: retry });
    expect(await again.isVisible()).toBe(false);
    // As if eight seconds had passed.
    await page.evaluate(
      'for (const each of document.getAnimations()) if (each.animationName === "appear") each.finish()',
    );
    await page.getByText(late).waitFor();
    await page.unroute(files);
    await again.click();
    await untilScreen(page, 'start');
    expect(await page.evaluate('window.violations')).toEqual([]);
  });

  it('tells the person what to do in a browser that cannot record', async () => {
    const { url } = await visit.prepare();
    const { page } = await visit.tab('face');
    await page.addInitScript({ content: 'delete window.MediaRecorder' });
    await page.goto(url);
    await untilScreen(page, 'unsupported');
    expect(await text()).toContain(en.deadEnds.unsupported.body);
  });
});
