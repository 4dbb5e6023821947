// Measures how soon or late a person may answer: first tries on the real page in real Chromium, by delay from a prompt
// to the start of the movement. `npx tsx bench/late-answers.ts [--each 7] [--delays 300,2500]`. Needs FACES_DIR.
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { wilsonInterval } from '../src/measurement/intervals.ts';
import { TestApi } from '../test/support/api.ts';
import { launchBrowser } from '../test/support/browser.ts';
import type { CameraSubject } from '../test/support/camera-film.ts';
import { takeChallenge } from '../test/support/capture-subject.ts';
import { type RunningService, withService } from '../test/support/running-service.ts';
import { installCamera } from '../test/support/virtual-camera.ts';
import { render } from './report.ts';

const { values } = parseArgs({
  options: {
    each: { type: 'string', default: '7' },
    delays: { type: 'string', default: '300,600,1000,1500,2000,2500' },
  },
});
/** Two people filmed by cameras, who smile; and a rendered one who also turns the head. */
const PEOPLE: readonly { subject: CameraSubject; environment: Record<string, string> }[] = [
  { subject: 'd0', environment: { LIVENESS_PROMPTS: 'neutral,smile' } },
  { subject: 'd19', environment: { LIVENESS_PROMPTS: 'neutral,smile' } },
  { subject: 'turning', environment: {} },
];
const TAKE_TIMEOUT_MS = 180_000;

interface Takes {
  first: number;
  passed: number;
  readonly reasons: Map<string, number>;
}

const each = Number(values.each);
const rows: string[][] = [];
const browser = await launchBrowser();
try {
  for (const { subject, environment } of PEOPLE) {
    await withService(environment, async (service) => {
      for (const delay of values.delays.split(','))
        rows.push(rowOf(subject, delay, await takesOf(service, browser, subject, Number(delay))));
    });
  }
} finally {
  await browser.close();
}
const method = `A person in front of the camera who begins each movement with the given delay after its prompt; ${each} challenges each.`;
const columns = ['person', 'delay', 'passed at the first try', '95 %', 'passed', 'reasons for sending back'];
process.stdout.write(`${render({ title: 'Late answers', method, columns, rows })}\n`);

async function takesOf(
  service: RunningService,
  chromium: Browser,
  subject: CameraSubject,
  delayMs: number,
): Promise<Takes> {
  const api = new TestApi(service);
  const takes: Takes = { first: 0, passed: 0, reasons: new Map() };
  for (let number = 0; number < each; number++) {
    const challenge = await api.create({ liveness_only: true, require_consent: false });
    const context = await chromium.newContext({ viewport: { width: 390, height: 844 } });
    await installCamera(context, subject, 'follows', delayMs);
    const page = await context.newPage();
    const told: string[] = [];
    const { screens } = await takeChallenge(page, challenge.challenge_url, {
      timeoutMs: TAKE_TIMEOUT_MS,
      onScreen: async (name) => {
        if (name === 'retry') told.push((await page.textContent('h1')) ?? '');
      },
    });
    await context.close();
    const result = await api.waitFor(challenge.challenge_id, ['completed']);
    const isPass = result.overall_result === 'pass';
    takes.passed += Number(isPass);
    takes.first += Number(isPass && !screens.includes('retry'));
    for (const why of isPass ? told : [...told, ...result.diagnostics.reasons])
      takes.reasons.set(why, (takes.reasons.get(why) ?? 0) + 1);
    process.stderr.write(
      `${subject} ${delayMs} ms ${number + 1}: ${result.overall_result} ${told.join(', ')}\n`,
    );
  }
  return takes;
}

function rowOf(subject: string, delay: string, { first, passed, reasons }: Takes): string[] {
  const [from, to] = wilsonInterval(first, each);
  const percent = (share: number) => (100 * share).toFixed(1);
  const commonest = [...reasons].sort(([, a], [, b]) => b - a).slice(0, 3);
  return [
    ...[subject, `${delay} ms`, `${first} of ${each}`, `${percent(from)}–${percent(to)}`],
    ...[`${passed} of ${each}`, commonest.map((pair) => pair.join(' ')).join(', ')],
  ];
}
