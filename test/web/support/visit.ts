// One real visit to the capture page per test: the built page in Chromium, the HTTP server over the real services and a
// real database. Only the judgement comes from the test, which takes the worker's place.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Consent, PageHints } from '../../../src/challenge/challenge.ts';
import { openConsent, openHints } from '../../../src/challenge/seals.ts';
import type { RetryReason } from '../../../src/contract/capture-page.ts';
import type { Asked, DrawnScript, Script } from '../../../src/contract/script.ts';
import { createHttpRig, type HttpRig } from '../../http/http-rig.ts';
import { launchBrowser } from '../../support/browser.ts';
import { BUILD_DIR, type Camera, ensureBuild, type OpenedPage, openPage } from './browser.ts';

/** Result of a judgement: done, or sent back. */
export type Verdict = RetryReason | 'done';

/** What happens to one chunk: it is taken; fails before it is read; is taken but the answer is lost. */
export type Fate = 'take' | 'drop' | 'lose';

export interface Scenario {
  /** Fields of the create request beside `liveness_only`; default: no consent is required. */
  readonly challenge?: Readonly<Record<string, unknown>>;
  /** Verdict on each submitted video, by its number; default: `done`. */
  readonly judge?: (submission: number) => Verdict | Promise<Verdict>;
  /** How long the one prompt is shown, and so how long the page records; default: `SHORT_TAKE_MS`. */
  readonly takeMs?: number;
  /** What the script asks for in place of that one prompt, each until it is answered; rest comes first. */
  readonly asks?: readonly Asked[];
  readonly chunkBytes?: number;
  readonly onAppend?: (offset: number) => Fate | Promise<Fate>;
}

/** A challenge under way, as the database has it. */
export interface Check {
  readonly id: string;
  /** The link as the browser opens it. */
  readonly url: string;
  captures(): Promise<CaptureRow[]>;
  /** Names of the challenge's events, in order. */
  events(): Promise<string[]>;
  /** Of each of these events, its cause; null without one. */
  causes(): Promise<unknown[]>;
  consent(): Promise<Consent | null>;
  /** Lets the challenge expire now. */
  expire(): Promise<void>;
}

export interface CaptureRow {
  readonly id: string;
  readonly state: string;
  readonly mime_type: string | null;
  readonly size_bytes: number | null;
  readonly received_bytes: number;
  readonly hints: PageHints | null;
  readonly performed_script: Script | null;
  readonly asset_id: string | null;
}

/** For tests that do nothing while the page records: as short as the product's first prompt may be. */
const SHORT_TAKE_MS = 700;
/** How long what a scenario asks for is shown without an answer: as long as a script may. */
export const MAX_ASKED_MS = 10_000;
const ASKED_HOLD_MS = 600;
/** For tests that act while the page records. */
export const LONG_TAKE_MS = 3_500;

/** A challenge whose page starts with one tap. */
const PLAIN = { require_consent: false };
/** A challenge whose page asks for consent first. */
export const ASKING = { require_consent: true };

export interface Visit {
  readonly rig: HttpRig;
  readonly origin: string;
  /** The most recent challenge. */
  readonly check: Check;
  /** The tab opened first. */
  readonly opened: OpenedPage;
  /** Creates only a challenge; open tabs with `tab`. */
  prepare(scenario?: Scenario): Promise<Check>;
  /** Opens another tab, in a context of its own; closed with the test. */
  tab(camera: Camera, options?: BrowserContextOptions): Promise<OpenedPage>;
  /** Creates a challenge, opens a tab and goes to the link. */
  arrive(camera: Camera, scenario?: Scenario, options?: BrowserContextOptions): Promise<Page>;
  /** Text of the first tab's screen. */
  text(): Promise<string | null>;
  /** States of every camera track that the first tab has opened since its last load. */
  tracks(): Promise<unknown>;
  /** The account's logo; null if it cannot be fetched. */
  logo: Buffer | null;
}

/** How often the queue is polled, in the worker's place. */
const JUDGE_EVERY_MS = 50;

