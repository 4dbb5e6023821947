// The `judge` task: takes the submitted capture whose turn it is, lets src/evaluation judge its video, and gives the
// judgement to src/challenge. Safe to run twice; a video that keeps killing its worker is not tried forever.
import { Fault } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Capture, Challenge, PageHints } from '../challenge/challenge.ts';
import { seenBefore } from '../challenge/earlier-captures.ts';
import type { SettlementParts } from '../challenge/parts.ts';
import { openHints, openRequest } from '../challenge/seals.ts';
import { FAULT_PATIENCE_MS, MAX_JUDGEMENT_STARTS } from '../challenge/settings.ts';
import {
  type Judgement,
  notJudged,
  type Settlement,
  settleJudgement,
  settleUnavailable,
  settleUnjudgeable,
} from '../challenge/settle-judgement.ts';
import { GUIDANCE_STATES, type GuidanceState } from '../contract/capture-page.ts';
import type { Judgement as Evaluated, JudgeInput } from '../evaluation/judge.ts';
import { REASONS } from '../evaluation/reasons.ts';
import type { FaceTemplate } from '../evaluation/recognition/template.ts';
import type { Featids } from '../featid/featids.ts';
import { judgedLight, lightInput, type ObservedLight, observedLight } from './judged-light.ts';
import type { Task } from './runner.ts';

/** Name of the task in the queue. Its jobs do not name a capture: each is a token for one judgement. */
export const JUDGE_TASK = 'judge';

export interface JudgeParts extends SettlementParts<FaceTemplate> {
  readonly featids: Pick<Featids, 'create' | 'openAll' | 'renew'>;
  /** src/evaluation's judge over the loaded models. */
  readonly judge: (
    input: Pick<JudgeInput, 'video' | 'script' | 'references' | 'submission' | 'light'>,
  ) => Promise<Evaluated>;
  readonly observe: JudgeObserver;
  readonly log: Logger;
}

/** Called with every settled judgement, for metrics and traces. */
export type JudgeObserver = (judged: {
  readonly captureId: string;
  readonly challengeId: string;
  readonly startedAt: Date;
  readonly settlement: Settlement;
  /** The state of the page's guidance, as the page reported it. */
  readonly guidance: GuidanceState | 'unknown';
  readonly light: ObservedLight;
  readonly live: boolean;
  readonly reasons: readonly string[];
  readonly timingsMs: Readonly<Record<string, number>>;
}) => void;

/** The video is lost, or the evaluation failed or did not finish on it: tried again, but the attempt counts. */
class CountedFailure extends Error {}

type Taken = NonNullable<Awaited<ReturnType<JudgeParts['store']['takeCapture']>>>;

/** A counted attempt is repeated after 2, 4, … seconds. */
const COUNTED_PAUSE_MS = 1_000;
/** After a fault of the machine the pause is a quarter of the time since the first fault. */
const FAULT_PAUSE = { share: 1 / 4, leastMs: 1_000, mostMs: 30_000 };

/** Makes the task. It ends with its capture settled or put back; it throws only when the database is unavailable. */
export function createJudgeTask(parts: JudgeParts): Task {
  return async (_payload, job) => {
    // Counted before the work, so that a video that kills this process has been counted.
    const taken = await parts.store.takeCapture(job.id);
    // Nothing is waiting, or it is taken or not due yet: each capture has its own token.
    if (!taken) return;
    const ids = { capture: taken.capture.id, challenge: taken.challenge.id };
    if (taken.capture.judgementStarts > MAX_JUDGEMENT_STARTS) {
      parts.log.error(ids, 'no judgement of this capture came to its end: it fails');
      await settleUnjudgeable(parts, taken);
      return;
    }
    try {
      await judgeAndSettle(parts, taken);
    } catch (error) {
      await afterFault(parts, taken, error);
    }
  };
}

