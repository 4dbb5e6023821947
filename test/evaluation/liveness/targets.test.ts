// How a head answers a target: on synthetic meshes, 12 a second.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Script } from '../../../src/contract/script.ts';
import { AMOUNT_NAMES, type Direction, dotOf, type Target } from '../../../src/contract/target.ts';
import { ANSWER_CHECKS, targetChance } from '../../../src/evaluation/liveness/prompt-checks.ts';
import { meshTowards } from '../../support/turned-mesh.ts';
import { evidence, identityOf, type Look, observe } from './evidence.ts';

const SHOWN_MS = 1600;
const END_MS = 4800;
const AHEAD: Direction = { x: 0, y: 0 };
const TARGET: Target = { angle_deg: 30, amount: 'near' };
const RIGHT_PLACE = dotOf(TARGET);

const scriptOf = (target: Target): Script => ({
  steps: [
    { prompt: 'neutral', from_ms: 0, to_ms: SHOWN_MS },
    { prompt: 'target', from_ms: SHOWN_MS, to_ms: END_MS, ...target },
  ],
});
/** A head that is at each place from its time on, in milliseconds after the dot. */
const film = (
  places: readonly (readonly [fromMs: number, head: Direction])[],
  target = TARGET,
  rest = AHEAD,
) =>
  evidence(
    {
      script: scriptOf(target),
      observations: observe(
        END_MS + 400,
        (t): Look => ({
          head: places.findLast(([fromMs]) => t >= SHOWN_MS + fromMs)?.[1] ?? rest,
        }),
      ),
    },
    END_MS + 400,
  );
const answerCheck = ANSWER_CHECKS.find(({ cue }) => cue === 'target')!;
const isAnswered = (given: ReturnType<typeof film>) => answerCheck.run(given).status === 'passed';
const between = (share: number, to: Direction): Direction => ({ x: share * to.x, y: share * to.y });

const targets: fc.Arbitrary<Target> = fc.record({
  angle_deg: fc.integer({ min: 0, max: 359 }),
  amount: fc.constantFrom(...AMOUNT_NAMES),
});

