// A presentation by a program that speaks the capture API directly: no browser, no camera.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Script } from '../../src/contract/script.ts';
import { TestApi } from '../../test/support/api.ts';
import { PageClient, slicesOf } from '../../test/support/page-client.ts';
import { chanceOf } from '../attacks/random.ts';
import { EXTRA_MS, lengthOf } from '../attacks/shots.ts';
import type { Against, AnswerDevice, Call, ClientAttack, Film, Service, Stage } from './laboratory.ts';
import type { Row, Try } from './rows.ts';
import { withClockStopped } from './species/stopped-clock.ts';

/**
 * How much longer a recorder runs than its script. A file longer than the time since its script would give itself away.
 */
const RECORDER_TAIL_MS = 400;
/** Generous, because on a loaded machine a judgement waits behind others. */
const JUDGED_WITHIN_MS = 300_000;
/** Conflicts that answer a late announcement; the capture may already have been abandoned. */
const TOO_LATE: ReadonlySet<string> = new Set(['slice_too_late', 'commit_too_late', 'capture_not_open']);
/** Status of the outcome when the challenge is over. */
const DONE = 'done';
/** Long enough that no link expires, whatever else the machine does. */
export const CHALLENGE = {
  liveness_only: true,
  require_consent: false,
  expires_in_seconds: 86_400,
  flow_behaviour: { accessible_way: 'passive' },
};
export const MIME_TYPE = 'video/webm;codecs=vp8';

/** How long a recorder would have run for this script. */
export const recordedMsOf = (script: Script): number => lengthOf(script) + EXTRA_MS + RECORDER_TAIL_MS;

/** What a presentation contributes to its row. */
export type Ended = Pick<Row, 'result' | 'tries' | 'reasons' | 'tookMs' | 'links'>;

/** A film that was not ready in time proves nothing about the service. */
export class FilmedTooLate extends Error {}

/** Presents to one challenge, with three tries at most. @throws FilmedTooLate */
export async function presentByClient(
  service: Service,
  stage: Stage,
  attack: ClientAttack,
  take: number,
  seed: string,
): Promise<Ended> {
  await attack.prepare?.(stage, take);
  let before: Film | null = null;
  const filmBefore = attack.sentBefore;
  const startedAtMs = performance.now();
  const api = new TestApi(service);
  if (filmBefore) {
    const keep = async (_: Stage, call: Call) => {
      before ??= await filmBefore(stage, call);
      return before;
    };
    const answer = answerAtOnce(stage, { film: keep });
    await takeChallenge(api, answer, { take, seed: `${seed} before`, tries: 1, challenge: CHALLENGE });
  }
  const against = await attack.against?.(service, stage, take, seed);
  const stopped = attack.stopsClock ? service : null;
  const answer = answerAtOnce(stage, attack, { before, device: against?.device, stopped });
  const links = { take, seed, links: attack.links ?? 1, startedAtMs, challenge: against?.challenge };
  return openLinks(api, answer, links);
}

interface Links {
  readonly take: number;
  readonly seed: string;
  /** Maximum number of links opened. */
  readonly links: number;
  readonly startedAtMs: number;
  /** Body of create-challenge; default: CHALLENGE. */
  readonly challenge?: Against['challenge'] | undefined;
}

/** Opens one link after another until one is answered to its end. */
export async function openLinks(
  api: TestApi,
  answer: AnswerScript,
  { take, seed, links: most, startedAtMs, challenge = CHALLENGE }: Links,
): Promise<Ended> {
  const tries: Try[] = [];
  for (let links = 1; ; links++) {
    const own = { take, seed: `${seed} ${links}`, tries: Number.POSITIVE_INFINITY, challenge };
    const { featid: _, ...ended } = await takeChallenge(api, answer, own);
    tries.push(...ended.tries);
    if (ended.result === 'pass' || links >= most)
      return { ...ended, tries, links, tookMs: Math.round(performance.now() - startedAtMs) };
  }
}

type AskedFor = Pick<Call, 'take' | 'tried' | 'chance'>;
type Answered = Awaited<ReturnType<PageClient['call']>>;

/**
 * Asks for a script and answers it, or abandons it (`left`), or is given none (`none`).
 * @throws FilmedTooLate
 */
export type AnswerScript = (
  page: PageClient,
  asked: AskedFor,
) => Promise<{ readonly sent: Answered; readonly filmedMs: number } | 'left' | 'none'>;

