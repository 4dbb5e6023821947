// The judgement: its four answers, then every check with its value and threshold.
import { Group, Text } from '@mantine/core';
import type { ConsoleTry, JudgedCue } from '../../../src/contract/judged-try.ts';
import { CUE_MEASURES } from './cue-measures.ts';
import { DataTable } from './data-table.tsx';
import { Outcome } from './outcome.tsx';
import { wordsOf } from './words.ts';

export function CueTable({ name, judgement }: { name: string; judgement: Omit<ConsoleTry, 'reasons'> }) {
  const { liveness, cues, timings_ms } = judgement;
  const answers = {
    'one live face': liveness.face,
    smile: liveness.smile,
    'no attack found': liveness.spoof_result,
    overall: liveness.overall,
  };
  const timings = Object.entries(timings_ms)
    .map(([step, ms]) => `${step} ${Math.round(ms)} ms`)
    .join(', ');
  return (
    <>
      <Group gap="md">
        {Object.entries(answers).map(([answer, holds]) => (
          <Text key={answer} size="sm">
            {answer} <Outcome word={holds ? 'passed' : 'failed'} />
          </Text>
        ))}
      </Group>
      <DataTable
        name={`Checks of ${name}`}
        rows={failedFirst(cues)}
        idOf={({ cue }) => cue}
        empty="No check was run."
        columns={[
          { title: 'Check', cell: ({ cue }) => wordsOf(cue) },
          {
            title: 'Outcome',
            cell: ({ status }) => <Outcome word={status === 'notEvaluated' ? 'not evaluated' : status} />,
          },
          { title: 'Value', cell: ({ cue, value }) => figure(cue, value) },
          { title: 'Passes', cell: ({ cue, threshold }) => passes(cue, threshold) },
          { title: 'Reason', cell: ({ reason }) => reason && wordsOf(reason) },
          { title: 'Measure', cell: ({ cue }) => CUE_MEASURES[cue]?.measures },
        ]}
      />
      {timings && (
        <Text size="sm" c="dimmed">
          {timings}
        </Text>
      )}
    </>
  );
}

const ORDER = ['failed', 'notEvaluated', 'passed'] as const;

/** The failed checks, then those that could not be evaluated, then the rest; each in the order of the judgement. */
function failedFirst(cues: readonly JudgedCue[]): readonly JudgedCue[] {
  return ORDER.flatMap((status) => cues.filter((cue) => cue.status === status));
}

/** A value of a check with its unit. */
function figure(cue: string, value: number | null): string {
  return value === null ? '' : `${Number(value.toPrecision(3))} ${CUE_MEASURES[cue]?.unit ?? ''}`.trim();
}

function passes(cue: string, threshold: number | null): string {
  const known = CUE_MEASURES[cue];
  return `${threshold !== null && known ? `${known.passes} ` : ''}${figure(cue, threshold)}`;
}
