// Every screen of the capture page by itself, on a phone and at the smallest window: nothing sticks out, targets are large
// enough, axe finds nothing, and a screenshot of each is left for people to look through where SCREENSHOTS_DIR says so. More
// windows, the dark and from right to left: test/slow/web/gallery-windows.test.ts; larger letters: gallery-letters.test.ts.
import { describe, it } from 'vitest';
import { lookThrough, openGallery, type Profile } from './support/gallery.ts';

/** `reflow`: a window of 1280×1024 at 400 %, as of WCAG 1.4.10. */
const PROFILES: Readonly<Record<string, Profile>> = {
  phone: { viewport: { width: 390, height: 844 }, looked: true },
  reflow: { viewport: { width: 320, height: 256 }, lang: 'de', scrolls: true },
};

describe('gallery of the capture page', () => {
  const gallery = openGallery();

  it.each(Object.keys(PROFILES))('every screen fits on %s', (name) =>
    lookThrough(gallery, name, PROFILES[name]!));
});
