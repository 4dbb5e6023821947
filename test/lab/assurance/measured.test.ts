// Section 2 of the assurance report: figures as they are published, the worst first, stale unless the file names the
// judgement that runs; and what was not measured.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { measuredRows } from '../../../src/lab/assurance/measured.ts';
import type { PackCalibration } from '../../../src/models/packs/calibration.ts';
import { DEFAULT_PACK, readPack } from '../../../src/models/packs/read-pack.ts';

const RUNNING = {
  judgements: { challenge: '0123456789ab', recording: 'ba9876543210' },
  settings: [
    { name: 'LIVENESS_PROMPTS', value: 'target,neutral,smile', usual: 'neutral,smile,target' },
    { name: 'LIVENESS_JUST_IN_TIME', value: 'observe', usual: 'observe' },
    { name: 'RECOGNITION_TARGET_FMR', value: '0.0001', usual: '0.0001', only: 'bound_' },
  ],
  packId: 'pack',
  targetFmr: 1e-4,
  calibration: null,
  code: 'aaaaaaaaaaaa',
};
const MODELS = resolve(import.meta.dirname, '..', '..', '..', 'build', 'models');
const TABLES = `## Attacks

| species | n | subjects | APCER | 95 % | APCER at the first try | 95 % |
| --- | --- | --- | --- | --- | --- | --- |
| mild | 12 | 12 | 3.0 % | 0.0–15.3 | 0.0 % | 0.0–10.4 |
| bad | 33 | 33 | 78.8 % | 62.2–90.9 | 60.6 % | 42.4–75.8 |

## By method and instrument

Text.

| method | instrument | n | subjects | APCER | 95 % |
| --- | --- | --- | --- | --- | --- |
| client | bad | 40 | 33 | 80.0 % | 60.0–90.0 |
| camera | bad | 0 | 0 | – | – |

## Bona fide

| presentations | n | subjects | BPCER in three tries | 95 % | at the first try | 95 % | link to result, s (median) |
| --- | --- | --- | --- | --- | --- | --- | --- |
| usual | 72 | 33 | 25.0 % | 13.0–38.7 | 34.7 % | 20.9–52.1 | 27.1 |

## The species

| species | kind | has | does | ways |
| --- | --- | --- | --- | --- |
| bad | attack | two photographs | warps them | client, camera |
| unseen | attack | a mask | wears it | camera |
| dim | bona fide | a person | sits in the dark | client |
`;

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'likeness-published-'));
  mkdirSync(join(root, 'bench'));
});
afterAll(() => rmSync(root, { recursive: true }));

const publish = (head: string, name = 'INJECT', tables = TABLES) =>
  writeFileSync(join(root, 'bench', `RESULTS-${name}.md`), `# Results\n\n2026-11-24 · ${head}\n\n${tables}`);
const TODAY = 'a machine · judgement 0123456789ab';
const TODAY_OF_RECORDINGS = 'a machine · judgement ba9876543210';
const rows = (changes = {}) => measuredRows({ ...RUNNING, ...changes }, root);
const atHand = ({ note }: { note: string }) => !note.endsWith(': not at hand');
const injected = () => rows().filter((row) => row.area === 'injection' && atHand(row));

it('reads every figure of a row, by method and instrument, the worst first', () => {
  publish(TODAY);
  const all = injected();
  expect(all.map(({ what, method, rate }) => [what.split(' ')[0], method?.slice(0, 9), rate])).toEqual([
    ['bad', 'a program', 0.8],
    ['bad', 'all toget', 0.788],
    ['mild', 'all toget', 0.03],
    ['bad', 'getUserMe', null],
    ['unseen', 'all toget', null],
  ]);
  expect(all[1]).toMatchObject({
    what: 'bad – two photographs: warps them',
    n: 33,
    subjects: 33,
    interval: [0.622, 0.909],
    date: '2026-11-24',
    command: 'npm run bench:inject',
    version: '0123456789ab',
    stale: false,
    note: '',
  });
});

