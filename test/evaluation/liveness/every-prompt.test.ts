// Properties of every present and future prompt: one more is added to the tables before anything reads them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawScript } from '../../../src/challenge/capturing/draw-script.ts';
import {
  isMovement,
  opposedBy,
  PROMPT_NAMES,
  PROMPTS,
  type Prompt,
  type Script,
} from '../../../src/contract/script.ts';
import { promptSteps } from '../../../src/contract/script-steps.ts';
import type { ObservedFace } from '../../../src/evaluation/face/observation.ts';
import type { Cue } from '../../../src/evaluation/liveness/cue.ts';
import { PROMPT_ROWS, type PromptRow } from '../../../src/evaluation/liveness/prompts.ts';
import { REASONS, type ReasonCode } from '../../../src/evaluation/reasons.ts';
import { evidence, observe, SMILE } from './evidence.ts';

const NOD = 'nod' as Prompt;
Object.assign(PROMPTS, { [NOD]: { kind: 'nod', mirrored: NOD } });
PROMPT_NAMES.push(NOD);
Object.assign(REASONS, {
  nod_missing: { kind: 'retry', told: 'prompt_not_followed', meaning: 'no nod when asked for one' },
  nod_not_required: { kind: 'silent', meaning: 'the script asks for no nod' },
});
Object.assign(PROMPT_ROWS, {
  [NOD]: {
    cue: 'nod',
    results: ['script'],
    missing: 'nod_missing' as ReasonCode,
    notAsked: 'nod_not_required' as ReasonCode,
    heldFrames: 3,
    mayLast: false,
    isUnmoved: ({ pitch }) => pitch < 0.3,
    strength: (face) => face.pitch / 0.3,
  } satisfies PromptRow,
});
// Checks, roles and reasons are derived from the tables when they are loaded.
const { CHECKS } = await import('../../../src/evaluation/liveness/checks.ts');
const { ANSWER_CHECKS, contrary, coverage, foresight, neutralKept } = await import(
  '../../../src/evaluation/liveness/prompt-checks.ts'
);
const { fuse } = await import('../../../src/evaluation/liveness/fusion.ts');

const rowOf = (prompt: Prompt): PromptRow => PROMPT_ROWS[prompt];
const ANSWERS: Readonly<Record<string, Partial<ObservedFace>>> = {
  neutral: {},
  smile: SMILE,
  turn_left: { yaw: 0.5 },
  turn_right: { yaw: -0.5 },
  [NOD]: { pitch: 0.5 },
};
const ALL: readonly Prompt[] = PROMPT_NAMES;

const STEP_MS = 1600;
const scriptOf = (prompts: readonly Prompt[]): Script => ({
  steps: prompts.map((prompt, i) => ({ prompt, from_ms: i * STEP_MS, to_ms: (i + 1) * STEP_MS })),
});
/** Any script that contains this prompt. */
const scriptsWith = (prompt: Prompt) =>
  fc
    .array(fc.constantFrom(...ALL), { minLength: 1, maxLength: 7 })
    .map((prompts) => ['neutral' as Prompt, ...prompts])
    .filter((prompts) => prompts.includes(prompt) && prompts.every((one, i) => one !== prompts[i - 1]))
    .map(scriptOf);

/** A face that performs these actions in order, `delayMs` after each prompt. */
function showing(script: Script, performed: readonly Prompt[], delayMs: number) {
  const endMs = script.steps.at(-1)!.to_ms + 80;
  const at = (timeMs: number) => Math.max(0, Math.floor((timeMs - delayMs) / STEP_MS));
  const observations = observe(endMs, (timeMs) => ANSWERS[performed[at(timeMs)]!]!);
  return evidence({ script, observations }, endMs);
}

/** The verdict if everything else passed. */
function verdictOf(given: ReturnType<typeof evidence>) {
  const ofTheScript = [...ANSWER_CHECKS, neutralKept, foresight, contrary, coverage];
  const cues = CHECKS.map(({ cue }): Cue => {
    const check = ofTheScript.find((one) => one.cue === cue);
    return { cue, ...(check?.run(given) ?? { status: 'passed', value: 1, threshold: 0, reason: null }) };
  });
  return { cues, ...fuse(cues) };
}

describe.each(ALL)('%s', (prompt) => {
  it('fails in the script of a face that never responds to it, whatever it does instead', () => {
    const instead = ALL.filter((other) => other !== prompt);
    const cases = scriptsWith(prompt).chain((script) => {
      // Each step gets the right response, none, or another one.
      const performed = promptSteps(script).map((step) => {
        const anything = fc.constantFrom(...instead);
        return instead.includes(step.prompt)
          ? fc.oneof({ weight: 3, arbitrary: fc.constant(step.prompt) }, anything)
          : anything;
      });
      return fc.tuple(fc.constant(script), fc.tuple(...performed), fc.integer({ min: 0, max: 900 }));
    });
    fc.assert(
      fc.property(cases, ([script, performed, delayMs]) => {
        const { cues, liveness, reasons } = verdictOf(showing(script, performed, delayMs));
        expect(cues.find(({ cue }) => cue === rowOf(prompt).cue)).toMatchObject({ status: 'failed' });
        expect(liveness.overall).toBe(false);
        expect(reasons).toContain(rowOf(prompt).missing);
      }),
      { numRuns: 150 },
    );
  });

  it('passes in the script of a face that responds to it and to all others', () => {
    fc.assert(
      fc.property(scriptsWith(prompt), (script) => {
        const { reasons } = verdictOf(
          showing(
            script,
            promptSteps(script).map((step) => step.prompt),
            500,
          ),
        );
        expect(reasons.filter((reason) => REASONS[reason].kind !== 'info')).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('is drawn where it is allowed', () => {
    const scripts = Array.from({ length: 20 }, () => drawScript('standard', ['neutral', prompt]));
    for (const { steps } of scripts) expect(steps.map((step) => step.prompt)).toContain(prompt);
  });

  it.each(['quick', 'standard', 'high'] as const)('has its kind in every %s script', (level) => {
    for (let i = 0; i < 20; i++) {
      const kinds = promptSteps(drawScript(level, ALL)).map((step) => PROMPTS[step.prompt].kind);
      expect(kinds).toContain(PROMPTS[prompt].kind);
    }
  });
});

describe.each(ALL.filter(isMovement))('%s', (prompt) => {
  it('is no rest: performed where rest is required, it fails the script', () => {
    const other = opposedBy(prompt)[0]!;
    const script = scriptOf(['neutral', other, 'neutral', other]);
    const asked = showing(script, ['neutral', other, 'neutral', other], 500);
    expect(neutralKept.run(asked)).toMatchObject({ status: 'passed' });
    const strayed = showing(script, ['neutral', other, prompt, other], 500);
    expect(neutralKept.run(strayed)).toMatchObject({ status: 'failed', reason: 'neutral_missing' });
  });
});
