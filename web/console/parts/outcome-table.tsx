// How people fared, in groups: by browser or by level.
import { Group, Progress, Text } from '@mantine/core';
import type { ConsoleOutcomes } from '../../../src/contract/console-overview.ts';
import { DataTable } from './data-table.tsx';
import { countText, percentText, secondsText, wordsOf } from './words.ts';

/** The largest group comes first. */
export function OutcomeTable({ name, rows }: { name: string; rows: readonly ConsoleOutcomes[] }) {
  return (
    <DataTable
      name={name}
      rows={[...rows].sort((a, b) => b.people - a.people)}
      idOf={(row) => row.name}
      empty="Nobody has recorded themselves in these days. Send somebody a challenge's link."
      columns={[
        { title: name, cell: (row) => wordsOf(row.name) },
        { title: 'People', cell: ({ people }) => countText(people) },
        { title: 'First try', cell: (row) => <Share of={row.passed_first / row.people} color="green.7" /> },
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
