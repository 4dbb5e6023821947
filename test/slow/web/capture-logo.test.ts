// A client's logo in the bar of the capture page, in a real browser, on the real server.
import { describe, expect, it } from 'vitest';
import { leaveScreenshot, untilScreen } from '../../web/support/browser.ts';
import { ASKING, visits } from '../../web/support/visit.ts';

const LOGO = { logo_public_url: 'https://client.example/logo.svg' };
const lettering = (fill: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="120"><rect x="40" y="40" width="320" height="40" fill="${fill}"/></svg>`,
  );

describe('a logo on the capture page', () => {
  const visit = visits();
  const { arrive } = visit;

  it.each([
    ['white', '#ffffff', 'light', 'rgb(20, 24, 31)'],
    ['white', '#ffffff', 'dark', 'rgba(0, 0, 0, 0)'],
    ['dark', '#101828', 'light', 'rgba(0, 0, 0, 0)'],
    ['dark', '#101828', 'dark', 'rgb(255, 255, 255)'],
  ] as const)('puts behind a %s logo (%s) what makes it seen, in %s mode', async (kind, fill, colorScheme, plate) => {
    visit.logo = lettering(fill);
    const page = await arrive('face', { challenge: { ...ASKING, flow_style: LOGO } }, { colorScheme });
    await page.waitForSelector('.logo img:not([hidden])');
    const behind = await page.evaluate("getComputedStyle(document.querySelector('.logo')).backgroundColor");
    expect(behind).toBe(plate);
    const [box, image] = await Promise.all([
      page.locator('.logo').boundingBox(),
      page.locator('.logo img').boundingBox(),
    ]);
    expect(image!.y).toBeGreaterThanOrEqual(box!.y);
    expect(image!.y + image!.height).toBeLessThanOrEqual(box!.y + box!.height);
    await leaveScreenshot(page, `logo-${kind}-${colorScheme}`);
    expect(await page.evaluate('window.violations')).toEqual([]);
  });

  it('gives way to the name if nobody could see it', async () => {
    visit.logo = lettering('rgba(255,255,255,.05)');
    const page = await arrive('face', { challenge: { ...ASKING, flow_style: LOGO } });
    await expect.poll(() => page.locator('.logo img').count()).toBe(0);
    expect(await page.textContent('.bar')).toContain('first');
  });

  it('stands in its box, and the name where it fails', async () => {
    const { default: sharp } = await import('sharp');
    visit.logo = await sharp({ create: { width: 400, height: 120, channels: 3, background: '#0a66c2' } })
      .png()
      .toBuffer();
    const page = await arrive('face', { challenge: { flow_style: LOGO } });
    await page.waitForSelector('.logo[data-plate] img');
    expect((await page.locator('.logo img').boundingBox())?.height).toBeLessThanOrEqual(36);
    visit.logo = null;
    await visit.prepare({ challenge: { flow_style: LOGO } });
    await page.goto(visit.check.url);
    await untilScreen(page, 'privacy');
    expect(await page.textContent('.bar')).toContain('first');
  });
});