describe('a target', () => {
  it('is answered by a head that comes to it and holds, wherever it stands', () => {
    fc.assert(
      fc.property(targets, fc.integer({ min: 200, max: 2500 }), (target, delayMs) => {
        const dot = dotOf(target);
        const places = [0.3, 0.6, 0.85, 1].map(
          (share, i) => [delayMs + i * 80, between(share, dot)] as const,
        );
        expect(isAnswered(film(places, target))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('is measured from where the head was in the half second before', () => {
    const rest = { x: 3, y: -2 };
    const moved = { x: RIGHT_PLACE.x + 3, y: RIGHT_PLACE.y - 2 };
    const wandering = evidence(
      {
        script: scriptOf(TARGET),
        observations: observe(END_MS + 400, (t) => ({
          head: t < 900 ? AHEAD : t < SHOWN_MS + 500 ? rest : moved,
        })),
      },
      END_MS + 400,
    );
    expect(isAnswered(wandering)).toBe(true);
  });

  it('is not answered by a head that only comes back from where it was before the dot', () => {
    const away = { x: -RIGHT_PLACE.x, y: -RIGHT_PLACE.y };
    const given = film([[400, AHEAD]]);
    const observations = observe(END_MS + 400, (t): Look => {
      const isAway = t > 900 && t < SHOWN_MS + 400;
      return isAway ? { head: away } : {};
    });
    expect(isAnswered({ ...given, observations })).toBe(false);
  });

  it.each<readonly [string, Parameters<typeof film>[0]]>([
    ['a head that stays', []],
    ['one that turns half as far', [[500, between(0.5, RIGHT_PLACE)]]],
    ['one that turns to the other side', [[500, between(-1, RIGHT_PLACE)]]],
    ['one that turns as far as for a far target', [[500, between(2, RIGHT_PLACE)]]],
    [
      'a glance of three frames',
      [
        [500, RIGHT_PLACE],
        [740, AHEAD],
      ],
    ],
    [
      'one that was there sooner than anybody reacts',
      [
        [0, RIGHT_PLACE],
        [540, AHEAD],
      ],
    ],
    [
      'one that comes after two other places',
      [
        [400, { x: -9, y: 0 }],
        [1000, { x: 0, y: -9 }],
        [1700, RIGHT_PLACE],
      ],
    ],
  ])('is not answered by %s', (_, places) => {
    const { status, reason } = answerCheck.run(film(places));
    expect([status, reason]).toEqual(['failed', 'target_missing']);
  });

  it('may be corrected once', () => {
    expect(
      isAnswered(
        film([
          [400, { x: -9, y: 0 }],
          [1100, RIGHT_PLACE],
        ]),
      ),
    ).toBe(true);
    expect(
      isAnswered(
        film([
          [400, between(1.7, RIGHT_PLACE)],
          [1100, RIGHT_PLACE],
        ]),
      ),
    ).toBe(true);
  });

  it('is not answered by a head that slowly circles, save where it happens to begin', () => {
    const circling = (beginDeg: number) =>
      evidence(
        {
          script: scriptOf(TARGET),
          observations: observe(END_MS + 400, (t) => {
            if (t < SHOWN_MS + 200) return {};
            const angle = ((beginDeg + (t - SHOWN_MS) / 8) * Math.PI) / 180;
            return { head: { x: 10 * Math.cos(angle), y: 10 * Math.sin(angle) } };
          }),
        },
        END_MS + 400,
      );
    const answered = Array.from({ length: 36 }, (_, i) => isAnswered(circling(i * 10))).filter(
      Boolean,
    ).length;
    // Two holds of a tolerance of 50° in 360.
    expect(answered / 36).toBeLessThan(0.3);
  });

  it.each([
    [15, true],
    [-15, true],
    [30, false],
    [-30, false],
  ])('is answered by a head that is tilted by %i°: %s', (rollDeg, answers) => {
    // The tilt takes the nose along, clockwise, to the dot.
    const before = dotOf({ ...TARGET, angle_deg: TARGET.angle_deg + rollDeg });
    const landmarks = meshTowards(before, (rollDeg * Math.PI) / 180);
    const observations = observe(END_MS + 400, (t): Look => (t < SHOWN_MS + 500 ? {} : { landmarks }));
    expect(isAnswered({ ...film([]), observations })).toBe(answers);
  });

  it('is not answered by somebody else', () => {
    const given = film([[500, RIGHT_PLACE]]);
    expect(isAnswered(given)).toBe(true);
    const identity = identityOf(given.observations, (timeMs) => (timeMs < SHOWN_MS ? 0.9 : 0.1));
    expect(isAnswered({ ...given, identity })).toBe(false);
  });
});

describe('target_chance', () => {
  it('is the share of fresh targets that the same film would have answered as well', () => {
    const exact = targetChance.run(film([[500, RIGHT_PLACE]]));
    expect(exact.status).toBe('passed');
    expect(exact.value).toBeCloseTo(0, 2);
    const off = (18 * Math.PI) / 180;
    const aside = { x: 10 * Math.cos(Math.PI / 6 + off), y: 10 * Math.sin(Math.PI / 6 + off) };
    expect(targetChance.run(film([[500, aside]])).value).toBeCloseTo(18 / 180 / 2, 3);
    expect(
      targetChance.run(
        film([
          [400, { x: -9, y: 0 }],
          [1100, aside],
        ]),
      ).value,
    ).toBeCloseTo(18 / 180, 3);
    expect(targetChance.run(film([])).value).toBe(1);
  });

  it('does not apply to a script without targets', () => {
    const script: Script = { steps: [{ prompt: 'neutral', from_ms: 0, to_ms: SHOWN_MS }] };
    expect(targetChance.run(evidence({ script }))).toMatchObject({ reason: 'target_not_required' });
  });
});