it('says which figures are weak, and what was not measured', () => {
  publish(TODAY);
  const notes = Object.fromEntries(injected().map(({ what, method, note }) => [`${what}/${method}`, note]));
  expect(Object.values(notes)).toEqual([
    '',
    '',
    'n < 33; subjects < 33',
    'not measured',
    'not measured: no presentation yet',
  ]);
  const unseen = rows().filter(({ what }) => what.startsWith('dim'));
  expect(unseen).toMatchObject([{ area: 'bona fide', measure: 'BPCER in three tries', rate: null }]);
  expect(rows().filter((row) => !atHand(row))).toHaveLength(3);
  const absent = rows().flatMap((row) => (row.area === 'presentation' && atHand(row) ? [row.note] : []));
  expect(absent).toEqual(Array(3).fill('not measured: bench/RESULTS-PAD.md is not part of this deployment'));
  const environments = rows().filter(({ what }) => what.endsWith(': what honest people meet'));
  expect(environments.map(({ note }) => note)).toEqual(Array(4).fill(absent[0]));
  expect(rows().every(({ command }) => command !== '')).toBe(true);
});

it('gives honest people both rates and their seconds', () => {
  publish(TODAY);
  const [first, three] = rows().filter(({ what }) => what === 'usual');
  expect(first).toMatchObject({ measure: 'BPCER at the first try', rate: 0.347, seconds: 27.1 });
  expect(three).toMatchObject({ measure: 'BPCER in three tries', rate: 0.25, interval: [0.13, 0.387] });
});

it('marks what another judgement, an unknown one, or another configuration gave', () => {
  const staleness = (changes = {}) =>
    rows(changes)
      .filter(({ area, rate }) => area === 'injection' && rate !== null)
      .map(({ stale, note }) => [stale, note.split(':')[0]]);
  publish('judgement aaaaaaaaaaaa');
  expect(staleness()).toEqual(Array(3).fill([true, 'stale']));
  publish('a machine');
  expect(staleness()).toEqual(Array(3).fill([true, 'stale']));
  publish(TODAY);
  const [prompts, inTime, target] = RUNNING.settings;
  const noTargets = [{ ...prompts, value: 'neutral,smile' }, inTime];
  expect(staleness({ settings: noTargets })).toEqual(Array(3).fill([true, 'stale']));
  expect(staleness().map(([stale]) => stale)).toEqual([false, false, false]);
  // Only what is compared with a FeatureID depends on the target.
  publish(TODAY, 'INJECT', TABLES.replace('| mild |', '| bound_mild |'));
  const settings = [{ ...target, value: '0.01' }];
  const stale = rows({ settings }).filter((row) => row.stale && row.area === 'injection');
  expect(stale.map(({ what, note }) => [what, note.split(';')[0]])).toEqual([
    ['bound_mild', 'stale: measured with RECOGNITION_TARGET_FMR=0.0001'],
  ]);
});

it('compares the configuration in force with the one that a row was measured with', () => {
  const inTime = TABLES.replace(
    '| camera | bad | 0 | 0 | – | – |',
    '| in_time | bad | 40 | 33 | 10.0 % | 5.0–20.0 |',
  );
  publish(TODAY, 'INJECT', inTime.replace('| usual |', '| clip_person_smiles |'));
  const notes = (...values: [prompts: string, inTime: string]) => {
    const settings = RUNNING.settings.map((one, i) => ({ ...one, value: values[i] ?? one.value }));
    const read = rows({ settings });
    const method = (name: string) => read.find((row) => row.method === name)!.note;
    const clip = read.find(({ what }) => what === 'clip_person_smiles')!.note;
    return [method('a program that speaks the capture API'), method('the same, prompts just in time'), clip];
  };
  const [usual, required, prompts] = [
    'stale: measured with LIVENESS_JUST_IN_TIME=observe',
    'stale: measured with LIVENESS_JUST_IN_TIME=require',
    'stale: measured with LIVENESS_PROMPTS=neutral,smile',
  ];
  expect(notes('neutral,smile,target', 'observe')).toEqual(['', required, prompts]);
  expect(notes('neutral,smile,target', 'require')).toEqual([
    usual,
    '',
    `${prompts}, LIVENESS_JUST_IN_TIME=observe`,
  ]);
  expect(notes('smile,neutral', 'observe')[2]).toBe('');
});