/** Only counted and shown to operators: without guidance the page asks everybody to press a button. */
function guidanceOf(hints: PageHints | null): GuidanceState | 'unknown' {
  return GUIDANCE_STATES.find((state) => state === hints?.guidance) ?? 'unknown';
}

async function judgeAndSettle(parts: JudgeParts, taken: Taken): Promise<void> {
  const { capture, challenge } = taken;
  const startedAt = new Date();
  const hints = await openHints(parts.custody, challenge, capture);
  const judgement = await judgeCapture(parts, { capture, challenge, hints });
  const settlement = await settleJudgement(parts, taken, judgement);
  const guidance = guidanceOf(hints);
  parts.observe({
    ...{ captureId: capture.id, challengeId: challenge.id, startedAt },
    settlement,
    guidance,
    light: observedLight(judgement.cues),
    live: judgement.liveness.overall,
    reasons: judgement.reasons,
    timingsMs: (judgement.cues.timings_ms ?? {}) as Record<string, number>,
  });
  parts.log.info({ capture: capture.id, challenge: challenge.id, settlement, guidance }, 'capture judged');
}

/** Puts the capture back for its next try; after a long fault of the machine the person is asked to record again. */
async function afterFault(parts: JudgeParts, taken: Taken, err: unknown): Promise<void> {
  const { capture, challenge } = taken;
  const ids = { capture: capture.id, challenge: challenge.id };
  if (err instanceof CountedFailure) {
    parts.log.error({ err, ...ids }, 'a judgement broke off');
    const afterMs = COUNTED_PAUSE_MS * 2 ** capture.judgementStarts;
    await parts.store.putBack(capture.id, { afterMs, counted: true });
    return;
  }
  const faultMs = capture.faultSince ? Date.now() - capture.faultSince.getTime() : 0;
  if (faultMs >= FAULT_PATIENCE_MS) {
    parts.log.error(
      { err, ...ids },
      'a capture cannot be judged for too long: its person is asked for another',
    );
    await settleUnavailable(parts, taken);
    return;
  }
  parts.log.warn({ err, ...ids }, 'a capture cannot be judged just now');
  const { share, leastMs, mostMs } = FAULT_PAUSE;
  const afterMs = Math.min(mostMs, Math.max(leastMs, faultMs * share));
  await parts.store.putBack(capture.id, { afterMs, counted: false });
}

async function judgeCapture(
  parts: JudgeParts,
  { capture, challenge, hints }: { capture: Capture; challenge: Challenge; hints: PageHints | null },
): Promise<Judgement<FaceTemplate>> {
  const [video, { references, opened, reasons }] = await Promise.all([
    readVideo(parts, capture),
    readReferences(parts, challenge),
  ]);
  const submission = submissionOf(parts, capture, challenge);
  const light = lightInput(capture, hints);
  const evaluated = await evaluate(parts, {
    ...{ video, script: capture.livedScript, references, submission },
    ...(light && { light }),
  });
  // The decoder was starved of CPU: nothing is wrong with the person's video.
  if (evaluated.status === 'notJudged' && evaluated.reason === 'decode_timeout')
    throw new CountedFailure('the decoder did not end in time; the machine is overloaded');
  if (evaluated.status === 'notJudged')
    return notJudged(evaluated.reason, evaluated.reason === 'too_short' ? 'too_short' : 'video_unreadable');
  return {
    liveness: evaluated.liveness,
    reasons: [...evaluated.reasons, ...reasons],
    cues: {
      ...{ cues: evaluated.cues, timings_ms: evaluated.timingsMs, page_hints: hints },
      region_strengths: Object.fromEntries(
        evaluated.comparisons.map(({ id, regionStrengths }) => [id, regionStrengths]),
      ),
      screen_light: evaluated.screenLight && judgedLight(evaluated.screenLight),
    },
    retry: evaluated.retryable && REASONS[evaluated.retryable.reason].told,
    template: evaluated.template,
    bestFrame: evaluated.bestFrame?.bmp ?? null,
    compared: evaluated.comparisons.map(({ id, mayRenew, regionStrengths: _, ...comparison }) => {
      const reference = opened.get(id)!;
      const renew = mayRenew && renewing(parts, challenge, id, { reference, capture: evaluated.template });
      const { id: featidId, source } = reference;
      return { featid: id, featidId, source, ...comparison, ...(renew && { renew }) };
    }),
  };
}

