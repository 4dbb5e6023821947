// The cues of a judgement as a table: what decided comes first.
import type { Judgement } from '../evaluation/judge.ts';
import { REASONS } from '../evaluation/reasons.ts';
import { alignColumns } from '../terminal/answer.ts';
import { rounded } from './judging.ts';

type Cues = Extract<Judgement, { status: 'judged' }>['cues'];

/** What decided first: failed cues, then passed ones, then in a line for each reason those that were not evaluated. */
export function cueTable(cues: Cues): string[] {
  const evaluated = (['failed', 'passed'] as const).flatMap((wanted) =>
    cues.filter(({ status }) => status === wanted),
  );
  const others = cues.filter(({ status }) => status === 'notEvaluated');
  const reasons = [...new Set(others.map(({ reason }) => reason))];
  return [
    ...alignColumns([
      ['cue', 'status', 'value', 'threshold', 'reason'],
      ...evaluated.map(({ cue, status, value, threshold, reason }) => [
        cue,
        status,
        figure(value),
        figure(threshold),
        said(reason),
      ]),
    ]),
    ...reasons.map((because) => {
      const names = others.filter(({ reason }) => reason === because).map(({ cue }) => cue);
      return `not evaluated, ${said(because)}: ${names.join(', ')}`;
    }),
  ];
}

const said = (reason: Cues[number]['reason']): string =>
  reason ? `${reason}: ${REASONS[reason].meaning}` : '';

function figure(value: number | null): string {
  return value === null ? '–' : String(rounded(value, 3));
}
