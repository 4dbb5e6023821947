// URLs as people write them, however often they are read; and that nothing reads them another way.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parseUrl } from '../../src/base/parse-url.ts';

it('reads absolute URLs and nothing else', () => {
  expect(parseUrl('https://münchen.example/café')?.href).toBe('https://xn--mnchen-3ya.example/caf%C3%A9');
  expect(parseUrl('/path')).toBeNull();
  expect(parseUrl('')).toBeNull();
});

it('reads letters like ü after thousands of URLs as before them', () => {
  let refused = 0;
  for (let i = 0; i < 20_000; i++) if (parseUrl('https://münchen.example/') === null) refused++;
  expect(refused).toBe(0);
});

it('is the only way: URL.canParse of Node.js 20 errs once it is optimised', () => {
  const root = resolve(import.meta.dirname, '../../src');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const calls = files.filter((file) => readFileSync(join(root, file), 'utf8').includes('URL.canParse('));
  expect(calls).toEqual([]);
});
