// What a worker knows about a capture besides its video, and which part of the judgement goes to the challenge.
import { Fault } from '../base/errors.ts';
import type { Capture, Challenge, PageHints, StoredTry } from '../challenge/challenge.ts';
import { seenBefore } from '../challenge/closing/earlier-captures.ts';
import { type Judgement, notJudged } from '../challenge/closing/settle-judgement.ts';
import type { SettlementParts } from '../challenge/parts.ts';
import { openHints, openRequest } from '../challenge/seals.ts';
import type { Engine, ReceiptFacts } from '../contract/receipt.ts';
import type { Judgement as Evaluated, JudgementContext } from '../evaluation/judge.ts';
import { inputsOf, valuesBesideCues } from '../evaluation/judged-values.ts';
import { REASONS } from '../evaluation/reasons.ts';
import type { Featids } from '../featid/featids.ts';

export interface CaptureFactsParts extends Pick<SettlementParts, 'store' | 'custody'> {
  readonly featids: Pick<Featids, 'create' | 'openAll'>;
  /** The engine that judges here, for receipts. */
  readonly engine: Engine;
}

/** A capture with everything that its judgement needs except the video. */
export interface CaptureFacts {
  readonly challenge: Challenge;
  readonly hints: PageHints | null;
  /** What its video is compared with. */
  readonly context: JudgementContext;
  /** The FeatureIDs that the capture is compared with, keyed by their text. */
  readonly opened: ReadonlyMap<string, OpenedReference>;
  /** Why other FeatureIDs are not compared. */
  readonly reasons: readonly string[];
}

/** Reads the facts about a committed capture. */
export async function readFacts(
  parts: CaptureFactsParts,
  { capture, challenge }: { capture: Capture; challenge: Challenge },
): Promise<CaptureFacts> {
  const [hints, { references, opened, reasons }] = await Promise.all([
    openHints(parts.custody, challenge, capture),
    readReferences(parts, challenge),
  ]);
  const submission = submissionOf(parts, capture, challenge);
  const context = { script: capture.performedScript, references, submission };
  return { challenge, hints, context, opened, reasons };
}

/** Translates an evaluation of this video into the challenge's terms. */
export function judgementOf(
  parts: CaptureFactsParts,
  evaluated: Evaluated,
  { hints, context, opened, reasons }: CaptureFacts,
  video: ReceiptFacts['video'],
): Judgement {
  const values = valuesBesideCues(evaluated);
  const receipt = { video, inputs: inputsOf(context, evaluated), engine: parts.engine, values };
  if (evaluated.status === 'notJudged') {
    const retry = evaluated.reason === 'too_short' ? 'too_short' : 'video_unreadable';
    return { ...notJudged(evaluated.reason, retry), receipt };
  }
  return {
    receipt,
    liveness: evaluated.liveness,
    reasons: [...evaluated.reasons, ...reasons],
    cues: { cues: evaluated.cues, timings_ms: evaluated.timingsMs, page_hints: hints },
    retry: evaluated.retryable && REASONS[evaluated.retryable.reason].told,
    template: evaluated.template,
    tried: triedOf(evaluated),
    bestFrame: evaluated.bestFrame?.bmp ?? null,
    compared: evaluated.comparisons.map(({ id, ...comparison }) => {
      const { id: featidId, source } = opened.get(id)!;
      return { featid: id, featidId, source, ...comparison };
    }),
  };
}

/** What operators see of a try. Three decimals are finer than a curve can show. */
function triedOf(evaluated: Extract<Evaluated, { status: 'judged' }>): StoredTry {
  const { liveness, reasons, cues, timingsMs, clip, timeline } = evaluated;
  return {
    liveness,
    reasons,
    cues,
    timings_ms: timingsMs,
    durationMs: Math.round(clip.durationMs),
    moments: timeline.map(({ timeMs, motion, identity, face }) => ({
      timeMs: Math.round(timeMs),
      motion: short(motion),
      identity: identity === null ? null : short(identity),
      face: face && {
        smile: face.smile === null ? null : short(face.smile),
        head: face.head && { x: short(face.head.x), y: short(face.head.y) },
      },
    })),
  };
}

const short = (value: number): number => Math.round(value * 1_000) / 1_000;

/** The submission's times. All come from the database; nothing here comes from the page. */
function submissionOf(
  parts: CaptureFactsParts,
  capture: Capture,
  challenge: Challenge,
): NonNullable<JudgementContext['submission']> {
  const { committedAt, issuedAt } = capture;
  if (!committedAt) throw new Fault('INVARIANT', 'a capture that was never committed cannot be judged');
  let endByte = 0;
  return {
    elapsedMs: committedAt.getTime() - issuedAt.getTime(),
    announcements: capture.slices.map(({ size_bytes, announced_ms: announcedMs }) => {
      endByte += size_bytes;
      return { endByte, announcedMs };
    }),
    handedOutMs: capture.handedOutMs,
    justInTime: capture.script.just_in_time === true,
    seenBefore: (framePrints) =>
      seenBefore(parts, capture, challenge, framePrints).catch((cause: unknown) => {
        // Called during the evaluation, but a failure is not the video's fault.
        throw new Fault('DATABASE_UNAVAILABLE', undefined, { cause });
      }),
  };
}

type OpenedReference = Extract<Awaited<ReturnType<Featids['openAll']>>[number], { ok: true }>;

/** A FeatureID revoked since the creation is left out, and the result's reasons say so. */
async function readReferences(parts: CaptureFactsParts, challenge: Challenge) {
  const { compare_to_featids: featids } = await openRequest(parts.custody, challenge);
  const opened = featids.length > 0 ? await parts.featids.openAll(challenge.accountId, featids) : [];
  return {
    references: opened.flatMap((each, at) =>
      each.ok ? [{ id: featids[at]!, template: each.template }] : [],
    ),
    opened: new Map(opened.flatMap((each, at) => (each.ok ? [[featids[at]!, each] as const] : []))),
    reasons: [...new Set(opened.flatMap((each) => (each.ok ? [] : [each.code])))],
  };
}
