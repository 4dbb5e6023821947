import { expect, it } from 'vitest';
import { canonicalJson } from '../../src/base/canonical-json.ts';

it('gives the same text whatever the order of keys, and keeps the order of lists', () => {
  const text = '{"a":[2,{"x":null,"y":"ü"}],"b":1}';
  expect(canonicalJson({ b: 1, a: [2, { y: 'ü', x: null }] })).toBe(text);
  expect(canonicalJson({ a: [2, { x: null, y: 'ü' }], b: 1 })).toBe(text);
  expect(canonicalJson([2, 1])).not.toBe(canonicalJson([1, 2]));
});
