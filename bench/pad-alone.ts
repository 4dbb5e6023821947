// What each check refuses that no other check refuses, and what that costs people. A check that refuses nothing alone
// needs another reason to stay (src/evaluation/liveness/cue.ts).
import { CHECKS } from '../src/evaluation/liveness/checks.ts';
import { refusingGates } from '../src/evaluation/liveness/fusion.ts';
import { median } from '../src/evaluation/liveness/statistics.ts';
import { groupBy } from '../src/lab/group-by.ts';
import type { JudgedRow } from '../src/lab/pad-judge.ts';
import { shareOf } from '../src/lab/pad-rates.ts';
import { percent, spread } from '../src/lab/pad-report.ts';
import type { Section } from './report.ts';

/** One row for each gate. */
export function aloneSection(title: string, judged: readonly JudgedRow[]): Section {
  const rows = judged.map(({ species, cues }) => ({ species, gates: refusingGates(cues) }));
  const [attacks, people] = [rows.filter(({ species }) => species), rows.filter(({ species }) => !species)];
  const gates = CHECKS.filter(({ role }) => role.kind === 'gate').map(({ cue }) => cue);
  return {
    title: `${title}: what each check alone refuses`,
    method:
      `Of ${attacks.length} attacks and ${people.length} bona fide presentations, finally or for this try. Alone: every ` +
      'other check held. Checks of how a recording was submitted are not evaluated here.',
    columns: ['check', 'attacks', 'alone', 'species that it alone refuses', 'bona fide', 'alone'],
    rows: gates.map((gate) => {
      const refused = attacks.filter((row) => row.gates.includes(gate));
      const alone = refused.filter((row) => row.gates.length === 1);
      const refusedPeople = people.filter((row) => row.gates.includes(gate));
      const alonePeople = refusedPeople.filter((row) => row.gates.length === 1);
      return [
        gate,
        String(refused.length),
        String(alone.length),
        counted(alone.map(({ species }) => species!)),
        String(refusedPeople.length),
        String(alonePeople.length),
      ];
    }),
  };
}

/** What the PAD network says of each kind of footage, with no other check. */
export function networkSection(judged: readonly JudgedRow[]): Section {
  const scored = judged.flatMap(({ cues, ...row }) => {
    const { value = null, threshold = null } = cues.find(({ cue }) => cue === 'pad_pack') ?? {};
    return value === null || threshold === null ? [] : [{ ...row, value, isLive: value >= threshold }];
  });
  const named = (row: (typeof scored)[number]) => row.species ?? `bona fide: ${row.kind ?? '–'}`;
  return {
    title: 'The PAD network alone',
    method:
      `APCER: taken for live; BPCER: not. Left out: ${judged.length - scored.length} clips without a face, or refused in ` +
      'the dark or far away, of which the person is told that instead. Worst: the highest score of attacks, the lowest of others.',
    columns: ['presentations', 'n', 'subjects', 'APCER / BPCER', '95 %', 'median score', 'worst score'],
    rows: groupBy(scored, named).map((own) => {
      const isAttack = own[0]!.species !== null;
      const { n, subjects, rate, interval } = shareOf(own, ({ isLive }) => isLive === isAttack);
      const scores = own.map(({ value }) => value);
      const worst = isAttack ? Math.max(...scores) : Math.min(...scores);
      return [
        named(own[0]!),
        String(n),
        String(subjects),
        percent(rate),
        spread(interval),
        median(scores).toFixed(3),
        worst.toFixed(3),
      ];
    }),
  };
}

/** Each name with how often it occurs, the commonest first. */
function counted(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
