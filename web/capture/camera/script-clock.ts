// Decides which prompt is shown from when to when, and when the recording ends. A step ends when its answer has been
// held, or at its limit; a path step when the path is over. Pure: takes milliseconds from the recording's start and
// what guidance saw, and calls back.
import type { AccessibleWay } from '../../../src/contract/accessible-way.ts';
import type { AnswerMeasures } from '../../../src/contract/answer-measures.ts';
import { PATH } from '../../../src/contract/path.ts';
import type { DrawnStep, Prompt, Script } from '../../../src/contract/script.ts';
import { performedStep, stepLimitMs } from '../../../src/contract/script-steps.ts';
import { isAnswer, mirroredPrompt, nearness, neutralOf } from '../guidance/answers.ts';
import { type HeadLook, isFollowing, pointing } from '../guidance/following.ts';

/** Recorded after the last step, so that its last frames are in the file. */
export const TAIL_MS = 300;

/**
 * Length of a step that is not watched because guidance is dead, late or slow. People take up to 2.5 s, and the rest
 * shows the answer held. (Chosen; answers 0.3 to 2.5 s late pass in test/slow/end-to-end/answers.test.ts.)
 */
export const UNWATCHED_STEP_MS = 3_600;
/** Guidance that has been silent for this long is not watching: twice what a look may take. */
const SILENCE_MS = 2_000;
/** A step that outlasts its limit by more than this is given up: the server allows 500 ms. */
const MAX_LATE_MS = 450;

/**
 * How long before the answer has been held the next step is requested: a slice of 0.4 s and some network time. With it
 * a step lasts as long at 300 ms of round trip as on loopback. If an answer is lost and given again, the next step
 * becomes known earlier than it should.
 */
const ASK_AHEAD_MS = 500;
/** The same if no answer is seen: how long before the step's limit. Chosen, not measured. */
const ASK_BEFORE_LIMIT_MS = 1_500;
/**
 * After waiting this long, all steps are requested at once: the network is too slow for one at a time. Chosen, not
 * measured.
 */
const OVERDUE_MS = 1_000;

/**
 * Why a take is worthless. `too_slow`: the page came too late for the end of a step (a busy device); `connection_slow`:
 * the next step had not arrived; the others: nothing like the answer was seen, so the judgement will not see it either.
 */
export type GivenUp = 'too_slow' | 'connection_slow' | 'smile_missing' | 'turn_missing';

export interface ScriptEvents {
  /** The step is over, and the next prompt or the tail is due; `answered`: guidance has seen its answer. */
  stepEnded(index: number, answered: boolean): void;
  /** Where the head points while it follows a mark, on the path's scale; null if there is no face. */
  pointed(at: { readonly x: number; readonly y: number } | null): void;
  /** The tail is over too; `performed` says when each prompt was shown. */
  ended(performed: Script): void;
  /** The take is worthless. */
  gaveUp(because: GivenUp): void;
}

/** A script whose steps become known one after another. */
export interface FollowedScript {
  /** Those known so far. */
  readonly steps: readonly DrawnStep[];
  readonly stepCount: number;
  readonly maxStepMs: number;
  readonly way: AccessibleWay | undefined;
  /** Whether the steps may not be requested all at once. */
  readonly justInTime: boolean;
  /** Whether a take whose answer is missing is given up, because the person may try again. */
  readonly endsWhenMissed: boolean;
  /** Requests steps until `count` are known. */
  want(count: number): void;
}

/** A turn held to the other side for this long is that of a camera that mirrors. Chosen, not measured. */
const MIRRORED_AFTER_MS = 1_500;

/**
 * An answer of which less than this was seen is not there: the judgement's own limits are above 0.8. Chosen, not
 * measured.
 */
const MIN_NEARNESS = 0.5;
/** With fewer looks at the face, nothing is said about its answer. Chosen, not measured. */
const MIN_LOOKS = 10;

/** Whether the judgement cannot see an answer either. */
function isOutOfReach(looks: readonly (number | null)[]): boolean {
  return looks.length >= MIN_LOOKS && looks.every((near) => near !== null && near < MIN_NEARNESS);
}

export interface ScriptClock {
  /** Time has passed. */
  tick(nowMs: number): void;
  /**
   * Guidance has looked at a frame.
   * @param face the only face in it; null if there was none, or more than one
   * @param atMs when the frame was taken
   */
  saw(face: AnswerMeasures | null, atMs: number, nowMs: number): void;
}

/** Follows a script from its first prompt, which is shown at 0. */
export function followScript(script: FollowedScript, events: ScriptEvents): ScriptClock {
  return new ScriptFollower(script, events);
}

class ScriptFollower implements ScriptClock {
  readonly #script: FollowedScript;
  readonly #events: ScriptEvents;
  readonly #performed: Script['steps'] = [];
  readonly #atRest: AnswerMeasures[] = [];
  #neutral: AnswerMeasures | null = null;
  #heldSinceMs: number | null = null;
  /** To which side turns are seen; null before the first turn that was answered. */
  #side: 'own' | 'other' | null = null;
  #otherSideSinceMs: number | null = null;
  /** How near the face came to the current step's answer, in each look. */
  #nearness: (number | null)[] = [];
  #following: HeadLook[] = [];
  #lastLookMs = 0;
  /** Set while the step is over but the next one has not arrived. */
  #waiting: { readonly sinceMs: number; readonly answered: boolean } | null = null;
  #over = false;

  constructor(script: FollowedScript, events: ScriptEvents) {
    this.#script = script;
    this.#events = events;
  }

