// The audit log: append-only; who did or viewed what. Who is an API key, or a person in this console.
import { Code, Paper, Stack, Text } from '@mantine/core';
import type { ConsoleAuditLine, Page } from '../../../src/contract/console.ts';
import type { DeviceResult } from '../../../src/contract/device.ts';
import { AssuranceReport } from '../parts/assurance-report.tsx';
import type { Column } from '../parts/data-table.tsx';
import { PageHead } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { useApi } from '../parts/signed-in.ts';
import { Time } from '../parts/time.tsx';
import { passkeyText } from '../parts/words.ts';

const COLUMNS: readonly Column<ConsoleAuditLine>[] = [
  { title: 'Time', cell: ({ at }) => <Time at={at} /> },
  {
    title: 'Who',
    cell: ({ actor, actor_name }) => (
      <>
        {actor_name && <Text size="sm">{actor_name}</Text>}
        <Code>{actor}</Code>
      </>
    ),
  },
  { title: 'Action', cell: ({ action }) => action },
  {
    title: 'Subject',
    cell: ({ subject, detail }) => (
      <>
        <Code>{subject ?? shownIn(detail)}</Code>
        <DeviceShown detail={detail} />
      </>
    ),
  },
  { title: 'Account', cell: ({ account_id }) => (account_id ? <Code>{account_id}</Code> : '–') },
];

export function AuditPage() {
  const api = useApi();
  return (
    <>
      <PageHead title="Audit log" about="Who did or viewed what, the newest first. Nobody can change it.">
        <AssuranceReport />
      </PageHead>
      <Paper>
        <Stack>
          <PagedTable
            name="Audit log"
            listKey="audit"
            read={(cursor, reading) =>
              api.get<Page<ConsoleAuditLine>>('/audit', reading, cursor ? { cursor } : {})
            }
            columns={COLUMNS}
            idOf={({ id }) => id}
            empty="No entries yet. Signing in writes the first."
          />
        </Stack>
      </Paper>
    </>
  );
}

/** What a person's device showed, if the line is about that. */
function DeviceShown({ detail }: Pick<ConsoleAuditLine, 'detail'>) {
  const { device_result: shown } = (detail ?? {}) as {
    device_result?: Omit<DeviceResult, 'credential_since'>;
  };
  if (!shown) return null;
  const { status, backed_up } = shown;
  return (
    <Text size="sm" c="dimmed">
      device: {status}
      {backed_up !== null && `, ${passkeyText(backed_up)}`}
    </Text>
  );
}

/** For a list that was read: how it was filtered, and what was shown. */
function shownIn(detail: object | null): string {
  const { filters = [], shown = [] } = (detail ?? {}) as { filters?: string[]; shown?: string[] };
  if (!detail) return '';
  const by = filters.length > 0 ? `, filtered by ${filters.join(', ')}` : '';
  const rest = shown.length > 1 ? ` … ${shown.at(-1)}` : '';
  return `${shown.length} shown${by}${shown.length > 0 ? `: ${shown[0]}${rest}` : ''}`;
}