/** All times come from the database; nothing here comes from the page. */
function submissionOf(
  parts: JudgeParts,
  capture: Capture,
  challenge: Challenge,
): NonNullable<JudgeInput['submission']> {
  const { committedAt, issuedAt } = capture;
  if (!committedAt) throw new Fault('INVARIANT', 'a capture is judged that was never committed');
  return {
    elapsedMs: committedAt.getTime() - issuedAt.getTime(),
    seenBefore: (framePrints) =>
      seenBefore(parts, capture, challenge, framePrints).catch((cause: unknown) => {
        // Called in the middle of the evaluation, but not the video's fault.
        throw new Fault('DATABASE_UNAVAILABLE', undefined, { cause });
      }),
  };
}

/** Faults of the machine (a missing decoder, a full disk) are rethrown; anything else is blamed on the video. */
async function evaluate(parts: JudgeParts, input: Parameters<JudgeParts['judge']>[0]): Promise<Evaluated> {
  try {
    return await parts.judge(input);
  } catch (error) {
    const machine = error instanceof Fault ? error.code !== 'INVARIANT' : isSystemError(error);
    throw machine ? error : new CountedFailure('the evaluation broke on this video', { cause: error });
  }
}

const isSystemError = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | null)?.syscall !== undefined;

async function readVideo(parts: JudgeParts, capture: Capture): Promise<Buffer> {
  const asset = capture.assetId && (await parts.store.findAsset(capture.assetId));
  // Erased or cancelled since: settling will find that too.
  if (!asset) return Buffer.alloc(0);
  try {
    return await parts.assets.get({ ...asset, assetId: asset.id });
  } catch (cause) {
    // Trying again will not help. A store that cannot be reached (ASSET_STORE_FAILED) is waited for.
    const lost = cause instanceof Fault && (cause.code === 'ASSET_MISSING' || cause.code === 'SEAL_BROKEN');
    throw lost ? new CountedFailure('the video is gone or altered', { cause }) : cause;
  }
}

type OpenedReference = Extract<Awaited<ReturnType<Featids['openAll']>>[number], { ok: true }>;

/**
 * What seals the capture as a renewal of a FeatureID that it matched; null where none is due, or the FeatureID is of an older
 * recogniser: its person is better enrolled anew.
 */
function renewing(
  { featids }: Pick<JudgeParts, 'featids'>,
  { accountId, id: challengeId }: Challenge,
  featid: string,
  { reference, capture }: { reference: OpenedReference; capture: FaceTemplate | null },
) {
  if (!reference.isDue || capture?.packId !== reference.template.packId) return null;
  return () => featids.renew({ accountId, featid, challengeId, capture });
}

/** A FeatureID revoked since the creation is left out, and the result's reasons say so. */
async function readReferences(parts: JudgeParts, challenge: Challenge) {
  const { compare_to_featids: featids } = await openRequest(parts.custody, challenge);
  const opened = featids.length > 0 ? await parts.featids.openAll(challenge.accountId, featids) : [];
  return {
    references: opened.flatMap((each, at) =>
      each.ok ? [{ id: featids[at]!, template: each.template }] : [],
    ),
    /** By FeatureID text. */
    opened: new Map(opened.flatMap((each, at) => (each.ok ? [[featids[at]!, each] as const] : []))),
    reasons: [...new Set(opened.flatMap((each) => (each.ok ? [] : [each.code])))],
  };
}
