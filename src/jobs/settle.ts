// The end of every judgement, of a complete video or a growing one: settles the challenge and informs operators.
import type { Logger } from '../base/log.ts';
import type { Capture, Challenge, PageHints } from '../challenge/challenge.ts';
import { type Judgement, type Settlement, settleJudgement } from '../challenge/closing/settle-judgement.ts';
import type { SettlementParts } from '../challenge/parts.ts';
import { GUIDANCE_STATES, type GuidanceState } from '../contract/capture-page.ts';
import type { JudgedCue } from '../contract/judged-try.ts';
import type { ReceiptFacts } from '../contract/receipt.ts';
import type { Judgement as Evaluated } from '../evaluation/judge.ts';
import { promptLead } from '../evaluation/liveness/announced.ts';
import { type CaptureFacts, type CaptureFactsParts, judgementOf } from './capture-facts.ts';

/** The label of a metric if nothing was judged. */
const NOT_JUDGED = 'not_judged';

/** Called with every settled judgement, for metrics. */
export type JudgeObserver = (judged: {
  /** Whether it was judged while being recorded. */
  readonly followed: boolean;
  readonly settlement: Settlement;
  /** The state of the page's guidance, as the page reported it. */
  readonly guidance: GuidanceState | 'unknown';
  /** Outcome of the check that its prompts were handed out in time. */
  readonly promptLead: string;
  readonly live: boolean;
  readonly reasons: readonly string[];
  readonly timingsMs: Readonly<Record<string, number>>;
}) => void;

export interface SettleParts extends SettlementParts, CaptureFactsParts {
  readonly featids: CaptureFactsParts['featids'];
  readonly observe: JudgeObserver;
  readonly log: Logger;
}

/** The evaluation of a complete capture. */
interface Evaluation {
  readonly evaluated: Evaluated;
  readonly facts: CaptureFacts;
  /** Hash and size of the bytes that were evaluated. */
  readonly video: ReceiptFacts['video'];
  readonly followed: boolean;
}

/** What settling needs of it: none of the templates that it was compared with. */
export interface Judged extends Pick<Evaluation, 'followed'> {
  readonly judgement: Judgement;
  readonly guidance: GuidanceState | 'unknown';
}

export const judgedOf = (
  parts: CaptureFactsParts,
  { evaluated, facts, video, followed }: Evaluation,
): Judged => ({
  judgement: judgementOf(parts, evaluated, facts, video),
  guidance: guidanceOf(facts.hints),
  followed,
});

/** Settles a submitted capture. */
export async function settle(
  parts: SettleParts,
  taken: { readonly capture: Capture; readonly challenge: Challenge },
  { judgement, guidance, followed }: Judged,
): Promise<void> {
  const ids = { capture: taken.capture.id, challenge: taken.challenge.id };
  const settlement = await settleJudgement(parts, taken, judgement);
  const { cues = [], timings_ms: timingsMs = {} } = judgement.cues;
  const promptLeadOutcome = observedOutcome(cues, promptLead.cue) ?? NOT_JUDGED;
  parts.observe({
    followed,
    settlement,
    guidance,
    promptLead: promptLeadOutcome,
    live: judgement.liveness.overall,
    reasons: judgement.reasons,
    timingsMs,
  });
  // More than one start: a worker died in the middle, or following was given up and the capture was judged at its end.
  const { judgementStarts: starts } = taken.capture;
  const observed = { settlement, guidance, followed, starts, prompt_lead: promptLeadOutcome };
  parts.log.info({ ...ids, ...observed }, 'capture judged');
}

/** Only counted and shown to operators. Without guidance the page asks everybody to press a button. */
function guidanceOf(hints: PageHints | null): GuidanceState | 'unknown' {
  return GUIDANCE_STATES.find((state) => state === hints?.guidance) ?? 'unknown';
}

/** A check's outcome as a metric's label: `passed`, `failed`, or why it did not run; null if nothing was judged. */
function observedOutcome(cues: readonly JudgedCue[], name: string): string | null {
  const check = cues.find(({ cue }) => cue === name);
  if (!check) return null;
  return (check.status === 'notEvaluated' && check.reason) || check.status;
}
