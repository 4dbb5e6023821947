import fc from 'fast-check';
import { expect, test } from 'vitest';
import { generateFeatid, parseFeatid } from '../../src/featid/featid-text.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('refuses any replacement of a single character', () => {
  const { text } = generateFeatid();
  let tried = 0;
  for (let at = 0; at < text.length; at++) {
    for (const sign of `${BASE62}_-+/= \u0000é`) {
      if (sign === text[at]) continue;
      expect(parseFeatid(text.slice(0, at) + sign + text.slice(at + 1))).toBeUndefined();
      tried++;
    }
  }
  expect(tried).toBeGreaterThan(77 * 60);
});

test('refuses every truncation and every doubled or dropped character', () => {
  const { text } = generateFeatid();
  for (let at = 0; at < text.length; at++) {
    expect(parseFeatid(text.slice(0, at))).toBeUndefined();
    expect(parseFeatid(text.slice(at + 1))).toBeUndefined();
    expect(parseFeatid(text.slice(0, at) + text[at] + text.slice(at))).toBeUndefined();
    expect(parseFeatid(text.slice(0, at) + text.slice(at + 1))).toBeUndefined();
  }
});

/** One or several errors of typing, copying or guessing. */
const mutations = fc.array(
  fc.tuple(fc.constantFrom('set', 'drop', 'add', 'swap', 'case'), fc.nat(), fc.nat(61)),
  { minLength: 1, maxLength: 6 },
);

function mutate(text: string, steps: readonly (readonly [string, number, number])[]): string {
  let changed = text;
  for (const [kind, place, digit] of steps) {
    const at = place % (changed.length || 1);
    const [before, sign, after] = [changed.slice(0, at), changed[at] ?? '', changed.slice(at + 1)];
    if (kind === 'set') changed = before + BASE62[digit] + after;
    if (kind === 'drop') changed = before + after;
    if (kind === 'add') changed = before + BASE62[digit] + sign + after;
    if (kind === 'swap') changed = before + after.slice(0, 1) + sign + after.slice(1);
    if (kind === 'case') {
      changed = before + (sign === sign.toUpperCase() ? sign.toLowerCase() : sign.toUpperCase()) + after;
    }
  }
  return changed;
}

test('accepts none of 100,000 mutations', () => {
  const { text } = generateFeatid();
  let tried = 0;
  fc.assert(
    fc.property(mutations, (steps) => {
      const changed = mutate(text, steps);
      if (changed === text) return;
      tried++;
      if (parseFeatid(changed)) throw new Error(`accepted: ${changed}`);
    }),
    { numRuns: 102_000 },
  );
  expect(tried).toBeGreaterThan(100_000);
});

test('refuses a megabyte of text without reading it', () => {
  for (const text of ['x', 'lfid1_', '9', '\u{1f600}'])
    expect(parseFeatid(text.repeat(250_000))).toBeUndefined();
});
