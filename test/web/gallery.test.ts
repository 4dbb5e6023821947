// Every screen of the capture page by itself, on a phone and in the smallest window: nothing overflows, targets are
// large enough, axe finds nothing, and a screenshot of each is left for people to review in SCREENSHOTS_DIR, if it is
// set. More windows, dark mode and right to left: test/slow/web/gallery-windows.test.ts; larger text:
// gallery-letters.test.ts.
import { describe, expect, it } from 'vitest';
import { galleryPage, lookThrough, openGallery, type Profile, showScreen } from './support/gallery.ts';

/** `reflow`: a window of 1280×1024 at 400 %, as in WCAG 1.4.10. */
const PROFILES: Readonly<Record<string, Profile>> = {
  phone: { viewport: { width: 390, height: 844 }, looked: true },
  reflow: { viewport: { width: 320, height: 256 }, lang: 'de', scrolls: true },
};

describe('gallery of the capture page', () => {
  const gallery = openGallery();

  it.each(Object.keys(PROFILES))('every screen fits on %s', (name) =>
    lookThrough(gallery, name, PROFILES[name]!));

  it('shows the recording and its steps in colours that the system chooses', async () => {
    const page = await galleryPage(gallery, { forcedColors: 'active' }, 'en');
    await showScreen(page, 'recording_smile');
    const [around, dot, done, open] = (await page.evaluate(`
      ['.live', '.live__dot', '.stage__steps [data-done]', '.stage__steps :not([data-done])'].map((selector) => {
        const { backgroundColor, borderTopWidth } = getComputedStyle(document.querySelector(selector));
        return { backgroundColor, borderTopWidth };
      })`)) as { backgroundColor: string; borderTopWidth: string }[];
    expect(dot!.backgroundColor).not.toBe(around!.backgroundColor);
    expect(done!.backgroundColor).not.toBe(open!.backgroundColor);
    expect(open!.borderTopWidth).toBe('1px');
    await page.context().close();
  });
});
