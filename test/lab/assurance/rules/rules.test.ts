// The table of rules: what it names as evidence is in the repository.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { RULES } from '../../../../src/lab/assurance/rules/rules.ts';

const ROOT = resolve(import.meta.dirname, '..', '..', '..', '..');
const named = (pattern: RegExp) => RULES.flatMap(({ evidence }) => evidence.match(pattern) ?? []);

it('names only tests and documents that exist', () => {
  const paths = named(/\b(?:test|docs)\/[\w./-]+\w/g);
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter((path) => !existsSync(resolve(ROOT, path)))).toEqual([]);
});

it('names only commands and variables that exist', () => {
  const { scripts } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8'));
  const runs = named(/npm run \w+(?::\w+)*/g).map((run) => run.slice('npm run '.length));
  expect(runs.filter((run) => !(run in scripts))).toEqual([]);
  const commands = readFileSync(resolve(ROOT, 'src/cli/program.ts'), 'utf8');
  const ours = named(/likeness \w+/g).map((run) => run.split(' ')[1]);
  expect(ours.filter((name) => !commands.includes(`  ${name}: async`))).toEqual([]);
  const config = readFileSync(resolve(ROOT, 'src/config/config.ts'), 'utf8');
  const variables = named(/\b[A-Z]+(?:_[A-Z]+)+\b/g);
  expect(variables.filter((name) => !config.includes(`  ${name}:`))).toEqual([]);
});

it('shows whatever holds by a test, and what does not hold first', () => {
  const unshown = RULES.filter(({ holds, evidence }) => holds === 'holds' && !/\btest\//.test(evidence));
  expect(unshown).toEqual([]);
  const order = ['does not', 'partly', 'holds'];
  for (const [at, rule] of RULES.entries()) {
    const next = RULES[at + 1];
    if (next?.rule === rule.rule)
      expect(order.indexOf(rule.holds)).toBeLessThanOrEqual(order.indexOf(next.holds));
  }
});

it('has rows of every rule', () => {
  const rules = [...new Set(RULES.map(({ rule }) => rule))];
  expect(rules).toEqual([
    'NIST SP 800-63A-4',
    'NIST SP 800-63B-4',
    'ISO/IEC 30107-3',
    'CEN/TS 18099',
    'GDPR',
    'EU AI Act (2024)',
  ]);
  const articles = RULES.filter(({ rule }) => rule === 'GDPR').map(({ at }) => at.match(/\d+/)![0]);
  const expected = '5 6 8 9 12 13 14 15 16 17 18 19 20 21 22 25 28 30 32 33 35 37';
  for (const article of expected.split(' ')) expect(articles).toContain(article);
});
