// Published figures in the assurance report: read from their tables, the worst first, and stale unless the file names
// the judgement that runs.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { measuredRows } from '../../../src/lab/assurance/published.ts';

const RUNNING = { code: '0123456789ab', packId: 'pack', targetFmr: 1e-4, calibration: null };
const TABLE = `## Attacks

| species | n | subjects | APCER | 95 % | APCER at the first try | 95 % |
| --- | --- | --- | --- | --- | --- | --- |
| mild | 33 | 30 | 3.0 % | 0.0–15.3 | 0.0 % | 0.0–10.4 |
| bad | 33 | 33 | 78.8 % | 62.2–90.9 | 60.6 % | 42.4–75.8 |
`;

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'likeness-published-'));
  mkdirSync(join(root, 'bench'));
});
afterAll(() => rmSync(root, { recursive: true }));

const injected = (head: string) => {
  writeFileSync(join(root, 'bench', 'RESULTS-INJECT.md'), `# Results\n\n2026-11-24 · ${head}\n\n${TABLE}`);
  return measuredRows(RUNNING, root).filter(({ area }) => area === 'injection');
};

it('reads every figure of a row, the worst first', () => {
  const [worst, other] = injected('a machine · judgement 0123456789ab');
  expect(worst).toMatchObject({
    what: 'bad',
    n: 33,
    subjects: 33,
    rate: 0.788,
    interval: [0.622, 0.909],
    date: '2026-11-24',
    command: 'npm run bench:inject',
    version: '0123456789ab',
    stale: false,
  });
  expect(other).toMatchObject({ what: 'mild', rate: 0.03 });
});

it('marks what another judgement, or an unknown one, gave', () => {
  expect(injected('judgement aaaaaaaaaaaa').map(({ stale, note }) => [stale, note.slice(0, 5)])).toEqual([
    [true, 'stale'],
    [true, 'stale'],
  ]);
  expect(injected('a machine')[0]).toMatchObject({ stale: true, version: null });
});

it('turns accepted honest people into an error', () => {
  const table = `## Held against a script

| presentations | n | subjects | APCER / BPCER | 95 % | accepted in 3 tries | 95 % |
| --- | --- | --- | --- | --- | --- | --- |
| bona fide: clip | 8 | 2 | 0.0 % | 0.0–84.2 | 90.0 % | 70.0–100.0 |
`;
  writeFileSync(join(root, 'bench', 'RESULTS-PAD.md'), `# Results\n\n2026-11-25\n\n${table}`);
  const [row] = measuredRows(RUNNING, root).filter(({ what }) => what === 'clip');
  expect(row).toMatchObject({
    area: 'bona fide',
    measure: 'not accepted in three tries',
    rate: 0.1,
    interval: [0, 0.3],
  });
  rmSync(join(root, 'bench', 'RESULTS-PAD.md'));
});

it('says what is not there', () => {
  injected('a machine');
  const missing = measuredRows(RUNNING, root).filter(({ rate }) => rate === null);
  expect(missing.map(({ note }) => note)).toContain(
    'not measured here: bench/RESULTS-PAD.md is not part of this deployment',
  );
});

it('marks every figure that is published today', () => {
  const rows = measuredRows(RUNNING).filter(({ rate }) => rate !== null);
  expect(rows.length).toBeGreaterThan(50);
  expect(rows.every(({ stale, note }) => stale && note.startsWith('stale'))).toBe(true);
});
