// The screens of the capture page with text larger than a browser's default: everything can be read and reached.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { galleryPages } from '../../../web/capture/gallery/pages.ts';
import { leaveScreenshot } from '../../web/support/browser.ts';
import { galleryPage, inspect, openGallery, showScreen } from '../../web/support/gallery.ts';

/** Ways in which a browser enlarges text without enlarging the window. */
const ENLARGE: Readonly<Record<string, (page: Page, share: number) => Promise<unknown>>> = {
  'by a user style sheet': (page, share) =>
    page.evaluate(`document.documentElement.style.fontSize = '${share * 100}%'`),
  'by the browser’s text size': async (page, share) => {
    const debug = await page.context().newCDPSession(page);
    await debug.send('Page.setFontSizes', {
      fontSizes: { standard: 16 * share, fixed: Math.round(13 * share) },
    });
  },
};

/** Runs in the page: whether the consent text can be read and the button can be pressed. */
const READ_CONSENT = `(() => {
  const actions = document.querySelector('.actions');
  const text = document.querySelector('.fact dd');
  const covered = getComputedStyle(actions).position === 'sticky' ? actions.offsetHeight : 0;
  const agree = document.querySelector('[data-action="agree"]');
  agree.scrollIntoView({ block: 'center' });
  const { left, top, width, height } = agree.getBoundingClientRect();
  return {
    lines: Math.floor((innerHeight - covered) / parseFloat(getComputedStyle(text).lineHeight)),
    letters: parseFloat(getComputedStyle(text).fontSize),
    reachable: agree.contains(document.elementFromPoint(left + width / 2, top + height / 2)),
    overflow: document.documentElement.scrollWidth - innerWidth,
    cut: [...document.querySelectorAll('.fact dd, .fact dt, .checkbox span, h1, .button__label')].filter(
      (each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== 'inline',
    ).length,
  };
})()`;

describe('gallery of the capture page with larger text', () => {
  const gallery = openGallery();

  describe.each(Object.keys(ENLARGE))('%s', (way) => {
    const window = { viewport: { width: 360, height: 640 } };

    it.each(['de', 'ar'])('the consent text stays readable (%s)', async (lang) => {
      const page = await galleryPage(gallery, window, lang);
      for (const share of [1, 1.25, 1.75, 2]) {
        await ENLARGE[way]!(page, share);
        for (const name of ['privacy', 'privacy_checkbox', 'privacy_long']) {
          await showScreen(page, name);
          // The page observes sizes once the frame is laid out.
          await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))');
          const read = (await page.evaluate(READ_CONSENT)) as Record<string, number>;
          const asked = { name, share, reachable: true, cut: 0, letters: 15 * share };
          expect.soft({ name, share, ...read }).toMatchObject(asked);
          expect.soft(read.lines, `${name} at ${share}`).toBeGreaterThanOrEqual(8);
          expect.soft(read.overflow, `${name} at ${share}`).toBeLessThanOrEqual(0);
        }
      }
      await page.context().close();
    });
  });

  it('no screen is wider than the window at twice the text size, and each has its heading and its buttons', async () => {
    const page = await galleryPage(gallery, { viewport: { width: 360, height: 640 } }, 'de');
    await ENLARGE['by the browser’s text size']!(page, 2);
    for (const name of Object.keys(galleryPages())) {
      await showScreen(page, name);
      await inspect(page, name);
      await leaveScreenshot(page, `large-${name}`);
    }
    await page.context().close();
  });
});
