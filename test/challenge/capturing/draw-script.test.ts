import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawScript, openWays } from '../../../src/challenge/capturing/draw-script.ts';
import { matchesDrawnScript } from '../../../src/challenge/capturing/performed-script.ts';
import { ACCESSIBLE_WAYS, type AccessibleWay } from '../../../src/contract/accessible-way.ts';
import type { LivenessLevel } from '../../../src/contract/liveness-level.ts';
import { PATH, pathLengthMs } from '../../../src/contract/path.ts';
import {
  type DrawnScript,
  PROMPT_NAMES,
  PROMPTS,
  type Script,
  type StepPrompt,
} from '../../../src/contract/script.ts';
import { performedStep, promptSteps } from '../../../src/contract/script-steps.ts';
import { DEFAULT_SETTINGS } from '../../../src/evaluation/settings.ts';

const levels = fc.constantFrom('quick' as const, 'standard' as const, 'high' as const);
const allowed = fc.uniqueArray(fc.constantFrom(...PROMPT_NAMES), { minLength: 1 });
const counts = { quick: [2, 3], standard: [4, 5, 6], high: [6, 7, 8] };

describe('liveness scripts', () => {
  it('begin with the rest prompt, never repeat a prompt in a row, and contain one prompt of each allowed kind', () => {
    fc.assert(
      fc.property(levels, allowed, (level, prompts) => {
        const order = promptSteps(drawScript(level, prompts)).map((step) => step.prompt);
        const kinds = new Set(prompts.map((prompt) => PROMPTS[prompt].kind));
        kinds.delete('rest');
        expect(order[0]).toBe('neutral');
        if (kinds.size === 0) expect(order).toHaveLength(1);
        else expect(counts[level]).toContain(order.length - 1);
        expect(order.some((prompt, index) => prompt === order[index - 1])).toBe(false);
        for (const prompt of order.slice(1)) expect([...prompts, 'neutral']).toContain(prompt);
        for (const kind of kinds) expect(order.map((prompt) => PROMPTS[prompt].kind)).toContain(kind);
      }),
    );
  });

  it('alternate neutral and smile where only these are allowed', () => {
    const order = drawScript('standard', ['smile', 'neutral']).steps.map((step) => step.prompt);
    expect(order.every((prompt, i) => prompt === (i % 2 === 0 ? 'neutral' : 'smile'))).toBe(true);
  });

  it('fit into the judged length of the video, however long each response takes', () => {
    fc.assert(
      fc.property(allowed, fc.constantFrom(null, ...ACCESSIBLE_WAYS), (prompts, way) => {
        const { steps, max_step_ms } = drawScript('high', prompts, way);
        expect(steps.length * max_step_ms).toBeLessThan(DEFAULT_SETTINGS.video.judgedMs);
      }),
    );
  });

  it('occur in every order of every length, and equally often among orders of the same length', () => {
    const seen = new Map<string, number>();
    for (let i = 0; i < 4000; i++) {
      const order = drawScript('quick', PROMPT_NAMES).steps.map(({ prompt }) => prompt);
      seen.set(order.join(), (seen.get(order.join()) ?? 0) + 1);
    }
    // Of the 9 and 27 orders without a repetition, 4 and 18 contain a smile and a turn.
    const ofLength = (prompts: number) =>
      [...seen].filter(([order]) => order.split(',').length === prompts + 1).map(([, count]) => count);
    for (const [prompts, orders] of [
      [2, 4],
      [3, 18],
    ] as const) {
      const found = ofLength(prompts);
      expect(found).toHaveLength(orders);
      // 2000 draws over this many orders: a deviation of 45 % is more than four standard deviations.
      for (const count of found) expect(Math.abs(count / (2000 / orders) - 1)).toBeLessThan(0.45);
    }
  });
});