  tick(nowMs: number): void {
    const step = this.#current;
    if (this.#over) return;
    if (!step) this.#endTail(nowMs);
    else if (this.#waiting) this.#endStep(nowMs, this.#waiting.answered);
    else this.#endAtLimit(step, nowMs);
  }

  #endAtLimit(step: DrawnStep, nowMs: number): void {
    const limitMs = this.#limitMs(step, nowMs);
    if (nowMs >= this.#fromMs + limitMs - ASK_BEFORE_LIMIT_MS) this.#wantNext();
    if (nowMs < this.#fromMs + limitMs) return;
    if (this.#script.endsWhenMissed && limitMs === this.#script.maxStepMs && isOutOfReach(this.#nearness)) {
      this.#giveUp(step.prompt === 'smile' ? 'smile_missing' : 'turn_missing');
    } else this.#endStep(nowMs, step.prompt === PATH && isFollowing(this.#following, step.path));
  }

  #giveUp(because: GivenUp): void {
    this.#over = true;
    this.#events.gaveUp(because);
  }

  saw(face: AnswerMeasures | null, atMs: number, nowMs: number): void {
    this.#lastLookMs = nowMs;
    const step = this.#current;
    // A frame from before the prompt says nothing about its answer.
    if (this.#over || this.#waiting || !step || atMs < this.#fromMs) return;
    if (step.prompt === PATH) this.#sawFollowing(face, atMs);
    else this.#sawAnswer(step, face, atMs, nowMs);
  }

  #sawAnswer(
    step: Extract<DrawnStep, { prompt: Prompt }>,
    face: AnswerMeasures | null,
    atMs: number,
    nowMs: number,
  ): void {
    const prompt = this.#side === 'other' ? mirroredPrompt(step.prompt) : step.prompt;
    if (face) this.#nearness.push(nearness(prompt, face, this.#neutral));
    if (face === null || !isAnswer(prompt, face, this.#neutral)) {
      this.#heldSinceMs = null;
      this.#watchOtherSide(step.prompt, face, atMs);
      return;
    }
    if (this.#performed.length === 0) this.#atRest.push(face);
    this.#heldSinceMs ??= atMs;
    const heldMs = atMs - this.#heldSinceMs;
    if (heldMs >= step.hold_ms - ASK_AHEAD_MS) this.#wantNext();
    if (heldMs < step.hold_ms) return;
    if (mirroredPrompt(step.prompt) !== step.prompt) this.#side ??= 'own';
    this.#endStep(nowMs, true);
  }

  /**
   * A camera that mirrors its picture shows every turn to the other side. The first turn tells: whoever confuses left and
   * right has time to correct it. The judgement reads all turns of a recording one way or the other.
   */
  #watchOtherSide(prompt: Prompt, face: AnswerMeasures | null, atMs: number): void {
    const other = mirroredPrompt(prompt);
    if (this.#side !== null || other === prompt || !face || !isAnswer(other, face, this.#neutral)) {
      this.#otherSideSinceMs = null;
      return;
    }
    this.#otherSideSinceMs ??= atMs;
    if (atMs - this.#otherSideSinceMs < MIRRORED_AFTER_MS) return;
    this.#side = 'other';
    this.#heldSinceMs = this.#otherSideSinceMs;
  }

  get #current(): DrawnStep | undefined {
    return this.#script.steps[this.#performed.length];
  }

  /** When the current step began. */
  get #fromMs(): number {
    return this.#performed.at(-1)?.to_ms ?? 0;
  }

  /** How long a step is shown if it is not answered sooner. */
  #limitMs(step: DrawnStep, nowMs: number): number {
    const { maxStepMs } = this.#script;
    if (step.prompt === PATH) return step.hold_ms;
    const watched = nowMs - this.#lastLookMs < SILENCE_MS;
    return watched ? maxStepMs : Math.max(step.hold_ms, Math.min(UNWATCHED_STEP_MS, maxStepMs));
  }

  #sawFollowing(face: AnswerMeasures | null, atMs: number): void {
    if (face) this.#following.push({ atMs: atMs - this.#fromMs, face });
    this.#events.pointed(face && this.#neutral && pointing(face, this.#neutral));
  }

  #wantNext(): void {
    this.#script.want(this.#performed.length + 2);
  }

  /** Ends the step, or waits for the one after it. */
  #endStep(nowMs: number, answered: boolean): void {
    const { steps, stepCount, maxStepMs } = this.#script;
    const step = this.#current!;
    const index = this.#performed.length;
    const to_ms = Math.round(nowMs);
    if (to_ms - this.#fromMs > stepLimitMs(step, maxStepMs) + MAX_LATE_MS) {
      this.#giveUp(this.#waiting ? 'connection_slow' : 'too_slow');
    } else if (index + 1 < stepCount && steps.length === index + 1) {
      this.#awaitNext(nowMs, answered);
    } else {
      if (index === 0) this.#neutral = neutralOf(this.#atRest);
      this.#heldSinceMs = this.#otherSideSinceMs = this.#waiting = null;
      this.#following = [];
      this.#nearness = [];
      this.#performed.push(performedStep(step, this.#fromMs, to_ms));
      this.#events.stepEnded(index, answered);
    }
  }

  #awaitNext(nowMs: number, answered: boolean): void {
    this.#wantNext();
    this.#waiting ??= { sinceMs: nowMs, answered };
    const isOverdue = nowMs - this.#waiting.sinceMs >= OVERDUE_MS;
    if (isOverdue && !this.#script.justInTime) this.#script.want(this.#script.stepCount);
  }

  #endTail(nowMs: number): void {
    if (nowMs < this.#fromMs + TAIL_MS) return;
    this.#over = true;
    const { way } = this.#script;
    this.#events.ended({ steps: this.#performed, ...(way && { way }) });
  }
}
