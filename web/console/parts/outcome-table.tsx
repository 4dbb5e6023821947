// How people fared, in groups: by browser, by level, or by the reason for which their first try was sent back.
import { Group, Progress, Text } from '@mantine/core';
import type { ConsoleOutcomes } from '../../../src/contract/console-overview.ts';
import { type Column, DataTable } from './data-table.tsx';
import { countText, percentText, secondsText, wordsOf } from './words.ts';

const NOBODY = "Nobody has recorded themselves in these days. Send somebody a challenge's link.";
const GROUPS = {
  browser: { name: 'Browser', empty: NOBODY },
  level: { name: 'Level', empty: NOBODY },
  reason: { name: 'Reason', empty: "Nobody's first try was sent back in these days." },
} as const;

const FIRST_TRY: Column<ConsoleOutcomes> = {
  title: 'First try',
  cell: (row) => <Share of={row.passed_first / row.people} color="green.7" />,
};

interface OutcomeTableProps {
  readonly by: keyof typeof GROUPS;
  /** Null if they were not counted in time. */
  readonly rows: readonly ConsoleOutcomes[] | null;
}

/** The largest group comes first. Nobody whose first try was sent back got in at it: that column is left out there. */
export function OutcomeTable({ by, rows }: OutcomeTableProps) {
  const { name, empty } = GROUPS[by];
  return (
    <DataTable
      name={name}
      rows={(rows ?? []).filter((row) => row.by === by).sort((a, b) => b.people - a.people)}
      idOf={(row) => row.name}
      empty={rows ? empty : countText(null)}
      columns={[
        { title: name, cell: (row) => wordsOf(row.name) },
        { title: 'People', cell: ({ people }) => countText(people) },
        ...(by === 'reason' ? [] : [FIRST_TRY]),
        { title: 'Within three', cell: (row) => <Share of={row.passed / row.people} color="indigo.5" /> },
        { title: 'Half within', cell: ({ median_seconds }) => secondsText(median_seconds) },
        { title: '90 % within', cell: ({ p90_seconds }) => secondsText(p90_seconds) },
      ]}
    />
  );
}

function Share({ of, color }: { of: number; color: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="sm" w="2.7rem">
        {percentText(of)}
      </Text>
      <Progress value={100 * of} color={color} flex={1} miw="1.5rem" aria-hidden />
    </Group>
  );
}
