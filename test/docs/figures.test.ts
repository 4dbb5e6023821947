// README states what the reports of bench/ say: `npm run figures` would change nothing.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withFigures } from '../../bench/figures/readme.ts';

const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8');

describe("README's figures", () => {
  it('are those of the reports and examples', () => {
    expect(withFigures(readme)).toBe(readme);
  });

  it('are written anew where they differ', () => {
    const stale = readme.replace(/(<!--puppets-->).*?(<!--\/-->)/, '$11 %$2');
    expect(stale).not.toBe(readme);
    expect(withFigures(stale)).toBe(readme);
  });

  it('are complete: none lacks its place, none is without a source', () => {
    expect(() => withFigures(readme.replace(/<!--cuts-->.*?<!--\/-->/, 'none'))).toThrow('not stated: cuts');
    expect(() => withFigures(`${readme}<!--invented-->9<!--/-->`)).toThrow('no figure invented');
  });
});
