// The replay attack of a page that may say when each prompt was shown: lays a new script over an old recording where
// its movements fit best.
import {
  type Asked,
  type DrawnScript,
  isMovement,
  type Script,
  type ScriptStep,
} from '../../src/contract/script.ts';
import { performedStep } from '../../src/contract/script-steps.ts';
import { angleErrorDeg, dotOf, isOnTarget } from '../../src/contract/target.ts';
import { wayOf } from './performance.ts';

/**
 * The script, as performed, of which the recording answers the most prompts; its owner knows the recording's own
 * prompts and times. Windows start where a recorded prompt did; ties go to the fewest movements that were not asked
 * for. A script with more prompts than the recording is spread evenly over its last window.
 */
export function fitted(recorded: Script, drawn: DrawnScript): Script {
  const asked = drawn.steps;
  const { steps } = recorded;
  if (asked.length > steps.length) return stretched(steps, drawn);
  let best: { script: Script; score: number } | null = null;
  for (const ends of choices(steps.length, asked.length)) {
    const score = scoreOf(steps, asked, ends);
    if (best && score <= best.score) continue;
    const windows = asked.map((step, i) =>
      performedStep(step, steps[ends[i - 1] ?? 0]!.from_ms, steps[ends[i]! - 1]!.to_ms),
    );
    best = { script: { steps: windows, ...wayOf(drawn) }, score };
  }
  return best!.script;
}

/** How well an answer to one prompt answers another: 1 where it is accepted, 0 to a third where only the kind is right. */
export function answersHow(given: Asked, asked: Asked): number {
  if (given.prompt !== 'target' || asked.prompt !== 'target') return Number(given.prompt === asked.prompt);
  return isOnTarget(dotOf(given), asked) ? 1 : (1 - angleErrorDeg(dotOf(given), asked) / 180) / 3;
}

/** Number of prompts answered, minus a little for each recorded movement that was not asked for. */
function scoreOf(steps: readonly ScriptStep[], asked: readonly Asked[], ends: readonly number[]): number {
  let score = 0;
  asked.forEach((step, i) => {
    const inside = steps.slice(ends[i - 1] ?? 0, ends[i]);
    score += Math.max(...inside.map((given) => answersHow(given, step)));
    score -= 0.1 * inside.filter((given) => isMovement(given.prompt) && answersHow(given, step) < 1).length;
  });
  return score;
}

/** Every way to divide `count` recorded steps into `parts` consecutive windows; the tail may be left out. */
function choices(count: number, parts: number): number[][] {
  let ends: number[][] = [[]];
  for (let part = 0; part < parts; part++)
    ends = ends.flatMap((chosen) => {
      const from = (chosen.at(-1) ?? 0) + 1;
      const last = count - (parts - part - 1);
      return Array.from({ length: Math.max(0, last - from + 1) }, (_, i) => [...chosen, from + i]);
    });
  return ends;
}

function stretched(steps: readonly ScriptStep[], drawn: DrawnScript): Script {
  const kept = steps.length - 1;
  const last = steps.at(-1)!;
  const share = (last.to_ms - last.from_ms) / (drawn.steps.length - kept);
  const at = (i: number) => Math.round(last.from_ms + (i - kept) * share);
  return {
    steps: drawn.steps.map((step, i) =>
      i < kept
        ? performedStep(step, steps[i]!.from_ms, steps[i]!.to_ms)
        : performedStep(step, at(i), at(i + 1)),
    ),
    ...wayOf(drawn),
  };
}
