// The windows that gallery.test.ts leaves out, up to 4K, in dark mode and from right to left.
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/contract/languages.ts';
import { leaveScreenshot } from '../../web/support/browser.ts';
import {
  galleryPage,
  lookThrough,
  openGallery,
  type Profile,
  showScreen,
} from '../../web/support/gallery.ts';

/** `zoomed`: a 1280×800 window at 200 %. */
const PROFILES: Readonly<Record<string, Profile>> = {
  desktop: { viewport: { width: 1280, height: 800 }, lang: 'de' },
  phone_dark_arabic: {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
    lang: 'ar',
    looked: true,
  },
  phone_sideways: { viewport: { width: 844, height: 390 } },
  small: { viewport: { width: 320, height: 568 }, lang: 'de' },
  small_french: { viewport: { width: 320, height: 568 }, lang: 'fr' },
  unfolded: { viewport: { width: 720, height: 800 } },
  zoomed: { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 },
  wall: { viewport: { width: 3840, height: 2160 } },
};

/** Sixteen languages on a busy machine. */
const FOLD_TIMEOUT_MS = 240_000;

describe('gallery of the capture page', () => {
  const gallery = openGallery();

  it.each(Object.keys(PROFILES))('every screen fits on %s', (name) =>
    lookThrough(gallery, name, PROFILES[name]!));

  it(
    'consent can be given without scrolling on the smallest phone, whatever the client’s name, purpose and other texts',
    async () => {
      for (const lang of LANGUAGES) {
        const page = await galleryPage(gallery, { viewport: { width: 360, height: 640 } }, lang);
        for (const screen of ['privacy', 'privacy_long', 'privacy_own_words', 'privacy_checkbox']) {
          await showScreen(page, screen);
          const bottom = await page.evaluate(
            "document.querySelector('[data-action=agree]').getBoundingClientRect().bottom",
          );
          expect.soft(bottom, `${screen} in ${lang}`).toBeLessThanOrEqual(640);
          await leaveScreenshot(page, `fold-${lang}-${screen}`);
        }
        await page.context().close();
      }
    },
    FOLD_TIMEOUT_MS,
  );
});
