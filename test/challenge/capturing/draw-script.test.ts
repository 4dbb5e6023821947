import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawScript, openWays } from '../../../src/challenge/capturing/draw-script.ts';
import { matchesDrawnScript } from '../../../src/challenge/capturing/performed-script.ts';
import { ACCESSIBLE_WAYS, type AccessibleWay } from '../../../src/contract/accessible-way.ts';
import type { LivenessLevel } from '../../../src/contract/liveness-level.ts';
import {
  type DrawnScript,
  isMovement,
  PROMPT_NAMES,
  type Prompt,
  type Script,
} from '../../../src/contract/script.ts';
import { performedStep } from '../../../src/contract/script-steps.ts';
import { angleErrorDeg } from '../../../src/contract/target.ts';
import { DEFAULT_SETTINGS } from '../../../src/evaluation/settings.ts';

const levels = fc.constantFrom('quick' as const, 'standard' as const, 'high' as const);
const allowed = fc.uniqueArray(fc.constantFrom(...PROMPT_NAMES), { minLength: 1 });
const counts = {
  quick: { target: 1, smile: 1 },
  standard: { target: 2, smile: 1 },
  high: { target: 4, smile: 2 },
};
const promptsIn = ({ steps }: DrawnScript): Prompt[] => steps.map(({ prompt }) => prompt);

describe('liveness scripts', () => {
  it("begin with rest, hold the level's movements, and rest between two of one kind", () => {
    fc.assert(
      fc.property(levels, allowed, (level, prompts) => {
        const order = promptsIn(drawScript(level, prompts));
        const kinds = prompts.filter(isMovement) as (keyof (typeof counts)['quick'])[];
        const all = Math.min(5, counts[level].target + counts[level].smile);
        expect(order[0]).toBe('neutral');
        for (const kind of ['target', 'smile'] as const) {
          const asked = kinds.includes(kind) ? (kinds.length === 1 ? all : counts[level][kind]) : 0;
          expect(order.filter((prompt) => prompt === kind)).toHaveLength(asked);
        }
        const moving = order.filter(isMovement);
        const pairs = moving.filter((prompt, i) => prompt === moving[i - 1]).length;
        expect(order).toHaveLength(1 + moving.length + pairs);
        expect(order.some((prompt, i) => prompt === order[i - 1])).toBe(false);
      }),
    );
  });

  it('draw each target at least a quarter of the circle from the one before', () => {
    fc.assert(
      fc.property(levels, (level) => {
        const targets = drawScript(level, PROMPT_NAMES).steps.flatMap((step) =>
          step.prompt === 'target' ? [step] : [],
        );
        for (const [i, { angle_deg }] of targets.entries()) {
          expect(angle_deg).toBeGreaterThanOrEqual(0);
          expect(angle_deg).toBeLessThan(360);
          const last = targets[i - 1]?.angle_deg;
          if (last === undefined) continue;
          const radians = (angle_deg * Math.PI) / 180;
          const apart = angleErrorDeg({ x: Math.cos(radians), y: Math.sin(radians) }, { angle_deg: last });
          expect(apart).toBeGreaterThan(90 - 1e-6);
        }
      }),
    );
  });

  it('draw every angle and both amounts equally often', () => {
    const drawn = Array.from({ length: 4000 }, () => drawScript('quick', ['target']).steps[1]!);
    const count = (holds: (step: Extract<(typeof drawn)[number], { prompt: 'target' }>) => boolean) =>
      drawn.filter((step) => step.prompt === 'target' && holds(step)).length;
    // Four standard deviations of 4000 draws: 126 for a half, 84 for an eighth.
    expect(Math.abs(count(({ amount }) => amount === 'near') - 2000)).toBeLessThan(126);
    for (let eighth = 0; eighth < 8; eighth++)
      expect(Math.abs(count(({ angle_deg }) => Math.floor(angle_deg / 45) === eighth) - 500)).toBeLessThan(
        84,
      );
  });

  it('fit into the judged length of the video, however long each response takes', () => {
    fc.assert(
      fc.property(allowed, fc.constantFrom(null, ...ACCESSIBLE_WAYS), (prompts, way) => {
        const { steps, max_step_ms } = drawScript('high', prompts, way);
        expect(steps.length * max_step_ms).toBeLessThan(DEFAULT_SETTINGS.video.judgedMs);
      }),
    );
  });

  it('occur in every order, equally often', () => {
    const seen = new Map<string, number>();
    for (let i = 0; i < 3000; i++) {
      const order = promptsIn(drawScript('standard', PROMPT_NAMES)).join();
      seen.set(order, (seen.get(order) ?? 0) + 1);
    }
    expect([...seen.keys()].sort()).toEqual([
      'neutral,smile,target,neutral,target',
      'neutral,target,neutral,target,smile',
      'neutral,target,smile,target',
    ]);
    // Four standard deviations of 3000 draws of a third.
    for (const count of seen.values()) expect(Math.abs(count - 1000)).toBeLessThan(104);
  });
});