it('names estimates, makes none of single presentations, and turns accepted honest people into an error', () => {
  const table = `## Judged against a script

| presentations | n | subjects | APCER / BPCER | 95 % | accepted in 3 tries | 95 % |
| --- | --- | --- | --- | --- | --- | --- |
| bona fide | 80 | 20 | 0.0 % | 0.0–4.5 | 80.0 % | 70.0–90.0 |
| bona fide: clip | 8 | 2 | 0.0 % | 0.0–84.2 | 90.0 % | 70.0–100.0 |
| print | 40 | 20 | 10.0 % | 5.0–20.0 | 20.0 % | 10.0–30.0 |
| puppet | 30 | 30 | 60.0 % | 50.0–70.0 | – | – |
| mask | 30 | 29 | 50.0 % | 40.0–60.0 | – | – |
`;
  const estimated = (area: string) =>
    rows().filter((row) => row.area === area && row.n !== null && row.measure.startsWith('estimated: '));
  publish(TODAY_OF_RECORDINGS, 'PAD', table);
  expect(estimated('bona fide')).toMatchObject([
    { what: 'all of them together', rate: 0.2, interval: [0.1, 0.3] },
    { what: 'clip', measure: 'estimated: not accepted in three tries', rate: 0.1, interval: [0, 0.3] },
  ]);
  const none = {
    rate: null,
    interval: null,
    stale: false,
    note: expect.stringMatching(/^no estimate: each/),
  };
  expect(estimated('presentation')).toMatchObject([
    { what: 'print', measure: 'estimated: accepted in three tries', rate: 0.2, interval: [0.1, 0.3] },
    { what: 'puppet', ...none },
    { what: 'mask', ...none },
  ]);
  // What was counted stands beside it.
  const counted = rows().filter(({ measure }) => measure === 'APCER in one try');
  expect(counted.map(({ what, rate }) => [what, rate])).toEqual([
    ['puppet', 0.6],
    ['mask', 0.5],
    ['print', 0.1],
  ]);
  // Each file names its own kind of judgement: the other kind's hash is not it.
  expect(counted.every(({ stale }) => !stale)).toBe(true);
  publish(TODAY, 'PAD', table);
  const another = rows().filter(({ measure }) => measure === 'APCER in one try');
  expect(another.map(({ note }) => note.split(';')[0])).toEqual(Array(3).fill('stale: another judgement'));
  rmSync(join(root, 'bench', 'RESULTS-PAD.md'));
});

it('gives what honest people meet by environment as errors, with an estimate where there is one', () => {
  const table = `## Passive checks alone: what honest people meet

| environment | limits | n | subjects | first try | 95 % | in 3 tries |
| --- | --- | --- | --- | --- | --- | --- |
| dim | within | 40 | 5 | 60.0 % | 20.0–90.0 | 70.0 % |
| dim | beyond | 2 | 2 | 0.0 % | 0.0–84.2 | – |
`;
  publish(TODAY_OF_RECORDINGS, 'PAD', table);
  const met = rows().filter(({ what }) => what.includes(' the limits'));
  expect(met.map(({ what, measure, rate, interval, note }) => [what, measure, rate, interval, note])).toEqual(
    [
      [
        'dim, beyond the limits of docs/liveness.md',
        'BPCER (sent back or refused) in one try, passive checks',
        1,
        [0.158, 1],
        'n < 33; subjects < 33',
      ],
      [
        'dim, within the limits of docs/liveness.md',
        'BPCER (sent back or refused) in one try, passive checks',
        0.4,
        [0.1, 0.8],
        'subjects < 33',
      ],
      [
        'dim, within the limits of docs/liveness.md',
        'estimated: not accepted in three tries, passive checks',
        0.3,
        null,
        'subjects < 33',
      ],
      [
        'dim, beyond the limits of docs/liveness.md',
        'estimated: not accepted in three tries, passive checks',
        null,
        null,
        expect.stringMatching(/^no estimate/),
      ],
    ],
  );
  publish(TODAY_OF_RECORDINGS, 'PAD', '## Not presented yet\n\n| presentations |\n| --- |\n| mask |\n');
  const [mask] = rows().filter(({ what }) => what === 'mask');
  expect(mask).toMatchObject({ area: 'presentation', rate: null, note: 'not measured: no presentation yet' });
  rmSync(join(root, 'bench', 'RESULTS-PAD.md'));
});

