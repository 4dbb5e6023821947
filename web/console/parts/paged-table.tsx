// A list read page by page: the first page is refreshed every few seconds, further ones are read on demand.
import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Page } from '../../../src/contract/console.ts';
import type { Reading } from './api.ts';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { useLoaded } from './use-loaded.ts';
import { WhenLoaded } from './when-loaded.tsx';

interface PagedTableProps<Row> extends Omit<DataTableProps<Row>, 'rows'> {
  readonly read: (cursor: string | null, reading: Reading) => Promise<Page<Row>>;
  /** Changes whenever another list is shown; also the table's React key, because that list begins at its first page. */
  readonly listKey: string;
  readonly refreshMs?: number;
  /** Shown above the rows of the page. */
  readonly above?: (rows: readonly Row[]) => ReactNode;
}

export function PagedTable<Row>({ read, listKey, refreshMs, above, ...table }: PagedTableProps<Row>) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const at = cursors.at(-1) ?? null;
  const page = useLoaded((reading) => read(at, reading), `${listKey} ${at}`, at ? undefined : refreshMs);
  return (
    <WhenLoaded from={page}>
      {({ data, next_cursor }) => (
        <>
          {above?.(data)}
          <DataTable {...table} rows={data} />
          <Group gap="xs">
            {cursors.length > 0 && <Button onClick={() => setCursors(cursors.slice(0, -1))}>Newer</Button>}
            {next_cursor && <Button onClick={() => setCursors([...cursors, next_cursor])}>Older</Button>}
          </Group>
        </>
      )}
    </WhenLoaded>
  );
}
