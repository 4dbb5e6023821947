// The table of rules: what it names as evidence is in the repository.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { RULES } from '../../../src/lab/assurance/rules.ts';

it('names only tests and documents that exist', () => {
  const named = RULES.flatMap(({ evidence }) => evidence.match(/\b(?:test|docs)\/[\w./-]+\w/g) ?? []);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((path) => !existsSync(resolve(import.meta.dirname, '../../..', path)))).toEqual([]);
});

it('has rows of every rule', () => {
  const rules = [...new Set(RULES.map(({ rule }) => rule))];
  expect(rules).toEqual([
    'NIST SP 800-63A-4',
    'NIST SP 800-63B-4',
    'ISO/IEC 30107-3',
    'CEN/TS 18099',
    'GDPR',
    'EU AI Act',
  ]);
});
