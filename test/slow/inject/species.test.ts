// The laboratory's people and attackers do what they claim to do.
import { describe, expect, test } from 'vitest';
import { aimedAt, directionOfPose, turnedTo } from '../../../bench/attacks/aim.ts';
import { answersHow, fitted } from '../../../bench/attacks/fitted.ts';
import { nearestAction, REST, SMILE } from '../../../bench/attacks/library.ts';
import { live } from '../../../bench/attacks/performance.ts';
import { chanceOf } from '../../../bench/attacks/random.ts';
import { fresh } from '../../../bench/attacks/shots.ts';
import { LABORATORY } from '../../../bench/inject/species/table.ts';
import type { Asked, Script } from '../../../src/contract/script.ts';
import { angleErrorDeg, dotOf, isOnTarget, turnOf } from '../../../src/contract/target.ts';

const target = (angle_deg: number, amount: 'near' | 'far' = 'far') =>
  ({ prompt: 'target', angle_deg, amount }) as const;

test('a person aims as people do: off by some 9° at first, by less when corrected', () => {
  const chance = chanceOf('aim');
  const errors = (how: 'blind' | 'guided') =>
    Array.from({ length: 400 }, () => angleErrorDeg(aimedAt(target(40), chance, how), target(40)));
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value / values.length, 0);
  expect(meanOf(errors('blind'))).toBeGreaterThan(5);
  expect(meanOf(errors('blind'))).toBeLessThan(10);
  expect(meanOf(errors('guided'))).toBeLessThan(5);
});

test('nearly every target is held on by a person, of any manner, before its time is over', () => {
  const chance = chanceOf('targets');
  const held = Array.from({ length: 100 }, (_, i) => {
    const drawn = fresh(chance, { level: 'high' });
    const { script, performance } = live(drawn, chance, { delayMs: [300, 900, 2500][i % 3]! });
    return script.steps.flatMap((step) =>
      step.prompt === 'target' ? [isOnTarget(directionOfPose(performance(step.to_ms)), step)] : [],
    );
  }).flat();
  expect(held).toHaveLength(400);
  expect(held.filter(Boolean).length).toBeGreaterThan(0.97 * held.length);
});

test('a pose and the direction that is measured of it belong together', () => {
  const { x, y } = directionOfPose(turnedTo({ x: 7, y: -12 }));
  expect([x, y].map(Math.round)).toEqual([7, -12]);
  expect(turnOf(dotOf(target(70)))).toBeCloseTo(19);
});

describe('an attacker with other answers', () => {
  test('plays the one that answers best', () => {
    const actions: Asked[] = [REST, SMILE, target(0), target(90, 'near'), target(180), target(270)];
    expect(nearestAction(actions, { prompt: 'smile' })).toBe(SMILE);
    expect(nearestAction(actions, target(350))).toBe(actions[2]);
    expect(nearestAction(actions, target(80, 'far'))).toBe(actions[3]);
    expect(answersHow(target(90, 'near'), target(80, 'near'))).toBe(1);
    expect(answersHow(target(90, 'near'), target(80, 'far'))).toBeLessThan(1);
  });

  test('lays an old recording over a script where its answers fit', () => {
    const steps: Script['steps'] = [
      { prompt: 'neutral', from_ms: 0, to_ms: 900 },
      { ...target(200), from_ms: 900, to_ms: 2500 },
      { prompt: 'smile', from_ms: 2500, to_ms: 4000 },
      { ...target(80), from_ms: 4000, to_ms: 5500 },
    ];
    const asked = [REST, target(75), SMILE].map((one) => ({ ...one, hold_ms: 300 }));
    const [rest, turn] = fitted({ steps }, { steps: asked, max_step_ms: 5000 }).steps;
    expect(rest).toMatchObject({ prompt: 'neutral', from_ms: 0 });
    expect(turn).toMatchObject({ angle_deg: 75 });
    const reversed = [REST, SMILE, target(75)].map((one) => ({ ...one, hold_ms: 300 }));
    const ends = fitted({ steps }, { steps: reversed, max_step_ms: 5000 }).steps.map(({ to_ms }) => to_ms);
    expect(ends.slice(1)).toEqual([4000, 5500]);
  });
});

test('whoever lacks the device leaves out what the same attacker does who needs none', () => {
  const waysOf = (prefix: string) =>
    LABORATORY.flatMap(({ name, client }) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), client?.leavesOut] as const] : [],
    );
  const [all, bound] = [new Map(waysOf('')), waysOf('bound_')];
  expect(bound.length).toBeGreaterThan(5);
  expect(bound).toEqual(bound.map(([name]) => [name, all.get(name)]));
  expect(new Set(bound.map(([, way]) => way))).toEqual(
    new Set([undefined, 'without_turns', 'without_smile', 'passive']),
  );
});
