// A script as far as the page knows it: its first step, and the next ones as the server hands them out.
import type { DrawnScript, DrawnStep } from '../../../src/contract/script.ts';
import type { FollowedScript } from '../camera/script-clock.ts';
import type { AskedSteps } from '../upload/port.ts';
import type { IssuedCapture } from './screens.ts';

/** Steps are wanted by whoever follows the script, asked for with the slices of its recording, and learnt from the answers. */
export class KnownScript implements FollowedScript, AskedSteps {
  readonly stepCount: number;
  readonly maxStepMs: number;
  readonly accessible: boolean;
  readonly justInTime: boolean;
  #steps: readonly DrawnStep[];
  #wanted = 1;

  constructor({ script, stepCount }: Pick<IssuedCapture, 'script' | 'stepCount'>) {
    this.stepCount = stepCount;
    this.maxStepMs = script.max_step_ms;
    this.accessible = script.accessible === true;
    this.justInTime = script.just_in_time === true;
    this.#steps = script.steps;
  }

  get steps(): readonly DrawnStep[] {
    return this.#steps;
  }

  /** The whole script; only once every step is known. */
  get whole(): Pick<DrawnScript, 'steps' | 'max_step_ms'> {
    return { steps: [...this.#steps], max_step_ms: this.maxStepMs };
  }

  get asked(): number | undefined {
    return this.#wanted > this.#steps.length ? this.#wanted : undefined;
  }

  want(count: number): void {
    this.#wanted = Math.max(this.#wanted, Math.min(count, this.stepCount));
  }

  learn(steps: readonly DrawnStep[]): void {
    if (steps.length > this.#steps.length) this.#steps = steps;
  }
}