/** How scripts are answered that are known as a whole. */
interface AtOnce {
  /** What `sentBefore` made; default: nothing. */
  readonly before?: Film | null;
  /** Default: no device can answer. */
  readonly device?: AnswerDevice | undefined;
  /** The service whose clock stands still while films are made; default: it goes on. */
  readonly stopped?: Service | null;
}

/** Answers with the whole script known before anything is filmed. */
export function answerAtOnce(
  stage: Stage,
  attack: Pick<ClientAttack, 'film' | 'leavesOut'>,
  { before = null, device = () => ({ kind: 'unavailable' }), stopped = null }: AtOnce = {},
): AnswerScript {
  return async (page, asked) => {
    const issued = await page.issue(undefined, attack.leavesOut);
    const knownAtMs = performance.now();
    if (issued.status === 409) return 'none';
    if (issued.status !== 201) throw new Error(`${issued.status} ${JSON.stringify(issued.body)}`);
    const { capture_id: id, passkey, script, slice_ms: sliceMs } = issued.body;
    const make = () => inScratch((scratch) => attack.film(stage, { ...asked, script, before, scratch }));
    const film = await (stopped ? withClockStopped(stopped, id, make) : make());
    if (!film) return 'left';
    const filmedMs = Math.round(performance.now() - knownAtMs);
    const issuedAtMs = knownAtMs + (stopped ? filmedMs : 0);
    const recordedMs = recordedMsOf(film.script);
    const sent = await page.send(issued.body, { ...film, mimeType: MIME_TYPE, issuedAtMs, recordedMs });
    if (!passkey || sent.status !== 200) return { sent, filmedMs };
    const recorded = { origin: page.origin, slices: slicesOf(film.bytes, recordedMs, sliceMs) };
    const answered = await page.call('POST', `/captures/${id}/passkey`, device(passkey, recorded));
    return { sent: answered, filmedMs };
  };
}

interface Own {
  readonly take: number;
  readonly seed: string;
  /** Maximum number of tries. */
  readonly tries: number;
  /** Body of create-challenge. */
  readonly challenge: Against['challenge'];
}

/** `featid`: of the person who passed. */
export async function takeChallenge(
  api: TestApi,
  answer: AnswerScript,
  { take, seed, tries: most, challenge }: Own,
): Promise<Pick<Row, 'result' | 'tries' | 'reasons'> & { featid: string | null }> {
  const made = await api.create(challenge);
  const page = new PageClient(made.challenge_url);
  await page.start();
  const tries: Try[] = [];
  for (let drawn = 0; tries.length < most; drawn++) {
    const chance = chanceOf(`${seed} ${drawn}`);
    const answered = await answer(page, { take, tried: tries.length, chance });
    // No other script is issued before this one is answered.
    if (answered === 'none' && drawn > 0) break;
    if (answered === 'none') throw new Error('no script was issued');
    if (answered === 'left') continue;
    const { sent, filmedMs } = answered;
    if (TOO_LATE.has(sent.body.conflict)) throw new FilmedTooLate(`after ${filmedMs} ms`);
    if (sent.status !== 200) throw new Error(`${sent.status} ${JSON.stringify(sent.body)}`);
    const outcome = await page.outcome(JUDGED_WITHIN_MS);
    if (outcome.status !== 'retry' && outcome.status !== DONE)
      throw new Error(`${outcome.status} after ${JUDGED_WITHIN_MS / 1000} s`);
    tries.push({ told: outcome.retry?.reason ?? outcome.status, filmedMs });
    if (outcome.status !== 'retry') break;
  }
  // Abandoned: no script was worth answering, or no more tries are wanted.
  if (tries.length === most || tries.at(-1)?.told !== DONE)
    return { result: 'fail', tries, reasons: ['no_easy_script'], featid: null };
  const result = await api.waitFor(made.challenge_id, ['completed'], JUDGED_WITHIN_MS);
  const { overall_result, diagnostics, liveness_result } = result;
  return {
    result: overall_result,
    tries,
    reasons: diagnostics.reasons,
    featid: liveness_result.liveness_featid,
  };
}

/** Runs the work with a temporary folder, which is deleted afterwards. */
export async function inScratch<T>(work: (scratch: string) => Promise<T>): Promise<T> {
  const scratch = mkdtempSync(join(tmpdir(), 'likeness-inject-'));
  try {
    return await work(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