describe('scripts for a person who cannot do everything', () => {
  const promptsOf = (way: AccessibleWay, level: LivenessLevel) =>
    promptsIn(drawScript(level, PROMPT_NAMES, way));

  it('leave out what the person cannot do, say so, and ask more often for the rest', () => {
    fc.assert(
      fc.property(levels, (level) => {
        const all = Math.min(5, counts[level].target + counts[level].smile);
        const alternating = (prompt: Prompt) =>
          Array.from({ length: 2 * all }, (_, i) => (i % 2 === 0 ? 'neutral' : prompt));
        expect(promptsOf('without_turns', level)).toEqual(alternating('smile'));
        expect(promptsOf('without_smile', level)).toEqual(alternating('target'));
        expect(promptsOf('passive', level)).toEqual(['neutral']);
        for (const way of ACCESSIBLE_WAYS) expect(drawScript(level, PROMPT_NAMES, way).way).toBe(way);
        expect(drawScript(level, PROMPT_NAMES).way).toBeUndefined();
      }),
    );
  });

  it('are open as far as the client allows, and as a movement remains where one must', () => {
    expect(openWays(PROMPT_NAMES, 'none')).toEqual([]);
    expect(openWays(PROMPT_NAMES, 'one_kind')).toEqual(['without_turns', 'without_smile']);
    expect(openWays(PROMPT_NAMES, 'passive')).toEqual([...ACCESSIBLE_WAYS]);
    expect(openWays(['neutral', 'smile'], 'one_kind')).toEqual([]);
    expect(openWays(['target'], 'passive')).toEqual(['passive']);
    expect(openWays(['neutral'], 'passive')).toEqual([]);
  });
});

describe('a performed script', () => {
  const drawn: DrawnScript = drawScript('standard', PROMPT_NAMES);
  const performed = (lastsMs: (i: number) => number): Script => {
    let atMs = 0;
    return {
      steps: drawn.steps.map((step, i) => {
        const from_ms = atMs;
        atMs += lastsMs(i);
        return performedStep(step, from_ms, atMs);
      }),
    };
  };

  it('matches the drawn one however long the person takes, within its limits', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { minLength: 9, maxLength: 9 }), (shares) => {
        const lasts = (i: number) => {
          const { hold_ms } = drawn.steps[i]!;
          return Math.round(hold_ms + ((drawn.max_step_ms - hold_ms) * shares[i]!) / 1000);
        };
        expect(matchesDrawnScript(performed(lasts), drawn)).toBe(true);
      }),
    );
  });

  it.each([
    ['a step shorter than its answer had to be held', () => performed(() => 100)],
    ['a step longer than the limit', () => performed(() => 9000)],
    [
      'a gap',
      () =>
        shifted(
          performed(() => 2000),
          10,
        ),
    ],
    ['a prompt left out', () => ({ steps: performed(() => 2000).steps.slice(0, -1) })],
    ['another prompt', () => changed((step) => step.prompt === 'smile', { prompt: 'neutral' })],
    ['another angle', () => changed((step) => step.prompt === 'target', { angle_deg: 400 })],
    ['another amount', () => changed((step) => step.prompt === 'target', { amount: 'nearer' })],
    ['another way', () => ({ ...performed(() => 2000), way: 'passive' as const })],
  ])('does not match with %s', (_, make) => {
    expect(matchesDrawnScript(make(), drawn)).toBe(false);
  });

  function shifted({ steps }: Script, byMs: number): Script {
    return {
      steps: steps.map((step, i) =>
        i === 0 ? step : { ...step, from_ms: step.from_ms + byMs, to_ms: step.to_ms + byMs },
      ),
    };
  }

  function changed(which: (step: Script['steps'][number]) => boolean, change: object): Script {
    const { steps } = performed(() => 2000);
    return { steps: steps.map((step) => (which(step) ? ({ ...step, ...change } as typeof step) : step)) };
  }
});
