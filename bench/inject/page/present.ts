// A presentation to the real page in real Chromium: its camera is the attacker.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { TestApi } from '../../../test/support/api.ts';
import { launchBrowser } from '../../../test/support/browser.ts';
import { takeChallenge } from '../../../test/support/capture-subject.ts';
import type { RunningService } from '../../../test/support/running-service.ts';
import type { Chance } from '../../attacks/random.ts';
import { CHALLENGE, type Ended } from '../client.ts';
import type { PageAttack, Stage } from '../laboratory.ts';
import type { Try } from '../rows.ts';
import { actorScript } from './actor.ts';
import { cameraScript } from './camera.ts';
import { lookerScript } from './looker.ts';
import type { PagePlan } from './plan.ts';

/** Enough for three tries on a loaded machine. */
const TAKE_TIMEOUT_MS = 240_000;
const JUDGED_WITHIN_MS = 300_000;
/** The screen that reports a failed try. */
const RETRY = 'retry';

let browser: Promise<Browser> | null = null;

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close();
}

/** Presents to one challenge, with three tries at most and a fresh profile. */
export async function presentByPage(
  service: Pick<RunningService, 'url' | 'credentials'>,
  stage: Stage,
  attack: PageAttack,
  take: number,
  chance: Chance,
): Promise<Ended> {
  const plan = await attack.plan(stage, take, chance);
  const startedAtMs = performance.now();
  const api = new TestApi(service);
  const made = await api.create(CHALLENGE);
  browser ??= launchBrowser();
  const context = await (await browser).newContext({ viewport: { width: 390, height: 844 } });
  const told: string[] = [];
  try {
    // The TypeScript loader wraps named functions in a helper that the page does not have.
    await context.addInitScript({ content: 'globalThis.__name ??= (target) => target;' });
    await context.addInitScript(lookerScript, withoutPictures(plan));
    await context.addInitScript(actorScript, withoutPictures(plan));
    await context.addInitScript(cameraScript, plan);
    const page = await context.newPage();
    const { end } = await takeChallenge(page, made.challenge_url, {
      timeoutMs: TAKE_TIMEOUT_MS,
      onScreen: async (name) => {
        if (name === RETRY) told.push((await page.textContent('h1'))?.trim() ?? RETRY);
        if (process.env.SCREENSHOTS_DIR) await screenshot(page, `${take}-${name}`);
      },
    });
    if (end !== 'done') throw new Error(`the page ended with ${end}`);
  } finally {
    await context.close();
  }
  const result = await api.waitFor(made.challenge_id, ['completed'], JUDGED_WITHIN_MS);
  const tries: Try[] = [...told, 'done'].map((one) => ({ told: one, filmedMs: null }));
  const { overall_result, diagnostics } = result;
  return {
    result: overall_result,
    tries,
    reasons: diagnostics.reasons,
    links: 1,
    tookMs: Math.round(performance.now() - startedAtMs),
  };
}

/** The same plan with empty images: scripts that only count the images do not need them. */
function withoutPictures(plan: PagePlan): PagePlan {
  const film = plan.film && { ...plan.film, jpegs: plan.film.jpegs.map(() => '') };
  const video = plan.video && { ...plan.video, jpegs: plan.video.jpegs.map(() => '') };
  return { ...plan, film, ...(video && { video }) };
}

async function screenshot(page: Page, name: string): Promise<void> {
  mkdirSync(process.env.SCREENSHOTS_DIR!, { recursive: true });
  await page.screenshot({ path: join(process.env.SCREENSHOTS_DIR!, `${name}.png`) });
}
