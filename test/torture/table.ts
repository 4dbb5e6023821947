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
  const whileGrowing = ledger.all('killed').filter(({ growing = 0 }) => growing > 0);
  const underWay = ledger.all('killed').map((fact) => fact.underWay ?? 0);
  const meanUnderWay = underWay.reduce((sum, count) => sum + count, 0) / Math.max(1, underWay.length);
  const rows: [string, number][] = [
    ['challenges acknowledged', ledger.count('created')],
    ['of which judged to the end', ledger.judged()],
    ['of which passed', ledger.passed()],
    ['captures acknowledged', ledger.count('submitted')],
    ['of which sent during the recording', ledger.all('submitted').filter(({ grew }) => grew).length],
    ['judgements settled', judged.all],
    ['of which for captures that were followed during the recording', judged.followed],
    ['of which restarted because the follower was killed', judged.followedAgain],
    ['followed at first, and judged once complete', judged.judgedWhole],
    ['cancelled / erased', ledger.count('cancelled') + ledger.count('erased')],
    ['kill -9 of an API process', killed('api')],
    ['kill -9 of a worker', killed('worker')],
    ['kill -9 of PostgreSQL', killed('postgres')],
    ['kills in total', ledger.count('killed')],
    ['kills while captures were growing', whileGrowing.length],
    ['of which of a worker', whileGrowing.filter(({ target }) => target === 'worker').length],
    ['captures growing at those moments', whileGrowing.reduce((sum, { growing = 0 }) => sum + growing, 0)],
    ['captures under way at a kill, on average', Math.round(meanUnderWay)],
    ['starts abandoned while the database was unreachable', ledger.count('couldNotStart')],
    ['processes that ended by themselves', ledger.count('endedByItself')],
    ['webhook calls received', received.length],
    ['of which refused or cut off by the receiver', received.length - acknowledged.length],
    [
      'sent again although acknowledged',
      acknowledged.length - new Set(acknowledged.map((each) => each.delivery)).size,
    ],
    ['minutes of load', Math.round(ledger.all('ran').reduce((sum, fact) => sum + fact.seconds, 0) / 60)],
  ];
  return [
    '| done | |',
    '| --- | --- |',
    ...rows.map(([name, count]) => `| ${name} | ${count} |`),
    '',
    '| promise | checked | broken |',
    '| --- | --- | --- |',
    ...checks.map(({ promise, of, broken }) => `| ${promise} | ${of} | ${broken.length} |`),
    '',
  ].join('\n');
}
