// What set-up builds has the hash of the sources: a deployment knows published figures of its own judgement.
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { hashOfCode } from '../../../src/lab/code-hash.ts';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');

test.each([
  'challenge',
  'recording',
  'template',
] as const)('the build has the hash of the sources: %s', async (kind) => {
  expect(await hashOfCode(kind, join(ROOT, 'dist'))).toBe(await hashOfCode(kind, join(ROOT, 'src')));
});
