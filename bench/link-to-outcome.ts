// `npm run bench`, or alone: `npx tsx bench/link-to-outcome.ts [TAKES]`. Measures how long a check takes a person, from
// the opened link to the outcome on the page, in real Chromium against the service of `npm start`, which is otherwise
// idle: by level, by how fast the person reacts, and by the light before the camera. The camera runs in a worker, because
// one that draws its pictures in the page makes the page take this device for a slow one, and rehearse for 3 s.
import type { Browser } from 'playwright-core';
import type { LivenessLevel } from '../src/contract/liveness-level.ts';
import { TestApi } from '../test/support/api.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { takeChallenge } from '../test/support/capture-subject.ts';
import { withService } from '../test/support/running-service.ts';
import { installWorkerCamera } from '../test/support/worker-camera.ts';
import { render, type Section, spreadOfSeconds } from './report.ts';

/** Takes of each case. */
const TAKES = 6;
/** Time from a prompt to the start of the answer, of a person who reacts fast and of one who takes their time. */
const [FAST_MS, SLOW_MS] = [600, 1_500];

interface Case {
  readonly level: LivenessLevel;
  readonly reactionMs: number;
  readonly condition: string;
  /** CSS filter on the camera's pictures. */
  readonly light?: string;
  /** How much slower the page's processor is. */
  readonly slower?: number;
  /** Target for the median. */
  readonly aimS?: number;
}

const USUAL = { level: 'standard', reactionMs: FAST_MS, condition: 'usual light' } as const;
const CASES: readonly Case[] = [
  { ...USUAL, aimS: 9 },
  { ...USUAL, reactionMs: SLOW_MS, aimS: 13 },
  { ...USUAL, level: 'quick', aimS: 7 },
  { ...USUAL, level: 'high' },
  { ...USUAL, condition: 'dim light', light: 'brightness(0.5)' },
  { ...USUAL, condition: 'bright light', light: 'brightness(1.4)' },
  { ...USUAL, condition: 'flat light', light: 'contrast(0.6)' },
  { ...USUAL, condition: 'page 4 × slower', slower: 4 },
];

/** Milliseconds from the link to each screen, as the page itself notes them. */
const NOTE_TIMES = `{
  const note = () => {
    const { state } = document.documentElement.dataset;
    if (state) (window.screensAtMs ??= {})[state] ??= performance.now();
  };
  new MutationObserver(note).observe(document, { attributes: true, subtree: true, attributeFilter: ['data-state'] });
}`;

interface Taken {
  readonly passed: boolean;
  readonly tries: number;
  /** By screen, of the first try. */
  readonly atMs: Readonly<Record<string, number>>;
}

async function take(api: TestApi, browser: Browser, one: Case): Promise<Taken> {
  const made = await api.create({ liveness_only: true, require_consent: false, liveness_level: one.level });
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, bypassCSP: true });
  try {
    await installWorkerCamera(context, 'turning', 'follows', one.reactionMs, one.light);
    const page = await context.newPage();
    await page.addInitScript({ content: NOTE_TIMES });
    if (one.slower) {
      const debug = await context.newCDPSession(page);
      await debug.send('Emulation.setCPUThrottlingRate', { rate: one.slower });
    }
    const walk = await takeChallenge(page, made.challenge_url, { timeoutMs: 180_000, pauseMs: 100 });
    const atMs = (await page.evaluate('screensAtMs')) as Taken['atMs'];
    const { overall_result } = await api.waitFor(made.challenge_id, ['completed']);
    const tries = 1 + walk.screens.filter((screen) => screen === 'retry').length;
    return { passed: overall_result === 'pass', tries, atMs };
  } finally {
    await context.close();
  }
}

/** Measures on a separate service. Needs FACES_DIR. */
export async function measureLinkToOutcome(takes = TAKES): Promise<Section> {
  const taken = CASES.map((): Taken[] => []);
  await withService({}, async (service) => {
    const browser = await launchBrowser();
    try {
      const api = new TestApi(service);
      for (let n = 0; n < takes; n++)
        for (const [i, one] of CASES.entries()) {
          const made = await take(api, browser, one);
          taken[i]!.push(made);
          process.stderr.write(`${one.condition}, ${one.level}, ${one.reactionMs} ms: ${said(made)}\n`);
        }
    } finally {
      await browser.close();
    }
  });
  return {
    title: 'From the link to the outcome',
    method: `From the opened link to the outcome on the page, with one tap by somebody who does not hesitate, ${takes} takes of each case in turn: medians (minimum–maximum) of those that passed at the first try. A rendered head answers each prompt after its reaction time. Chromium with its camera, API, PostgreSQL and worker share the machine.`,
    columns: [
      'before the camera',
      'level',
      'reaction',
      'first try',
      'three tries',
      'link to recording',
      'recording',
      'end to outcome',
      'link to outcome',
      'aim',
    ],
    rows: CASES.map((one, i) => rowOf(one, taken[i]!)),
  };
}

function rowOf({ condition, level, reactionMs, aimS }: Case, taken: readonly Taken[]): string[] {
  const first = taken.filter(({ passed, tries }) => passed && tries === 1).map(({ atMs }) => atMs);
  const between = (from: string | null, to: string) =>
    spreadOfSeconds(
      first.map((atMs) => atMs[to]! - (from === null ? 0 : atMs[from]!)),
      1,
    );
  return [
    condition,
    level,
    `${reactionMs / 1000} s`,
    `${first.length} of ${taken.length}`,
    `${taken.filter(({ passed }) => passed).length} of ${taken.length}`,
    between(null, 'recording'),
    between('recording', 'uploading'),
    between('uploading', 'done'),
    between(null, 'done'),
    aimS === undefined ? '–' : `${aimS} s`,
  ];
}

const said = ({ passed, tries, atMs }: Taken): string =>
  `${passed ? 'passed' : 'failed'} after ${tries}, ${Math.round(atMs.done ?? Number.NaN)} ms`;

if (process.argv[1] === import.meta.filename)
  process.stdout.write(`${render(await measureLinkToOutcome(Number(process.argv[2] ?? TAKES)))}\n`);
