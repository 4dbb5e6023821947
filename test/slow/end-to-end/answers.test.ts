// Prompts that wait for the person. An answer, early or late, ends its step, and the person passes. Without an answer
// the recording ends with the first prompt, and the person is told what was missing. Without guidance the steps have a fixed length.
import type { BrowserContext, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { matchesDrawnScript } from '../../../src/challenge/capturing/performed-script.ts';
import type { CommitRequest, IssuedCapture, ReceivedBytes } from '../../../src/contract/capture-page.ts';
import { readTexts } from '../../../web/capture/build/messages.ts';
import { UNWATCHED_STEP_MS } from '../../../web/capture/camera/script-clock.ts';
import { promptText } from '../../../web/capture/texts/prompt-text.ts';
import { takeChallenge } from '../../support/capture-subject.ts';
import { HAS_FACES } from '../../support/faces.ts';
import { useJourney } from '../../support/journey.ts';
import type { Aimed, Behaviour, CameraView } from '../../support/virtual-camera.ts';

const en = readTexts('en');

const TAKE_TIMEOUT_MS = 120_000;
/** Added to the delay and the hold: time for the movement itself, and for guidance to see it on a busy machine. */
const MOVEMENT_MS = 2_000;
const why = HAS_FACES ? '' : ' (skipped: FACES_DIR is not there)';

/** Length of the buzz that the page asks for when a step is answered. */
const BUZZ_MS = 40;

/** What the page asked the device to do, in order. */
interface DeviceCalls {
  readonly buzzes: number[];
  readonly spoken: string[];
}

/** Runs before the page's scripts: a device that buzzes and has a voice. Headless Chromium has neither. */
const FEEL_AND_HEAR = `
  window.told = { buzzes: [], spoken: [] };
  navigator.vibrate = (ms) => window.told.buzzes.push(ms) > 0;
  const voice = { lang: 'en-GB', localService: true, default: true, name: 'test' };
  const speech = { getVoices: () => [voice], speak: ({ text }) => window.told.spoken.push(text), cancel() {} };
  Object.defineProperty(window, 'speechSynthesis', { value: Object.assign(new EventTarget(), speech) });
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };`;

interface Take {
  readonly issued: IssuedCapture;
  /** How many steps were known after each request for more. */
  readonly known: readonly number[];
  readonly commit: CommitRequest;
}

describe.skipIf(!HAS_FACES)(`prompts that wait for their answer${why}`, () => {
  const journey = useJourney({ LIVENESS_LEVEL: 'quick' });
  let context: BrowserContext;
  afterEach(() => context?.close());

  const create = (change = {}) =>
    journey.api.create({ liveness_only: true, require_consent: false, ...change });
  async function open(behaviour: Behaviour, reactionMs: number, view?: CameraView): Promise<Page> {
    context = await journey.phone({ who: 'turning', behaviour, reactionMs, view });
    return context.newPage();
  }
  /** The first take as it goes over the wire. */
  async function takeOf(page: Page): Promise<Take> {
    const issuing = page.waitForResponse((answer) => answer.url().endsWith('/captures'), { timeout: 60_000 });
    const issued = (await (await issuing).json()) as IssuedCapture;
    let { steps } = issued.script;
    const known: number[] = [];
    page.on('response', async (answer) => {
      if (!answer.url().endsWith('/slices') || !answer.ok()) return;
      const received = (await answer.json().catch(() => ({}))) as ReceivedBytes;
      steps = received.steps ?? steps;
      if (received.steps) known.push(received.steps.length);
    });
    const committing = await page.waitForRequest('**/commit', { timeout: 60_000 });
    const script = { ...issued.script, steps };
    return { issued: { ...issued, script }, known, commit: committing.postDataJSON() };
  }
  const lengths = ({ commit }: Take) => commit.script.steps.map(({ from_ms, to_ms }) => to_ms - from_ms);

  it.each([300, 2_500])(
    'a person who starts to answer %i ms after a prompt passes at the first try',
    async (reactionMs) => {
      const challenge = await create();
      const page = await open('follows', reactionMs);
      const taking = takeOf(page);
      const walk = await takeChallenge(page, challenge.challenge_url, { timeoutMs: TAKE_TIMEOUT_MS });
      const take = await taking;
      expect(matchesDrawnScript(take.commit.script, take.issued.script)).toBe(true);
      expect(take.commit.hints?.guidance).toBe('on');
      // Steps are handed out one by one: the first request is for the second step alone.
      expect(take.known[0]).toBe(2);
      const limits = take.issued.script.steps.map(({ hold_ms }, at) =>
        Math.min(hold_ms + (at === 0 ? 0 : reactionMs) + MOVEMENT_MS, take.issued.script.max_step_ms - 1),
      );
      for (const [at, lengthMs] of lengths(take).entries()) expect(lengthMs).toBeLessThan(limits[at]!);

      const result = await journey.api.waitFor(challenge.challenge_id, ['completed']);
      const what = JSON.stringify([take.issued.script, take.commit.script, result.diagnostics]);
      expect(walk, what).toMatchObject({ end: 'done', startedByHand: 0 });
      expect(walk.screens, what).not.toContain('retry');
      expect(result, what).toMatchObject({
        overall_result: 'pass',
        liveness_result: { face: true, smile: true, spoof_result: true, overall: true },
      });
    },
    TAKE_TIMEOUT_MS,
  );

  it.each<[string, CameraView]>([
    ['mirrors', { mirrored: true }],
    ['is tilted by 15°', { tiltDeg: 15 }],
  ])(
    'a person who brings the pointer to the dot passes before a camera that %s',
    async (_, view) => {
      const challenge = await create({ liveness_level: 'standard' });
      const page = await open('follows the pointer', 300, view);
      const walk = await takeChallenge(page, challenge.challenge_url, { timeoutMs: TAKE_TIMEOUT_MS });
      const aims = (await page.evaluate('window.aims')) as Aimed[];
      const result = await journey.api.waitFor(challenge.challenge_id, ['completed']);
      const what = JSON.stringify([walk, aims, result.diagnostics]);
      expect(walk, what).toMatchObject({ end: 'done', startedByHand: 0 });
      expect(result, what).toMatchObject({ overall_result: 'pass', diagnostics: { reasons: [] } });
    },
    TAKE_TIMEOUT_MS,
  );

  it(
    'each answered step is felt as a buzz and heard as a spoken "good" before the next prompt',
    async () => {
      const challenge = await create();
      const page = await open('follows', 300);
      await page.addInitScript({ content: FEEL_AND_HEAR });
      const taking = takeOf(page);
      const walk = await takeChallenge(page, challenge.challenge_url, {
        timeoutMs: TAKE_TIMEOUT_MS,
        onScreen: (name) => (name === 'start' ? page.click('[data-action=voice]') : Promise.resolve()),
      });
      const take = await taking;
      const { buzzes, spoken } = (await page.evaluate('window.told')) as DeviceCalls;
      const { steps } = take.issued.script;
      // The next screen may cut the last "good" short, but it is spoken first.
      const praised = spoken.filter((text) => text.startsWith(en.stage.good));
      const what = JSON.stringify([take.issued.script, take.commit.script, buzzes, spoken]);
      expect(walk, what).toMatchObject({ end: 'done' });
      expect(buzzes, what).toEqual(steps.map(() => BUZZ_MS));
      const next = steps.slice(1).map((step) => `${en.stage.good} ${promptText(step, en.stage)}`);
      expect(praised, what).toEqual([...next, en.stage.good]);
    },
    TAKE_TIMEOUT_MS,
  );

  it(
    'a person who never moves is told what was missing after the first prompt, and may try again at once',
    async () => {
      const challenge = await create();
      const page = await open('never moves', 300);
      await page.goto(challenge.challenge_url);
      const { smile_missing, target_missing } = en.retry.reasons;
      for (const [button, tries] of [
        ['start', 2],
        ['try-again', 1],
      ] as const) {
        await page.click(`[data-action=${button}]`);
        await page.waitForSelector('html[data-state=recording]', { state: 'attached', timeout: 60_000 });
        const startedAtMs = Date.now();
        await page.waitForSelector('html[data-state=retry]', { state: 'attached', timeout: 60_000 });
        // The rest, and 5 s for the prompt that nobody answers; `quick` has two.
        expect(Date.now() - startedAtMs).toBeLessThan(10_000 + MOVEMENT_MS);
        expect([smile_missing.title, target_missing.title]).toContain(await page.textContent('h1'));
        expect(await page.textContent('main')).toContain(en.retry.triesLeft({ tries }));
      }
      await page.click('[data-action=try-again]');
      // The last try is judged, whatever it shows.
      const result = await journey.api.waitFor(challenge.challenge_id, ['completed']);
      expect(result.overall_result).toBe('fail');
    },
    TAKE_TIMEOUT_MS,
  );

  it(
    'without guidance every step has a fixed length, and the take is judged',
    async () => {
      const challenge = await create();
      const page = await open('follows', 900);
      await context.route(/worker-.*\.js$/, (route) => route.abort());
      const taking = takeOf(page);
      const walk = await takeChallenge(page, challenge.challenge_url, { timeoutMs: TAKE_TIMEOUT_MS });
      const take = await taking;
      expect(take.commit.hints?.guidance).toBe('failed');
      for (const lengthMs of lengths(take)) {
        expect(lengthMs).toBeGreaterThanOrEqual(UNWATCHED_STEP_MS);
        expect(lengthMs).toBeLessThan(UNWATCHED_STEP_MS + 400);
      }
      const result = await journey.api.waitFor(challenge.challenge_id, ['completed']);
      const what = JSON.stringify([take.commit.script, result.diagnostics]);
      expect(walk, what).toMatchObject({ end: 'done', startedByHand: 1 });
      expect(result, what).toMatchObject({ overall_result: 'pass' });
    },
    TAKE_TIMEOUT_MS,
  );
});
