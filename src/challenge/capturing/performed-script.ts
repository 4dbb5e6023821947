// Whether the page ran the script that was drawn.
import { isDeepStrictEqual } from 'node:util';
import type { DrawnScript, Script } from '../../contract/script.ts';
import { performedStep } from '../../contract/script-steps.ts';

/** A step may last this much longer than its limit, because timers on a busy page fire late. */
const LATE_MS = 500;

/**
 * Whether the steps ask for what was drawn, in order and without gaps from the first frame on, each shown at least as
 * long as its answer had to be held, and not much longer than a step may last.
 */
export function matchesDrawnScript(performed: Script, drawn: DrawnScript): boolean {
  return (
    performed.steps.length === drawn.steps.length &&
    performed.way === drawn.way &&
    performed.steps.every((shown, i) => {
      const step = drawn.steps[i]!;
      const { from_ms, to_ms } = shown;
      const lastsMs = to_ms - from_ms;
      return (
        from_ms === (performed.steps[i - 1]?.to_ms ?? 0) &&
        lastsMs >= step.hold_ms &&
        lastsMs <= drawn.max_step_ms + LATE_MS &&
        isDeepStrictEqual(shown, performedStep(step, from_ms, to_ms))
      );
    })
  );
}
