// The outcome of a judgement as a receipt has it: the part that judging the video again reproduces to the last digit.
import { Fault } from '../base/errors.ts';
import type { ReceiptFacts, ReceiptInputs, ReceiptValues } from '../contract/receipt.ts';
import { NOTHING_PASSED } from '../contract/result.ts';
import type { Judgement, JudgementContext } from './judge.ts';

/** The values of a judgement. */
export function judgedValues(judgement: Judgement): ReceiptValues {
  const cues = judgement.status === 'judged' ? [...judgement.cues] : [];
  return { ...valuesBesideCues(judgement), cues };
}

/**
 * The same without the cues, which results keep anyway. If a video cannot be judged, nothing passed, and its reason is
 * the only one.
 */
export function valuesBesideCues(judgement: Judgement): ReceiptFacts['values'] {
  if (judgement.status === 'notJudged') {
    return { liveness: NOTHING_PASSED, reasons: [judgement.reason], retry: null };
  }
  const { liveness, reasons, retryable } = judgement;
  return {
    liveness,
    reasons: [...reasons],
    retry: retryable?.reason ?? null,
  };
}

/**
 * What a video was judged against, without the references.
 * @throws Fault INVARIANT for a video that was not submitted to a challenge
 */
export function inputsOf({ script, submission }: JudgementContext, judgement: Judgement): ReceiptInputs {
  if (!submission) throw new Fault('INVARIANT', 'a receipt of a video that was never submitted');
  return {
    script,
    elapsed_ms: submission.elapsedMs,
    announcements: submission.announcements.map(({ endByte: end_byte, announcedMs: announced_ms }) => ({
      end_byte,
      announced_ms,
    })),
    handed_out_ms: [...submission.handedOutMs],
    just_in_time: submission.justInTime,
    seen_before: judgement.status === 'judged' ? (judgement.submission?.seenBefore ?? null) : null,
  };
}

/**
 * The context in which, according to a receipt, its video was judged. Whether it was seen before is taken from the
 * receipt.
 */
export function contextOf(inputs: ReceiptInputs): JudgementContext {
  return {
    script: inputs.script,
    references: [],
    submission: {
      elapsedMs: inputs.elapsed_ms,
      announcements: inputs.announcements.map(({ end_byte: endByte, announced_ms: announcedMs }) => ({
        endByte,
        announcedMs,
      })),
      handedOutMs: inputs.handed_out_ms,
      justInTime: inputs.just_in_time,
      seenBefore: async () => inputs.seen_before,
    },
  };
}
