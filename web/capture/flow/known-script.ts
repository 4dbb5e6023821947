// A script as far as the page knows it: its first step, and each later one once the server reveals it.
import type { AccessibleWay } from '../../../src/contract/accessible-way.ts';
import type { DrawnScript, DrawnStep } from '../../../src/contract/script.ts';
import type { FollowedScript } from '../camera/script-clock.ts';
import type { AskedSteps } from '../upload/port.ts';
import type { IssuedCapture } from './screens.ts';

/**
 * Whatever follows the script wants steps, the slices of its recording ask the server for them, and the answers reveal
 * them.
 */
export class KnownScript implements FollowedScript, AskedSteps {
  readonly stepCount: number;
  readonly maxStepMs: number;
  readonly way: AccessibleWay | undefined;
  readonly justInTime: boolean;
  readonly endsWhenMissed: boolean;
  #steps: readonly DrawnStep[];
  #wanted = 1;

  /** @param triesLeft after this one */
  constructor({ script, stepCount }: Pick<IssuedCapture, 'script' | 'stepCount'>, triesLeft: number) {
    this.stepCount = stepCount;
    this.maxStepMs = script.max_step_ms;
    this.way = script.way;
    this.justInTime = script.just_in_time === true;
    // The last try goes to the judgement whatever it shows: only that ends the check.
    this.endsWhenMissed = triesLeft > 0;
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
