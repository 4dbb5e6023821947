// The path check on synthetic heads: a person who follows passes, and others pass at the computed rate.
import { describe, expect, it } from 'vitest';
import {
  type DrawInteger,
  drawPath,
  type Path,
  pathAt,
  pathLengthMs,
  samplePath,
} from '../../../src/contract/path.ts';
import type { Script } from '../../../src/contract/script.ts';
import { path, pathPerson } from '../../../src/evaluation/liveness/path.ts';
import { GRID_MS, type HeadCurve, matchPath } from '../../../src/evaluation/liveness/path-match.ts';
import { seededRandom } from '../../../src/lab/random.ts';
import { evidence, identityOf, observe } from './evidence.ts';

const FROM_MS = 2000;

function drawer(seed: number): DrawInteger {
  const random = seededRandom(seed);
  return (least, most) => least + Math.floor(random() * (most - least + 1));
}

/** A head that follows with a delay and a gain, and sways slightly. */
function follows(shown: Path, { delayMs = 350, side = 1 } = {}): HeadCurve {
  const length = Math.floor((FROM_MS + pathLengthMs(shown) + 1000) / GRID_MS);
  const at = (i: number) => pathAt(shown, i * GRID_MS - FROM_MS - delayMs);
  return {
    yaw: Float64Array.from(
      { length },
      (_, i) => 0.1 + (side * 0.25 * at(i).x) / 100 + 0.02 * Math.sin(i / 3),
    ),
    pitch: Float64Array.from({ length }, (_, i) => (0.15 * at(i).y) / 100 + 0.02 * Math.cos(i / 5)),
  };
}

const scriptOf = (shown: Path): Script => ({
  steps: [
    { prompt: 'neutral', from_ms: 0, to_ms: FROM_MS },
    { prompt: 'path', from_ms: FROM_MS, to_ms: FROM_MS + pathLengthMs(shown), path: shown },
  ],
});

describe('a path', () => {
  it('begins in the middle, pauses, moves for its time within its range, and pauses again', () => {
    for (let seed = 0; seed < 60; seed++) {
      const drawn = drawPath(4000, drawer(seed));
      expect(drawn[0]).toEqual({ at_ms: 0, x: 0, y: 0 });
      expect(drawn.at(-2)!.at_ms - drawn[1]!.at_ms).toBe(4000);
      expect(drawn.length).toBeLessThanOrEqual(40);
      drawn.slice(1).forEach(({ at_ms, x, y }, i) => {
        expect(at_ms - drawn[i]!.at_ms).toBeGreaterThanOrEqual(150);
        expect(Math.hypot(x, y)).toBeLessThanOrEqual(101);
      });
    }
  });

  it('is smooth, passes through its knots, and is still in its pauses', () => {
    const drawn = drawPath(6000, drawer(1));
    for (const { at_ms, x, y } of drawn) {
      const place = pathAt(drawn, at_ms);
      expect(place.x).toBeCloseTo(x, 6);
      expect(place.y).toBeCloseTo(y, 6);
    }
    const places = new Float64Array(2 * 400);
    samplePath(drawn, 0, 20, places);
    // The fastest leg crosses the oval in 0.45 s, at one and a half times its mean speed in the middle.
    for (let i = 2; i < places.length; i += 2)
      expect(Math.hypot(places[i]! - places[i - 2]!, places[i + 1]! - places[i - 1]!)).toBeLessThan(20);
    expect(pathAt(drawn, drawn[1]!.at_ms / 2)).toEqual({ x: 0, y: 0 });
    expect(pathAt(drawn, 60_000)).toEqual({ x: drawn.at(-1)!.x, y: drawn.at(-1)!.y });
  });
});

describe('a path match', () => {
  it('finds the delay of a following head, and no random path that fits as well', () => {
    for (const [seed, delayMs] of [150, 300, 450, 600, 800].entries()) {
      const drawn = drawPath(4000, drawer(seed + 10));
      const match = matchPath(follows(drawn, { delayMs }), drawn, FROM_MS, 1000)!;
      expect(Math.abs(match.delayMs - delayMs)).toBeLessThanOrEqual(GRID_MS);
      expect(match.p).toBeLessThan(0.001);
    }
  });

  it('gives the same result each time', () => {
    const drawn = drawPath(3000, drawer(5));
    expect(matchPath(follows(drawn), drawn, FROM_MS, 500)).toEqual(
      matchPath(follows(drawn), drawn, FROM_MS, 500),
    );
  });

  it('has a high p for a mirror image, a still head, and a head that is too late', () => {
    const drawn = drawPath(4000, drawer(3));
    const still = { yaw: new Float64Array(90), pitch: new Float64Array(90) };
    for (const head of [follows(drawn, { side: -1 }), follows(drawn, { delayMs: 2500 }), still])
      expect(matchPath(head, drawn, FROM_MS, 500)!.p).toBeGreaterThan(0.02);
  });

  it('is null if the video ends before the path does', () => {
    const drawn = drawPath(4000, drawer(4));
    const { yaw, pitch } = follows(drawn);
    const cut = { yaw: yaw.slice(0, 50), pitch: pitch.slice(0, 50) };
    expect(matchPath(cut, drawn, FROM_MS, 10)).toBeNull();
  });

  it('has a p below a rate no more often than that, for footage made before the path', () => {
    const film = follows(drawPath(4000, drawer(77)));
    const ps = Array.from({ length: 120 }, (_, i) => {
      const drawn = drawPath(4000, drawer(1000 + i));
      // An attacker also chooses when to start the footage.
      return Math.min(...[500, 1500, 2500].map((fromMs) => matchPath(film, drawn, fromMs, 60)?.p ?? 1));
    });
    // 5 % of 120 are 6; 14 is three standard deviations more.
    expect(ps.filter((p) => p <= 0.05).length).toBeLessThan(14);
  });
});

describe('the path check', () => {
  const drawn = drawPath(4000, drawer(21));
  const endMs = FROM_MS + pathLengthMs(drawn) + 600;
  const given = (delayMs = 350, side = 1) => {
    const observations = observe(endMs, (timeMs) => {
      const { x, y } = pathAt(drawn, timeMs - FROM_MS - delayMs);
      return { yaw: (side * 0.25 * x) / 100, pitch: (0.15 * y) / 100 };
    });
    return { observations, identity: identityOf(observations), script: scriptOf(drawn) };
  };

  it('passes a person who follows, and sends back one who does not', () => {
    expect(path.run(evidence(given(), endMs))).toMatchObject({ status: 'passed' });
    expect(pathPerson.run(evidence(given(), endMs))).toMatchObject({ status: 'passed' });
    expect(path.run(evidence(given(350, -1), endMs))).toMatchObject({
      status: 'failed',
      reason: 'path_missing',
    });
  });

  it('requires frames of the person in every part', () => {
    const { observations, script } = given();
    const identity = identityOf(observations, (timeMs) => (timeMs > FROM_MS + 4000 ? 0.1 : 0.9));
    expect(pathPerson.run(evidence({ observations, identity, script }, endMs))).toMatchObject({
      status: 'failed',
      reason: 'path_missing',
    });
  });

  it('says why there is no path to follow', () => {
    const steps: Script['steps'] = [{ prompt: 'neutral', from_ms: 0, to_ms: 900 }];
    expect(path.run(evidence({ script: { steps } }))).toMatchObject({ reason: 'path_not_required' });
    expect(path.run(evidence({ script: null }))).toMatchObject({ reason: 'no_script' });
  });
});
