// Documents state what the reports of bench/ say: `npm run figures` would change nothing.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DOCUMENTS, withFigures } from '../../bench/figures/stated.ts';

describe.each(DOCUMENTS)('the figures of %s', (document) => {
  const text = readFileSync(resolve(import.meta.dirname, '../..', document), 'utf8');

  it('are those of the reports and examples', () => {
    expect(withFigures(document, text)).toBe(text);
  });

  it('are written anew where they differ', () => {
    const stale = text.replace(/(<!--puppets-->).*?(<!--\/-->)/, '$11 %$2');
    expect(stale).not.toBe(text);
    expect(withFigures(document, stale)).toBe(text);
  });

  it('are complete: none lacks its place, none is without a source', () => {
    const lacking = text.replace(/<!--puppets-->.*?<!--\/-->/, 'none');
    expect(() => withFigures(document, lacking)).toThrow('not stated: puppets');
    expect(() => withFigures(document, `${text}<!--invented-->9<!--/-->`)).toThrow('no figure invented');
  });
});
