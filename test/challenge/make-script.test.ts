import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeScript, scriptLengthMs } from '../../src/challenge/make-script.ts';
import { PROMPTS } from '../../src/contract/script.ts';

const levels = fc.constantFrom('quick' as const, 'standard' as const, 'high' as const);
const allowed = fc.uniqueArray(fc.constantFrom(...PROMPTS), { minLength: 1 });
const counts = { quick: 2, standard: 4, high: 6 };

describe('liveness scripts', () => {
  it('begin neutral, never repeat a prompt at once, have a smile and a turn where allowed, leave no gap', () => {
    fc.assert(
      fc.property(levels, allowed, (level, prompts) => {
        const { steps } = makeScript(level, prompts);
        const order = steps.map((step) => step.prompt);
        const moving = prompts.filter((prompt) => prompt !== 'neutral');
        expect(order[0]).toBe('neutral');
        expect(order.length).toBe(moving.length === 0 ? 1 : counts[level] + 1);
        expect(order.some((prompt, index) => prompt === order[index - 1])).toBe(false);
        for (const prompt of order.slice(1)) expect([...prompts, 'neutral']).toContain(prompt);
        if (moving.includes('smile')) expect(order).toContain('smile');
        if (moving.some((prompt) => prompt.startsWith('turn'))) {
          expect(order.some((prompt) => prompt.startsWith('turn'))).toBe(true);
        }
        expect(steps[0]!.from_ms).toBe(0);
        steps.slice(1).forEach((step, index) => {
          expect(step.from_ms).toBe(steps[index]!.to_ms);
        });
        for (const step of steps) expect(step.to_ms).toBeGreaterThan(step.from_ms);
      }),
    );
  });

  it('last 6 to 8.2 seconds at standard', () => {
    const lengths = Array.from({ length: 500 }, () => scriptLengthMs(makeScript('standard', PROMPTS)));
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(6000);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(8200);
  });

  it('alternate neutral and smile where only these are allowed', () => {
    const order = makeScript('standard', ['smile', 'neutral']).steps.map((step) => step.prompt);
    expect(order).toEqual(['neutral', 'smile', 'neutral', 'smile', 'neutral']);
  });

  it('are not guessed: among 300 no two are alike', () => {
    const made = Array.from({ length: 300 }, () =>
      JSON.stringify(makeScript('standard', ['smile', 'turn_left', 'turn_right'])),
    );
    expect(new Set(made).size).toBe(300);
  });
});
