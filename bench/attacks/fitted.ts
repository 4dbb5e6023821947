// The replay attack of a page that may say when each prompt was shown: lays a new script over an old recording where
// its movements fit best.
import { type DrawnScript, isMovement, type Script, type ScriptStep } from '../../src/contract/script.ts';
import { promptSteps } from '../../src/contract/script-steps.ts';
import { wayOf } from './performance.ts';

/**
 * The script, as performed, of which the recording answers the most prompts; its owner knows the recording's own
 * prompts and times. Windows start where a recorded prompt did; ties go to the fewest movements that were not asked
 * for. A script with more prompts than the recording is spread evenly over its last window.
 */
export function fitted(recorded: Script, drawn: DrawnScript): Script {
  const prompts = promptSteps(drawn).map(({ prompt }) => prompt);
  const steps = promptSteps(recorded);
  if (prompts.length > steps.length) return stretched(recorded, drawn);
  let best: { script: Script; score: number } | null = null;
  for (const ends of choices(steps.length, prompts.length)) {
    const windows = prompts.map((prompt, i) => windowOf(steps, prompt, ends[i - 1] ?? 0, ends[i]!));
    const script = { steps: windows, ...wayOf(drawn) };
    const score = scoreOf(steps, prompts, ends);
    if (!best || score > best.score) best = { script, score };
  }
  return best!.script;
}

function windowOf(
  steps: readonly ScriptStep[],
  prompt: ScriptStep['prompt'],
  from: number,
  to: number,
): ScriptStep {
  return { prompt, from_ms: steps[from]!.from_ms, to_ms: steps[to - 1]!.to_ms };
}

/** Number of prompts answered, minus a little for each recorded movement that was not asked for. */
function scoreOf(
  steps: readonly ScriptStep[],
  prompts: readonly ScriptStep['prompt'][],
  ends: readonly number[],
): number {
  let score = 0;
  prompts.forEach((prompt, i) => {
    const inside = steps.slice(ends[i - 1] ?? 0, ends[i]);
    if (inside.some((step) => step.prompt === prompt)) score += 1;
    score -= 0.1 * inside.filter((step) => step.prompt !== prompt && isMovement(step.prompt)).length;
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

function stretched(recorded: Script, drawn: DrawnScript): Script {
  const steps = promptSteps(recorded);
  const asked = promptSteps(drawn);
  const kept = steps.length - 1;
  const last = steps.at(-1)!;
  const more = asked.slice(kept);
  const share = (last.to_ms - last.from_ms) / more.length;
  return {
    steps: asked.map(({ prompt }, i) => {
      if (i < kept) return { ...steps[i]!, prompt };
      const from_ms = Math.round(last.from_ms + (i - kept) * share);
      return { prompt, from_ms, to_ms: Math.round(last.from_ms + (i - kept + 1) * share) };
    }),
    ...wayOf(drawn),
  };
}
