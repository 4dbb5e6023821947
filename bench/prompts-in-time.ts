// `npx tsx bench/prompts-in-time.ts [--each 5] [--delays 0,80,300]`: measures how long each prompt is known before it
// is shown, and what a slow connection costs the person, in real Chromium on the service of `npm start`. Needs
// FACES_DIR. Prints a table.
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import type { Cue } from '../src/evaluation/liveness/cue.ts';
import { TestApi } from '../test/support/api.ts';
import { launchBrowser } from '../test/support/browser.ts';
import { takeChallenge } from '../test/support/capture-subject.ts';
import { type RunningService, withService } from '../test/support/running-service.ts';
import { installCamera } from '../test/support/virtual-camera.ts';
import { median, render } from './report.ts';

const { values } = parseArgs({
  options: {
    each: { type: 'string', default: '5' },
    /** Round-trip delays of the connection, in milliseconds. */
    delays: { type: 'string', default: '0,80,300,1000,2500' },
    /** Factor by which the processor is slowed. */
    slowed: { type: 'string', default: '1' },
  },
});
const PASSWORD = 'a password for this bench only';

interface Taken {
  readonly passed: boolean;
  readonly leadMs: number | null;
  readonly delayMs: number | null;
  readonly scriptMs: number;
  readonly steps: number;
}

async function signIn({ url }: RunningService): Promise<string> {
  const login = await fetch(`${url}/console/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: PASSWORD }),
  });
  const cookies = login.headers.getSetCookie();
  return cookies.map((line) => line.split(';')[0]).join('; ');
}

/** Reads a challenge's checks from the operator's console, because no result contains their values. */
async function cuesOf({ url }: RunningService, cookie: string, challengeId: string): Promise<readonly Cue[]> {
  const detail = await fetch(`${url}/console/api/challenges/${challengeId}`, { headers: { cookie } });
  const { cues } = (await detail.json()) as { cues?: readonly Cue[] };
  if (!cues) throw new Error(`no checks of ${challengeId}: ${detail.status}`);
  return cues;
}

async function take(
  service: RunningService,
  cookie: string,
  browser: Browser,
  delayMs: number,
): Promise<Taken> {
  const api = new TestApi(service);
  const made = await api.create({ liveness_only: true, require_consent: false });
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  try {
    await installCamera(context, 'turning', 'follows');
    const page = await context.newPage();
    const debug = await context.newCDPSession(page);
    await debug.send('Network.enable');
    const line = { offline: false, latency: delayMs, uploadThroughput: -1, downloadThroughput: -1 };
    await debug.send('Network.emulateNetworkConditions', line);
    await debug.send('Emulation.setCPUThrottlingRate', { rate: Number(values.slowed) });
    let scriptMs = 0;
    let steps = 0;
    page.on('request', (request) => {
      if (!request.url().endsWith('/commit')) return;
      const performed = request.postDataJSON().script.steps;
      scriptMs = performed.at(-1).to_ms;
      steps = performed.length;
    });
    const walk = await takeChallenge(page, made.challenge_url, { timeoutMs: 240_000 });
    await api.waitFor(made.challenge_id, ['completed']);
    const cues = await cuesOf(service, cookie, made.challenge_id);
    const measured = (name: string) => cues.find(({ cue }) => cue === name)?.value ?? null;
    const passed = walk.end === 'done' && !walk.screens.includes('retry');
    return { passed, leadMs: measured('prompt_lead'), delayMs: measured('announced'), scriptMs, steps };
  } finally {
    await context.close();
  }
}

const most = (numbers: readonly number[]) =>
  numbers.length ? `${Math.round(Math.max(...numbers))} ms` : '–';
const middle = (numbers: readonly number[]) => (numbers.length ? `${Math.round(median(numbers))} ms` : '–');
const known = (numbers: readonly (number | null)[]) => numbers.filter((each) => each !== null);

const rows: string[][] = [];
await withService({ CONSOLE_PASSWORD: PASSWORD, CONSOLE_PORT: '' }, async (service) => {
  const browser = await launchBrowser();
  try {
    const cookie = await signIn(service);
    for (const delay of values.delays.split(',').map(Number)) {
      const takes: Taken[] = [];
      for (let i = 0; i < Number(values.each); i++) {
        takes.push(await take(service, cookie, browser, delay));
        process.stderr.write(`${delay} ms: ${JSON.stringify(takes.at(-1))}\n`);
      }
      const leads = known(takes.map(({ leadMs }) => leadMs));
      const delays = known(takes.map(({ delayMs }) => delayMs));
      const perStep = takes.map(({ scriptMs, steps }) => scriptMs / steps);
      const first = `${takes.filter(({ passed }) => passed).length} of ${takes.length}`;
      rows.push([
        `${delay} ms`,
        first,
        middle(leads),
        most(leads),
        middle(delays),
        most(delays),
        middle(perStep),
      ]);
    }
  } finally {
    await browser.close();
  }
});
process.stdout.write(
  render({
    title: 'Prompts in time',
    method: `A rendered person who follows the prompts; processor ${values.slowed} × slower. Known ahead: from the handing out of a prompt to the announcement of the picture at which it was shown, the longest in each capture.`,
    columns: [
      'line',
      'passed at the first try',
      'known ahead',
      'max',
      'announced after',
      'max',
      'length of a step',
    ],
    rows,
  }),
);
