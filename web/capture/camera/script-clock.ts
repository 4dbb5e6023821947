// Decides which prompt is shown from when to when, and when the recording ends. A step ends when its answer has been
// held, or at its limit. Pure: takes milliseconds from the recording's start and what guidance saw, and calls back.
import type { AccessibleWay } from '../../../src/contract/accessible-way.ts';
import type { AnswerMeasures } from '../../../src/contract/answer-measures.ts';
import { type DrawnStep, isMovement, type Prompt, type Script } from '../../../src/contract/script.ts';
import { performedStep } from '../../../src/contract/script-steps.ts';
import { MIN_REACTION_MS } from '../../../src/contract/target.ts';
import { Adviser, type Aim } from '../guidance/aim.ts';
import { isAnswer, type LookedAt, nearness, neutralOf } from '../guidance/answers.ts';
import { Head } from '../guidance/head.ts';
import type { SeenFace } from '../guidance/hint.ts';

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
export type GivenUp = 'too_slow' | 'connection_slow' | 'smile_missing' | 'target_missing';

export interface ScriptEvents {
  /** The step is over, and the next prompt or the tail is due; `answered`: guidance has seen its answer. */
  stepEnded(index: number, answered: boolean): void;
  /** Guidance has looked at a head that is to turn to a dot, or to be back for a smile. */
  aimed(aim: Aim): void;
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

/**
 * An answer of which less than this was seen is not there: the judgement's own limits are above 0.8, and the 635 answers
 * of 408 captures that it accepted came to 0.97 and more (bench:pad's footage). A head that is never quite still turns
 * by up to half of a near target's.
 */
const MIN_NEARNESS = { smile: 0.5, target: 0.75 } as const;
/** With fewer looks at the face, nothing is said about its answer. Chosen, not measured. */
const MIN_LOOKS = 10;

/** Whether the judgement cannot see an answer either. */
function isOutOfReach(prompt: Prompt, looks: readonly (number | null)[]): boolean {
  if (prompt === 'neutral' || looks.length < MIN_LOOKS) return false;
  return looks.every((near) => near !== null && near < MIN_NEARNESS[prompt]);
}

export interface ScriptClock {
  /** Time has passed. */
  tick(nowMs: number): void;
  /**
   * Guidance has looked at a frame.
   * @param face the only face in it; null if there was none, or more than one
   * @param atMs when the frame was taken
   */
  saw(face: SeenFace | null, atMs: number, nowMs: number): void;
}

/** Follows a script from its first prompt, which is shown at 0. */
export function followScript(script: FollowedScript, events: ScriptEvents): ScriptClock {
  return new ScriptFollower(script, events);
}

class ScriptFollower implements ScriptClock {
  readonly #script: FollowedScript;
  readonly #events: ScriptEvents;
  readonly #performed: Script['steps'] = [];
  readonly #head = new Head();
  /** Looks at the face at rest, in the first step. */
  readonly #atRest: SeenFace[] = [];
  #neutral: AnswerMeasures | null = null;
  #heldSinceMs: number | null = null;
  #adviser: Adviser | null = null;
  #lastFace: SeenFace | null = null;
  /** How near the face came to the current step's answer, in each look. */
  #nearness: (number | null)[] = [];
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
    const isWatched = limitMs === this.#script.maxStepMs;
    if (this.#script.endsWhenMissed && isWatched && isOutOfReach(step.prompt, this.#nearness)) {
      this.#giveUp(step.prompt === 'smile' ? 'smile_missing' : 'target_missing');
    } else this.#endStep(nowMs, false);
  }

  #giveUp(because: GivenUp): void {
    this.#over = true;
    this.#events.gaveUp(because);
  }

  saw(face: SeenFace | null, atMs: number, nowMs: number): void {
    this.#lastLookMs = nowMs;
    const before = this.#lastFace;
    if (face) {
      this.#head.saw(face.upperFace, atMs);
      this.#lastFace = face;
    }
    const step = this.#current;
    // A frame from before the prompt says nothing about its answer.
    if (this.#over || this.#waiting || !step || atMs < this.#fromMs) return;
    const look = face && { ...face, heading: this.#head.heading(face.upperFace, this.#fromMs) };
    const heldMs = this.#heldMs(step, look, atMs);
    if (isMovement(step.prompt)) {
      this.#adviser ??= new Adviser(step, before);
      this.#tellAim(this.#adviser, step, look, atMs, heldMs);
    }
    if (heldMs === null) return;
    if (face && this.#performed.length === 0) this.#atRest.push(face);
    if (heldMs >= step.hold_ms - ASK_AHEAD_MS) this.#wantNext();
    if (heldMs >= step.hold_ms) this.#endStep(nowMs, true);
  }

  /** How long the answer has been held; null if this look shows none. */
  #heldMs(step: DrawnStep, look: LookedAt | null, atMs: number): number | null {
    if (look) this.#nearness.push(nearness(step, look, this.#neutral));
    const tooSoon = step.prompt === 'target' && atMs < this.#fromMs + MIN_REACTION_MS;
    if (!look || tooSoon || !isAnswer(step, look, this.#neutral)) this.#heldSinceMs = null;
    else this.#heldSinceMs ??= atMs;
    return this.#heldSinceMs === null ? null : atMs - this.#heldSinceMs;
  }

  #tellAim(
    adviser: Adviser,
    { prompt, hold_ms }: DrawnStep,
    look: (SeenFace & LookedAt) | null,
    atMs: number,
    heldMs: number | null,
  ): void {
    const heading = look?.heading ?? null;
    const at = prompt === 'target' && heading ? heading.aim : null;
    const advice = look && heading && adviser.advice(look, heading, atMs);
    const held = heldMs === null ? 0 : Math.min(1, heldMs / Math.max(1, hold_ms));
    this.#events.aimed({ at, held, advice });
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
    const watched = nowMs - this.#lastLookMs < SILENCE_MS;
    return watched ? maxStepMs : Math.max(step.hold_ms, Math.min(UNWATCHED_STEP_MS, maxStepMs));
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
    if (to_ms - this.#fromMs > maxStepMs + MAX_LATE_MS) {
      this.#giveUp(this.#waiting ? 'connection_slow' : 'too_slow');
    } else if (index + 1 < stepCount && steps.length === index + 1) {
      this.#awaitNext(nowMs, answered);
    } else {
      if (index === 0) this.#learnRest();
      this.#heldSinceMs = this.#adviser = this.#waiting = null;
      this.#nearness = [];
      this.#performed.push(performedStep(step, this.#fromMs, to_ms));
      this.#events.stepEnded(index, answered);
    }
  }

  #learnRest(): void {
    this.#neutral = neutralOf(this.#atRest.map(({ measures }) => measures));
    this.#head.rest(this.#atRest.map(({ upperFace }) => upperFace));
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