/**
 * Sets up the server and a browser; call once in a `describe`.
 * @param environment variables of the configuration; with a BASE_URL, the server listens at its port, and tabs open it
 */
export function visits(environment: Readonly<Record<string, string>> = {}): Visit {
  let browser: Browser;
  let rig: HttpRig;
  let origin = '';
  let check: Check | null = null;
  let tabs: OpenedPage[] = [];
  let ended = false;
  let judging: Promise<void> = Promise.resolve();
  const scenarios = new Map<string, Scenario>();

  beforeAll(async () => {
    await ensureBuild();
    [rig, browser] = await Promise.all([
      createHttpRig({
        environment,
        // A loaded test machine is slow, not saturated, so the delay is not measured.
        settings: { capturePageDir: BUILD_DIR, limits: { maxEventLoopDelayMs: 0 } },
        fetchImage: async () => visit.logo,
        // One step that a picture of a face answers, because the camera of these tests shows nothing else.
        livenessPrompts: ['neutral'],
      }),
      launchBrowser(),
    ]);
    applyScenarios(rig, scenarios);
    const { BASE_URL } = environment;
    const port = BASE_URL === undefined ? 0 : Number(new URL(BASE_URL).port);
    const address = await rig.app.listen({ host: '127.0.0.1', port });
    origin = BASE_URL ?? address;
    judging = judgeAll(rig, scenarios, () => ended);
  });
  afterAll(async () => {
    ended = true;
    await Promise.all([judging, browser?.close()]);
    await rig?.close();
  });
  afterEach(async () => {
    await Promise.all(tabs.map(({ context }) => context.close()));
    tabs = [];
    check = null;
    visit.logo = null;
  });
  const visit: Visit = {
    logo: null,
    get rig() {
      return rig;
    },
    get origin() {
      return origin;
    },
    get check() {
      return check!;
    },
    get opened() {
      return tabs[0]!;
    },
    prepare: async (scenario = {}) => {
      const made = await rig.create({ liveness_only: true, ...(scenario.challenge ?? PLAIN) });
      scenarios.set(made.path.split('/')[2]!, scenario);
      scenarios.set(made.challenge_id, scenario);
      check = checkOf(rig, made.challenge_id, `${origin}${made.path}`);
      return check;
    },
    tab: async (camera, options) => {
      const opened = await openPage(browser, camera, options);
      tabs.push(opened);
      return opened;
    },
    arrive: async (camera, scenario, options) => {
      const { url } = await visit.prepare(scenario);
      const { page } = await visit.tab(camera, options);
      await page.goto(url);
      return page;
    },
    text: () => tabs[0]!.page.textContent('main'),
    tracks: () => tabs[0]!.page.evaluate('window.cameraTracks.map((track) => track.readyState)'),
  };
  return visit;
}

