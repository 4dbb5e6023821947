// The light code on synthetic skin: detected where it was shown, with its delay and amplitude; matched by chance no
// more often than p states.
import { describe, expect, it } from 'vitest';
import { SYMBOL_MS, SYMBOLS, symbolOf } from '../../../src/contract/screen-light.ts';
import { matchCode } from '../../../src/evaluation/light/match-code.ts';
import type { SkinStep } from '../../../src/evaluation/liveness/light-evidence.ts';
import { seededRandom } from '../../../src/measurement/random.ts';

const codeOf = (seed: number): string => {
  const random = seededRandom(seed);
  return Array.from({ length: SYMBOLS / 4 }, () => Math.floor(random() * 16).toString(16)).join('');
};

/** Frames about every 83 ms, of skin that shows the code with this swing (its amplitude) and delay, under noise. */
function stepsOf(
  code: string | null,
  { swing = 0.02, delayMs = 120, noise = 0.005, lastsMs = 8_000, seed = 1 } = {},
): SkinStep[] {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const seen = (timeMs: number) => {
    const at = timeMs - delayMs;
    return swing * (code === null ? 0 : symbolOf(code, Math.floor(at / SYMBOL_MS)));
  };
  const steps: SkinStep[] = [];
  for (let fromMs = 0; fromMs < lastsMs; ) {
    const toMs = fromMs + 75 + Math.round(random() * 17);
    steps.push({ fromMs, toMs, change: seen(toMs) - seen(fromMs) + noise * normal() });
    fromMs = toMs;
  }
  return steps;
}

describe('a code on the skin', () => {
  it.each([0, 60, 120, 240, 380])('is found with its delay of %i ms and its amplitude', (delayMs) => {
    const code = codeOf(delayMs + 7);
    const match = matchCode(stepsOf(code, { delayMs }), code)!;
    expect(match.p).toBeLessThan(0.001);
    expect(Math.abs(match.delayMs - delayMs)).toBeLessThanOrEqual(40);
    expect(match.amplitude).toBeGreaterThan(0.012);
    expect(match.amplitude).toBeLessThan(0.024);
    expect(match.error).toBeLessThan(0.002);
  });

  it('does not match another code, its opposite, or one of another time', () => {
    const code = codeOf(3);
    const opposite = [...code].map((digit) => (15 - Number.parseInt(digit, 16)).toString(16)).join('');
    const late = codeOf(4).slice(0, 4) + code.slice(0, -4);
    for (const other of [codeOf(5), opposite, late])
      expect(matchCode(stepsOf(code), other)!.p).toBeGreaterThan(0.001);
  });

  it('is found despite blinks and hands, which change the skin more than the code does', () => {
    const code = codeOf(11);
    const steps = stepsOf(code).map((step, i) => (i % 12 === 0 ? { ...step, change: 0.3 } : step));
    expect(matchCode(steps, code)!.p).toBeLessThan(0.001);
  });

  it('gives the same result every time', () => {
    const code = codeOf(12);
    expect(matchCode(stepsOf(code), code)).toEqual(matchCode(stepsOf(code), code));
  });
});

describe('a video made before its code', () => {
  it.each([
    ['noise alone', stepsOf(null, { seed: 21 })],
    ['another code', stepsOf(codeOf(22), { seed: 22 })],
    ['a few large jumps', stepsOf(null, { seed: 23 }).map((s, i) => (i % 20 ? s : { ...s, change: 0.2 }))],
    ['a square wave', stepsOf('f0'.repeat(SYMBOLS / 8), { seed: 24, noise: 0.0005 })],
  ])('of %s is below p as often as p states', (_, steps) => {
    const codes = 80;
    const ps = Array.from({ length: codes }, (_, i) => matchCode(steps, codeOf(1_000 + i))!.p);
    const share = (limit: number) => ps.filter((p) => p <= limit).length / codes;
    // Four standard deviations of a binomial share.
    for (const limit of [0.01, 0.1, 0.5])
      expect(Math.abs(share(limit) - limit)).toBeLessThan(4 * Math.sqrt((limit * (1 - limit)) / codes));
  });

  it('gives null for a video that is too short or never changes', () => {
    const code = codeOf(31);
    expect(matchCode([], code)).toBeNull();
    expect(matchCode(stepsOf(code, { lastsMs: 1_200 }), code)).toBeNull();
    expect(matchCode(stepsOf(null, { noise: 0 }), code)).toBeNull();
  });
});
