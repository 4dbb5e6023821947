// Every place of a dot, before the real page with its own networks: a person who sees the screen alone turns the head
// until the pointer meets the dot, before a camera that mirrors, one that is tilted, and one that does neither. Whoever
// leans or shifts the head is told to turn it.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type Asked, REST } from '../../../src/contract/script.ts';
import { AMOUNT_NAMES, type Target } from '../../../src/contract/target.ts';
import { readTexts } from '../../../web/capture/build/messages.ts';
import { HAS_FACES } from '../../support/faces.ts';
import { type Aimed, type Behaviour, type CameraView, cameraSource } from '../../support/virtual-camera.ts';
import { leaveScreenshot, press } from '../../web/support/browser.ts';
import { MAX_ASKED_MS, visits } from '../../web/support/visit.ts';

const en = readTexts('en');
const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';

/** Every sector on both rings, each dot far from the one before it, as they are drawn. */
const ALL: readonly Target[] = Array.from({ length: 16 }, (_, at) => ({
  angle_deg: (135 * at) % 360,
  amount: AMOUNT_NAMES[(at + (at >> 3)) % 2]!,
}));
/** As many as a script has room for, with a rest before each. */
const TAKES = [ALL.slice(0, 6), ALL.slice(6, 11), ALL.slice(11)];
const VIEWS: Readonly<Record<string, CameraView>> = {
  'as it is': {},
  mirrored: { mirrored: true },
  'tilted by 15°': { tiltDeg: 15 },
};
/** How far from the dot the pointer may be while it is held, in degrees: the smaller tolerance, and a look's delay. */
const NEAR_DEG = 5;
const TIMEOUT_MS = 240_000;

describe.skipIf(!HAS_FACES)(`a dot in every sector, on both rings${why}`, () => {
  const visit = visits();

  /** The person arrives, and is asked for dots with a rest before each. */
  async function begin(dots: readonly Target[], behaviour: Behaviour, view: CameraView = {}): Promise<Page> {
    const asks = dots.flatMap((dot): Asked[] => [{ prompt: REST }, { prompt: 'target', ...dot }]);
    const { url } = await visit.prepare({ asks });
    const { page, context } = await visit.tab('empty');
    await context.addInitScript({ content: await cameraSource('turning', behaviour, undefined, view) });
    await page.goto(url);
    await press(page, 'start');
    return page;
  }

  // The other views in one take each: all nine were held once (docs/decisions/0044), and take half a minute each.
  const table = Object.keys(VIEWS).flatMap((view, at) =>
    TAKES.slice(0, at === 0 ? TAKES.length : 1).map((dots) => {
      const places = dots.map(({ angle_deg, amount }) => `${amount} at ${angle_deg}°`);
      return [view, places.join(', '), dots] as const;
    }),
  );

  it.each(table)(
    'is reached and held by following the pointer (%s: %s)',
    async (view, places, dots) => {
      const page = await begin(dots, 'follows the pointer', VIEWS[view]);
      await page.waitForSelector('.target:not([hidden]) .target__value:not([data-empty])', {
        timeout: TIMEOUT_MS / 4,
      });
      await leaveScreenshot(page, `pointer-${view}-${places}`);
      await page.waitForSelector('html:is([data-state=done], [data-state=retry])', {
        state: 'attached',
        timeout: TIMEOUT_MS,
      });
      expect(await page.getAttribute('html', 'data-state'), (await visit.text()) ?? '').toBe('done');
      const aims = (await page.evaluate('window.aims')) as Aimed[];
      const [capture] = await visit.check.captures();
      const what = JSON.stringify([capture?.performed_script, aims]);
      const shown = capture!.performed_script!.steps.filter(({ prompt }) => prompt === 'target');
      expect(shown, what).toMatchObject(dots);
      // A step that lasts as long as it may was not answered.
      for (const { from_ms, to_ms } of shown) expect(to_ms - from_ms, what).toBeLessThan(MAX_ASKED_MS);
      expect(aims, what).toHaveLength(dots.length);
      for (const { dot, pointer } of aims)
        expect(Math.hypot(dot[0] - pointer![0], dot[1] - pointer![1]), what).toBeLessThan(NEAR_DEG);
      expect(capture?.hints?.guidance).toBe('on');
    },
    TIMEOUT_MS,
  );

  it.each(['leans', 'shifts'] as const)(
    'is not reached by a head that %s: the pointer stays, and the person is told why',
    async (behaviour) => {
      const page = await begin([{ angle_deg: 0, amount: 'far' }], behaviour);
      const told = page.locator('.stage__note', { hasText: en.stage.advice.turn_instead });
      await told.waitFor({ timeout: TIMEOUT_MS / 2 });
      const marks = ['.target', '.target__nose'].map((mark) => page.locator(mark).boundingBox());
      const [oval, pointer] = await Promise.all(marks);
      const middle = ({ x, y, width, height }: NonNullable<typeof oval>) => [x + width / 2, y + height / 2];
      const [ovalAt, pointerAt] = [middle(oval!), middle(pointer!)];
      const offPx = Math.hypot(pointerAt[0]! - ovalAt[0]!, pointerAt[1]! - ovalAt[1]!);
      // Less than half of the way to a near dot: that does not count as turned.
      expect(offPx / oval!.width).toBeLessThan(0.1);
      await leaveScreenshot(page, `pointer-${behaviour}`);
    },
    TIMEOUT_MS,
  );
});