it('gives recognition with the numbers of pairs and people, and says that its people were fitted to', () => {
  const { code: _, ...calibration } = readPack(DEFAULT_PACK, MODELS).calibration!;
  const all = rows({ calibration }).filter(({ area }) => area === 'recognition');
  const isConfirmed = ({ note }: { note: string }) => note.includes('numbers of pairs were not written down');
  const own = (changes = {}) =>
    rows({ calibration, ...changes }).filter((row) => row.area === 'recognition' && !isConfirmed(row));
  const single = own().filter(({ what }) => what.startsWith('lfw, 1 against 1 '));
  expect(single).toMatchObject([
    { measure: 'FNMR', n: 1499, subjects: 2083, rate: expect.closeTo(0.0947, 3), stale: true },
    {
      measure: 'FMR',
      n: 7_240_308,
      stale: true,
      command: expect.stringMatching(
        /^npx tsx bench\/recognition-pairs.ts && bin\/likeness bench recognition /,
      ),
    },
  ]);
  const document = readFileSync(resolve(MODELS, '..', '..', 'docs', 'recognition.md'), 'utf8');
  const commands = document.replaceAll(/ \\\n\s*/g, ' ').split('\n');
  expect(commands).toEqual(expect.arrayContaining(single[0]!.command.split(' && ')));
  const confirmed = all.filter(isConfirmed);
  expect(confirmed.map(({ rate, n, stale }) => [rate, n, stale])).toEqual([
    [0.014, null, true],
    [0.0057, null, true],
    [0.0053, null, true],
    [0, null, true],
  ]);
  for (const figure of ['0.9947', '1.40 %', '0.57 %', 'how many pairs, was not written down'])
    expect(document).toContain(figure);
  const notesOf = (measured: PackCalibration) => [
    ...new Set(own({ calibration: measured }).map(({ stale, note }) => `${stale} ${note}`)),
  ];
  const fitted = 'thresholds were fitted to these people';
  expect(notesOf(calibration)).toEqual([
    `true stale: the pack in force, but the code around it was not recorded; ${fitted}`,
  ]);
  expect(notesOf({ ...calibration, code: 'bbbbbbbbbbbb' })).toEqual([
    `true stale: the pack in force, but other code around it; ${fitted}`,
  ]);
  expect(notesOf({ ...calibration, code: RUNNING.code })).toEqual([`false ${fitted}`]);
  expect(own({ targetFmr: 0.5 })).toMatchObject([
    {
      rate: null,
      note: expect.stringMatching(/^not measured: no rates were measured at a target FMR of 0\.5/),
    },
  ]);
  expect(rows().at(-1)).toMatchObject({ area: 'recognition', note: expect.stringMatching(/^not measured/) });
});

it('finds the tables that the benches write', () => {
  const written = measuredRows(RUNNING).filter(({ rate, area }) => rate !== null && area !== 'recognition');
  expect(written.length).toBeGreaterThan(50);
  // Whatever carries another judgement than this made-up one is stale.
  expect(written.every(({ stale }) => stale)).toBe(true);
  const met = written.filter(({ what }) => what.startsWith('all, within the limits'));
  expect(met.map(({ measure }) => measure.includes('passive')).sort()).toEqual([false, false, true, true]);
  for (const name of ['inject/report.ts', 'inject/method-table.ts', 'pad.ts']) {
    const bench = readFileSync(resolve(import.meta.dirname, '..', '..', '..', 'bench', name), 'utf8');
    const titles = {
      'inject/report.ts': ['Attacks', 'Bona fide', 'The species'],
      'pad.ts': ['Judged against a script', 'Passive checks alone'],
    };
    for (const title of titles[name as keyof typeof titles] ?? ['By method and instrument'])
      expect(bench).toContain(`'${title}'`);
  }
});
