// The windows that gallery.test.ts leaves out, up to 4K, in dark mode and from right to left.
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/contract/languages.ts';
import { leaveScreenshot } from '../../web/support/browser.ts';
import {
  galleryPage,
  inspect,
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

/** What each screen before a recording offers first: the client's other way to who can do nothing that is asked. */
const FIRST_ACTIONS = [
  ...['', '_long', '_own_words', '_checkbox'].map((kind) => [`privacy${kind}`, 'agree'] as const),
  ['start', 'start'] as const,
  ['retry', 'try-again'] as const,
  ...['privacy', 'start', 'retry'].flatMap((name) =>
    ['neither', 'passive'].map((kind) => [`${name}_${kind}`, 'another-way'] as const),
  ),
];

/** Screens with the longest words that say where to turn the nose, and what is wrong. */
const AIMING = [
  'recording_far_down_left',
  'recording_near_up_right',
  'recording_further',
  'recording_not_so_far',
  'recording_turn_instead',
];

/** Sixteen languages on a busy machine. */
const FOLD_TIMEOUT_MS = 240_000;

describe('gallery of the capture page', () => {
  const gallery = openGallery();

  it.each(Object.keys(PROFILES))('every screen fits on %s', (name) =>
    lookThrough(gallery, name, PROFILES[name]!));

  it(
    'the action that comes first is seen without scrolling on the smallest phone, whatever the language and the client’s texts',
    async () => {
      for (const lang of LANGUAGES) {
        const page = await galleryPage(gallery, { viewport: { width: 360, height: 640 } }, lang);
        for (const [screen, action] of FIRST_ACTIONS) {
          await showScreen(page, screen);
          const first = page.locator('.actions .button:visible').first();
          expect.soft(await first.getAttribute('data-action'), screen).toBe(action);
          const { y, height } = (await first.boundingBox())!;
          expect.soft(y + height, `${screen} in ${lang}`).toBeLessThanOrEqual(640);
          await leaveScreenshot(page, `fold-${lang}-${screen}`);
        }
        await page.context().close();
      }
    },
    FOLD_TIMEOUT_MS,
  );

  it(
    'the words that say where to turn fit on the smallest phone in every language',
    async () => {
      for (const lang of LANGUAGES) {
        const page = await galleryPage(gallery, { viewport: { width: 360, height: 640 } }, lang);
        for (const screen of AIMING) {
          await showScreen(page, screen);
          await page.waitForFunction('document.querySelector("video").videoWidth > 0');
          const { stageOverflow } = await inspect(page, screen);
          expect.soft(stageOverflow, `${screen} in ${lang} has to be scrolled`).toBeLessThanOrEqual(0);
          await leaveScreenshot(page, `aiming-${lang}-${screen}`);
        }
        await page.context().close();
      }
    },
    FOLD_TIMEOUT_MS,
  );
});
