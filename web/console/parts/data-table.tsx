// Every list of the console: a table, and on a phone a card for each row, because a table would be cut off there.
import { Box, Paper, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Facts } from './page.tsx';
import { useIsPhone } from './use-phone.ts';

export interface Column<Row> {
  readonly title: string;
  /** Shown instead of the title above the column, such as a box that ticks all rows. */
  readonly head?: (rows: readonly Row[]) => ReactNode;
  readonly cell: (row: Row) => ReactNode;
}

export interface DataTableProps<Row> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  /** What to do if there are no rows. */
  readonly empty: ReactNode;
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const isPhone = useIsPhone();
  if (props.rows.length === 0) return <Text c="dimmed">{props.empty}</Text>;
  return isPhone ? <Cards {...props} /> : <Rows {...props} />;
}

function Rows<Row>({ name, columns, rows, idOf }: DataTableProps<Row>) {
  return (
    <Scroller name={name}>
      <Table verticalSpacing={6} highlightOnHover tabularNums fz="sm">
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ title, head }) => (
              <Table.Th key={title} c="dimmed" scope="col">
                {head ? head(rows) : title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={idOf(row)}>
              {columns.map(({ title, cell }) => (
                <Table.Td key={title}>{cell(row)}</Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Scroller>
  );
}

function Cards<Row>({ name, columns, rows, idOf }: DataTableProps<Row>) {
  return (
    <Stack gap="xs" component="section" aria-label={name}>
      {columns.map(({ title, head }) => head && <Box key={title}>{head(rows)}</Box>)}
      {rows.map((row) => (
        <Paper key={idOf(row)} p="sm">
          <Facts of={Object.fromEntries(columns.map(({ title, cell }) => [title, cell(row)]))} />
        </Paper>
      ))}
    </Stack>
  );
}

/** Wraps what may be wider than its place; can be focused and scrolled by keyboard too. */
export function Scroller({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Box component="section" tabIndex={0} aria-label={name} style={{ overflowX: 'auto' }}>
      {children}
    </Box>
  );
}
