// Every screen of the capture page by itself, on a phone and in the smallest window: nothing overflows, targets are
// large enough, axe finds nothing, and a screenshot of each is left for people to review in SCREENSHOTS_DIR, if it is
// set. More windows, dark mode and right to left: test/slow/web/gallery-windows.test.ts; larger text:
// gallery-letters.test.ts.
import { describe, expect, it } from 'vitest';
import { galleryPages } from '../../../web/capture/gallery/pages.ts';
import { sampleState } from '../../../web/capture/gallery/sample.ts';
import { leaveScreenshot } from '../../web/support/browser.ts';
import {
  galleryPage,
  lookThrough,
  openGallery,
  type Profile,
  showScreen,
} from '../../web/support/gallery.ts';

/** `reflow`: a window of 1280×1024 at 400 %, as in WCAG 1.4.10. */
const PROFILES: Readonly<Record<string, Profile>> = {
  phone: { viewport: { width: 390, height: 844 }, looked: true },
  reflow: { viewport: { width: 320, height: 256 }, lang: 'de', scrolls: true },
};

describe('gallery of the capture page', () => {
  const gallery = openGallery();

  it.each(Object.keys(PROFILES))('every screen fits on %s', (name) =>
    lookThrough(gallery, name, PROFILES[name]!));

  it('offers the client’s other way at every retry', async () => {
    const page = await galleryPage(gallery, {}, 'en');
    const { alternative_url } = sampleState();
    for (const [name, { screen }] of Object.entries(galleryPages())) {
      if (screen.name !== 'retry') continue;
      await showScreen(page, name);
      const links = page.locator('.actions [data-action="another-way"]');
      expect
        .soft(await links.evaluateAll((all) => all.map((a) => a.getAttribute('href'))), name)
        .toEqual([alternative_url]);
    }
    await page.context().close();
  });

  it('says once on each first screen how long the check usually takes, and the same on all', async () => {
    const page = await galleryPage(gallery, {}, 'en');
    for (const [name, { screen }] of Object.entries(galleryPages())) {
      if (screen.name !== 'privacy' && screen.name !== 'start') continue;
      await showScreen(page, name);
      const said = (await page.textContent('main'))!.match(/\d+(?= second)/g);
      expect.soft(said, name).toEqual([String(sampleState().usual_seconds)]);
    }
    await page.context().close();
  });

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

  it('shows that a judgement goes on, without moving anything where people ask for that', async () => {
    const page = await galleryPage(gallery, {}, 'en');
    for (const [reducedMotion, name] of [
      ['no-preference', 'run'],
      ['reduce', 'breathe'],
    ] as const) {
      await page.emulateMedia({ reducedMotion });
      await showScreen(page, 'processing');
      const running = await page.evaluate(`
        document.querySelector('.progress .ring__value').getAnimations().map((animation) => ({
          state: animation.playState,
          iterations: animation.effect.getTiming().iterations,
          name: animation.animationName,
        }))`);
      expect(running).toEqual([{ state: 'running', iterations: Infinity, name }]);
      const bar = page.getByRole('progressbar');
      // Indeterminate: nobody knows the share that is done.
      expect(await bar.getAttribute('aria-valuenow')).toBeNull();
      await showScreen(page, 'done');
    }
    await page.context().close();
  });

  it('moves the pointer and fills the ring without a transition where people ask for less motion', async () => {
    const page = await galleryPage(gallery, {}, 'en');
    await showScreen(page, 'recording_near_up');
    for (const [reducedMotion, took] of [
      ['no-preference', '0.12s'],
      ['reduce', '0s'],
    ] as const) {
      await page.emulateMedia({ reducedMotion });
      const lasts = await page.evaluate(`['.target__nose', '.target__value'].map((mark) =>
        [...new Set(getComputedStyle(document.querySelector(mark)).transitionDuration.split(', '))].join())`);
      expect(lasts, reducedMotion).toEqual([took, took]);
    }
    await page.context().close();
  });

  it('points from the face of a prompt to where its dot is', async () => {
    const page = await galleryPage(gallery, { viewport: { width: 390, height: 844 } }, 'en');
    for (const name of ['near_left', 'near_up_right', 'far_down', 'far_right', 'further', 'not_so_far']) {
      await showScreen(page, `recording_${name}`);
      const { dot, arrow, tip } = (await page.evaluate(`(() => {
        const middle = (selector) => {
          const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
          return { x: x + width / 2, y: y + height / 2 };
        };
        const drawn = document.querySelector('.prompt-face__arrow').getScreenCTM();
        const [end, tip] = [-10, 0].map((x) => new DOMPoint(x, 0).matrixTransform(drawn));
        const towards = (from, to) => Math.atan2(to.y - from.y, to.x - from.x);
        return {
          dot: towards(middle('.target'), middle('.target__dot')),
          arrow: towards(end, tip),
          tip: towards(middle('.prompt-face__head'), tip),
        };
      })()`)) as Record<'dot' | 'arrow' | 'tip', number>;
      const offDeg = (angle: number) => (Math.acos(Math.cos(angle - dot)) * 180) / Math.PI;
      expect.soft(offDeg(arrow), name).toBeLessThan(1);
      // Beside a face that is higher than it is wide.
      expect.soft(offDeg(tip), name).toBeLessThan(5);
    }
    await page.context().close();
  });

  it.each([
    [1366, 650, 0.56],
    [1440, 900, 0.68],
    [1920, 950, 0.7],
  ])('gives the oval most of a desk’s window of %i×%i', async (width, height, share) => {
    const page = await galleryPage(gallery, { viewport: { width, height } }, 'de');
    for (const screen of ['position_cameras', 'recording_not_so_far']) {
      await showScreen(page, screen);
      const { height: taken } = (await page.locator('.oval').boundingBox())!;
      expect(taken / height, screen).toBeGreaterThan(share);
      await leaveScreenshot(page, `desk-${width}-${screen}`);
    }
    await page.context().close();
  });

  it.each([
    [844, 390],
    [932, 430],
    [667, 375],
    [375, 667],
  ])('asks for consent without moving anything by itself in a window of %i×%i', async (width, height) => {
    const page = await galleryPage(gallery, { viewport: { width, height } }, 'en');
    await showScreen(page, 'privacy_checkbox');
    const layouts = (await page.evaluate(`(async () => {
      const layouts = [];
      for (let frame = 0; frame < 30; frame++) {
        await new Promise(requestAnimationFrame);
        const label = document.querySelector('[for=consent]').getBoundingClientRect();
        layouts.push([label.top, document.querySelector('.actions').offsetHeight].join(' '));
      }
      return layouts;
    })()`)) as string[];
    // The first frames may still be settling.
    expect(new Set(layouts.slice(5)).size, layouts.join(', ')).toBe(1);
    await page.context().close();
  });
});