/** Lets a link's scenario change how long its prompt is shown, the size of its chunks and what happens to them. */
function applyScenarios({ challenges, db }: HttpRig, scenarios: ReadonlyMap<string, Scenario>): void {
  const { issueCapture, acceptBytes } = challenges;
  Object.assign(challenges, {
    issueCapture: async (link, asked) => {
      const issued = await issueCapture(link, asked);
      if (issued.status !== 'ok') return issued;
      const { takeMs = SHORT_TAKE_MS, chunkBytes, asks } = scenarios.get(link.token) ?? {};
      const { capture_id, chunk_bytes } = issued.capture;
      // Of the steps that were drawn, the page is given one at a time.
      const { script } = await db
        .selectFrom('capture')
        .select('script')
        .where('id', '=', capture_id)
        .executeTakeFirstOrThrow();
      const drawn = script as DrawnScript;
      const keep = async (script: DrawnScript, change = {}) => {
        const row = { script: JSON.stringify(script), ...change };
        await db.updateTable('capture').set(row).where('id', '=', capture_id).execute();
        return script;
      };
      if (asks) {
        const steps = asks.map((asked) => ({ ...asked, hold_ms: ASKED_HOLD_MS }));
        const commit_within_ms = asks.length * MAX_ASKED_MS;
        const asking = { ...drawn, steps, max_step_ms: MAX_ASKED_MS };
        await keep(asking, { commit_deadline: new Date(Date.now() + commit_within_ms) });
        const first = { ...asking, steps: steps.slice(0, 1) };
        return {
          ...issued,
          capture: { ...issued.capture, script: first, step_count: steps.length, commit_within_ms },
        };
      }
      const kept = await keep({
        ...drawn,
        steps: drawn.steps.map((step) => ({ ...step, hold_ms: takeMs })),
      });
      // The limit too, but only for the page, because guidance does not accept the face of these tests as one at rest.
      const shown = { ...kept, steps: kept.steps.slice(0, 1), max_step_ms: takeMs };
      const capture = { ...issued.capture, script: shown, chunk_bytes: chunkBytes ?? chunk_bytes };
      return { ...issued, capture };
    },
    acceptBytes: async (link, captureId, offset, bytes) => {
      const fate = (await scenarios.get(link.token)?.onAppend?.(offset)) ?? 'take';
      if (fate === 'drop') throw new Error('dropped by the test');
      const accepted = await acceptBytes(link, captureId, offset, bytes);
      if (fate === 'lose') throw new Error('lost by the test');
      return accepted;
    },
  } satisfies Partial<HttpRig['challenges']>);
}

/** Gives each submitted video the verdict of its scenario. */
async function judgeAll(
  rig: HttpRig,
  scenarios: ReadonlyMap<string, Scenario>,
  ended: () => boolean,
): Promise<void> {
  const begun = new Set<string>();
  const counts = new Map<string, number>();
  const settling: Promise<unknown>[] = [];
  while (!ended()) {
    const waiting = await rig.db
      .selectFrom('capture')
      .select(['id', 'challenge_id'])
      .where('state', '=', 'submitted')
      .execute();
    for (const { id, challenge_id } of waiting.filter((capture) => !begun.has(capture.id))) {
      begun.add(id);
      const count = (counts.get(challenge_id) ?? 0) + 1;
      counts.set(challenge_id, count);
      const verdict = Promise.resolve(scenarios.get(challenge_id)?.judge?.(count) ?? 'done');
      settling.push(verdict.then((word) => rig.settle(id, word === 'done' ? null : word)));
    }
    await new Promise((resolve) => setTimeout(resolve, JUDGE_EVERY_MS));
  }
  await Promise.all(settling);
}

function checkOf({ db, custody, placeOf }: HttpRig, id: string, url: string): Check {
  return {
    id,
    url,
    captures: async () => {
      const rows = await db
        .selectFrom('capture')
        .select([
          'id',
          'state',
          'mime_type',
          'size_bytes',
          'received_bytes',
          'sealed_hints',
          'performed_script',
          'asset_id',
        ])
        .where('challenge_id', '=', id)
        .orderBy('attempt')
        .execute();
      const place = await placeOf(id);
      return Promise.all(
        rows.map(async ({ sealed_hints, performed_script, ...row }) => ({
          ...row,
          performed_script: performed_script as Script | null,
          hints: await openHints(custody, place, { id: row.id, sealedHints: sealed_hints }),
        })),
      );
    },
    events: async () => {
      const rows = await db
        .selectFrom('challenge_event')
        .select('name')
        .where('challenge_id', '=', id)
        .orderBy('id')
        .execute();
      return rows.map(({ name }) => name);
    },
    causes: async () => {
      const rows = await db
        .selectFrom('challenge_event')
        .select('detail')
        .where('challenge_id', '=', id)
        .orderBy('id')
        .execute();
      return rows.map(({ detail }) => detail?.cause ?? null);
    },
    consent: async () => {
      const { sealed_consent } = await db
        .selectFrom('challenge')
        .select('sealed_consent')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return sealed_consent && openConsent(custody, await placeOf(id), sealed_consent);
    },
    expire: async () => {
      await db
        .updateTable('challenge')
        .set({ expires_at: new Date(Date.now() - 1_000) })
        .where('id', '=', id)
        .execute();
    },
  };
}