describe('scripts for a person who cannot do everything', () => {
  const promptsOf = (
    way: AccessibleWay,
    level: LivenessLevel,
    allowed: readonly StepPrompt[] = PROMPT_NAMES,
  ) => drawScript(level, allowed, way).steps.map(({ prompt }) => prompt);

  it('leave out what the person cannot do, say so, and ask more often for the rest', () => {
    fc.assert(
      fc.property(levels, (level) => {
        const smiles = promptsOf('without_turns', level);
        expect(smiles).toEqual(smiles.map((_, i) => (i % 2 === 0 ? 'neutral' : 'smile')));
        const turns = promptsOf('without_smile', level);
        expect(turns).not.toContain('smile');
        expect(turns.some((prompt) => prompt.startsWith('turn_'))).toBe(true);
        for (const { length } of [smiles, turns])
          expect(counts[level].map((count) => Math.min(count + 1, 8))).toContain(length - 1);
        expect(promptsOf('passive', level)).toEqual(['neutral']);
        for (const way of ACCESSIBLE_WAYS) expect(drawScript(level, PROMPT_NAMES, way).way).toBe(way);
        expect(drawScript(level, PROMPT_NAMES).way).toBeUndefined();
      }),
    );
    expect(promptsOf('without_turns', 'standard', ['smile', PATH])).not.toContain(PATH);
    expect(promptsOf('without_smile', 'standard', ['smile', PATH])).toEqual(['neutral', PATH]);
  });

  it('are open as far as the client allows, and as a movement remains where one must', () => {
    expect(openWays(PROMPT_NAMES, 'none')).toEqual([]);
    expect(openWays(PROMPT_NAMES, 'one_kind')).toEqual(['without_turns', 'without_smile']);
    expect(openWays(PROMPT_NAMES, 'passive')).toEqual([...ACCESSIBLE_WAYS]);
    expect(openWays(['neutral', 'smile'], 'one_kind')).toEqual([]);
    expect(openWays(['turn_left', 'turn_right'], 'passive')).toEqual(['passive']);
    expect(openWays(['neutral'], 'passive')).toEqual([]);
  });
});

describe('scripts with a path', () => {
  const withPath = [...PROMPT_NAMES, PATH] as const;

  it('consist of rest, one path and one smile, in either order', () => {
    const orders = new Set<string>();
    for (let i = 0; i < 60; i++) {
      const { steps } = drawScript('standard', withPath);
      orders.add(steps.map(({ prompt }) => prompt).join());
    }
    expect([...orders].sort()).toEqual(['neutral,path,smile', 'neutral,smile,path']);
    const { steps } = drawScript('quick', [PATH]);
    expect(steps.map(({ prompt }) => prompt)).toEqual(['neutral', 'path']);
  });

  it('have longer paths at higher levels', () => {
    const lengths = (['quick', 'standard', 'high'] as const).map((level) => {
      const step = drawScript(level, withPath).steps.find(({ prompt }) => prompt === PATH);
      if (step?.prompt !== PATH) throw new Error('there is a path');
      expect(step.hold_ms).toBe(pathLengthMs(step.path));
      return step.path.at(-2)!.at_ms - step.path[1]!.at_ms;
    });
    expect(lengths).toEqual([3000, 4000, 6000]);
  });

  it('are accepted only with the drawn path, performed in its own time', () => {
    const drawn = drawScript('standard', [PATH]);
    const [rest, step] = drawn.steps as [DrawnScript['steps'][number], DrawnScript['steps'][number]];
    const live = (lastsMs: number, change: Partial<Script> = {}, asked = step): boolean =>
      matchesDrawnScript(
        { steps: [performedStep(rest, 0, 2000), performedStep(asked, 2000, 2000 + lastsMs)], ...change },
        drawn,
      );
    expect(live(step.hold_ms)).toBe(true);
    expect(live(step.hold_ms + 400)).toBe(true);
    expect(live(step.hold_ms - 1)).toBe(false);
    expect(live(step.hold_ms + 600)).toBe(false);
    expect(live(step.hold_ms, { way: 'without_smile' })).toBe(false);
    const other = drawScript('standard', [PATH]).steps[1]!;
    expect(live(step.hold_ms, {}, { ...other, hold_ms: step.hold_ms })).toBe(false);
    expect(
      matchesDrawnScript(
        { steps: [performedStep(rest, 0, 2000), { prompt: 'smile', from_ms: 2000, to_ms: 8000 }] },
        drawn,
      ),
    ).toBe(false);
  });
});

describe('a performed script', () => {
  const drawn: DrawnScript = drawScript('standard', ['turn_left', 'turn_right']);
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
    ['another prompt', () => exchanged(performed(() => 2000))],
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

  function exchanged(script: Script): Script {
    return {
      steps: promptSteps(script).map((step, i) =>
        i === 1 ? { ...step, prompt: PROMPTS[step.prompt].mirrored } : step,
      ),
    };
  }
});
