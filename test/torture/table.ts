// The report of a run, as Markdown.
import type { TortureOutcome } from './torture.ts';
import type { Check } from './verify.ts';

/** What was done, and what was found. */
export function renderReport(
  { ledger, judged }: Pick<TortureOutcome, 'ledger' | 'judged'>,
  checks: readonly Check[],
): string {
  const received = ledger.all('received');
  const acknowledged = received.filter((fact) => fact.acknowledged);
  const killed = (target: string) => ledger.all('killed').filter((fact) => fact.target === target).length;
  const amidst = ledger.all('killed').filter(({ growing = 0 }) => growing > 0);
  const rows: [string, number][] = [
    ['challenges acknowledged', ledger.count('created')],
    ['of them judged to their end', ledger.judged()],
    ['of them passed', ledger.passed()],
    ['captures acknowledged', ledger.count('submitted')],
    ['of them sent while they were recorded', ledger.all('submitted').filter(({ grew }) => grew).length],
    ['judgements settled', judged.all],
    ['of them of captures that were followed while they were recorded', judged.followed],
    ['of these begun anew, their follower killed', judged.followedAnew],
    ['begun to be followed, and judged at their end', judged.leftToEnd],
    ['cancelled / erased', ledger.count('cancelled') + ledger.count('erased')],
    ['kill -9 of an API process', killed('api')],
    ['kill -9 of a worker', killed('worker')],
    ['kill -9 of PostgreSQL', killed('postgres')],
    ['kills in all', ledger.count('killed')],
    ['kills while captures were growing', amidst.length],
    ['of them of a worker', amidst.filter(({ target }) => target === 'worker').length],
    ['captures that were growing then', amidst.reduce((sum, { growing = 0 }) => sum + growing, 0)],
    ['starts given up while the database was away', ledger.count('couldNotStart')],
    ['processes that ended by themselves', ledger.count('endedByItself')],
    ['webhook calls received', received.length],
    ['of them refused or broken off by the receiver', received.length - acknowledged.length],
    [
      'sent again though acknowledged',
      acknowledged.length - new Set(acknowledged.map((each) => each.delivery)).size,
    ],
    ['minutes of load', Math.round(ledger.all('ran').reduce((sum, fact) => sum + fact.seconds, 0) / 60)],
  ];
  return [
    '| done | |',
    '| --- | --- |',
    ...rows.map(([name, count]) => `| ${name} | ${count} |`),
    '',
    '| promise | held against | broken |',
    '| --- | --- | --- |',
    ...checks.map(({ promise, of, broken }) => `| ${promise} | ${of} | ${broken.length} |`),
    '',
  ].join('\n');
}
