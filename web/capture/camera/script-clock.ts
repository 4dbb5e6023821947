// Which prompt is on the screen, from when to when, and when the recording ends: a step ends when its answer has been
// held, or at its limit; a path's when it is over. Pure: milliseconds from the recording's start and what guidance saw in, calls out.
import type { AnswerMeasures } from '../../../src/contract/answer-measures.ts';
import { PATH } from '../../../src/contract/path.ts';
import type { DrawnScript, Script } from '../../../src/contract/script.ts';
import { livedStep, stepLimitMs } from '../../../src/contract/script-steps.ts';
import { isAnswer, neutralOf } from '../guidance/answers.ts';
import { type HeadLook, isFollowing, pointing } from '../guidance/following.ts';

/** Recorded after the last step, so that its last frames are surely in the file. */
export const TAIL_MS = 300;

/**
 * Length of a step that nobody watches, as guidance is dead, late or slow: people take up to 2.5 s, and what is left
 * over shows the answer held. (Chosen; answers .3 to 2.5 s late pass in test/slow/end-to-end/answers.test.ts.)
 */
export const UNWATCHED_STEP_MS = 3_600;
/** Guidance that has said nothing for so long watches nobody: twice what a look may take. */
const SILENCE_MS = 2_000;
/** A step that lasted this much longer than its limit is none that the server takes (it gives 500 ms). */
const MAX_LATE_MS = 450;

export interface ScriptEvents {
  /** The step is over; `answered`: guidance has seen its answer. The next prompt is due, or the tail. */
  stepEnded(index: number, answered: boolean): void;
  /** Where the head points while a mark is followed, on the path's scale; null where there is no face. */
  pointed(at: { readonly x: number; readonly y: number } | null): void;
  /** The tail is over too: when each prompt was shown. */
  ended(lived: Script): void;
  /** The page came too late to end a step within its time (a busy device): the take is worthless. */
  late(): void;
}

export interface ScriptClock {
  /** Time has passed. */
  tick(nowMs: number): void;
  /**
   * Guidance has looked at a picture.
   * @param face the one face in it; null where there was none, or more
   * @param atMs when the picture was taken
   */
  saw(face: AnswerMeasures | null, atMs: number, nowMs: number): void;
}

/** Follows a script from its first prompt, which is shown at 0. */
export function followScript(script: DrawnScript, events: ScriptEvents): ScriptClock {
  const lived: Script['steps'] = [];
  const atRest: AnswerMeasures[] = [];
  let neutral: AnswerMeasures | null = null;
  let heldSinceMs: number | null = null;
  let following: HeadLook[] = [];
  let lastLookMs = 0;
  let over = false;
  const fromMs = () => lived.at(-1)?.to_ms ?? 0;
  const current = () => script.steps[lived.length];

  const endStep = (nowMs: number, answered: boolean) => {
    const from_ms = fromMs();
    const to_ms = Math.round(nowMs);
    if (to_ms - from_ms > stepLimitMs(current()!, script) + MAX_LATE_MS) {
      over = true;
      return events.late();
    }
    if (lived.length === 0) neutral = neutralOf(atRest);
    heldSinceMs = null;
    following = [];
    lived.push(livedStep(current()!, from_ms, to_ms));
    events.stepEnded(lived.length - 1, answered);
  };

  return {
    tick: (nowMs) => {
      const step = current();
      if (over) return;
      if (!step) {
        if (nowMs < fromMs() + TAIL_MS) return;
        over = true;
        return events.ended({ steps: lived, ...(script.accessible && { accessible: true }) });
      }
      if (step.prompt === PATH) {
        if (nowMs >= fromMs() + step.hold_ms) endStep(nowMs, isFollowing(following, step.path));
        return;
      }
      const watched = nowMs - lastLookMs < SILENCE_MS;
      const unwatchedMs = Math.max(step.hold_ms, Math.min(UNWATCHED_STEP_MS, script.max_step_ms));
      if (nowMs >= fromMs() + (watched ? script.max_step_ms : unwatchedMs)) endStep(nowMs, false);
    },
    saw: (face, atMs, nowMs) => {
      lastLookMs = nowMs;
      const step = current();
      // A picture from before the prompt says nothing of its answer.
      if (over || !step || atMs < fromMs()) return;
      if (step.prompt === PATH) {
        if (face) following.push({ atMs: atMs - fromMs(), face });
        events.pointed(face && neutral && pointing(face, neutral));
        return;
      }
      const answers = face !== null && isAnswer(step.prompt, face, neutral);
      if (!answers) {
        heldSinceMs = null;
        return;
      }
      if (lived.length === 0) atRest.push(face);
      heldSinceMs ??= atMs;
      if (atMs - heldSinceMs >= step.hold_ms) endStep(nowMs, true);
    },
  };
}
