// The audit log: append-only; who did or viewed what. Who is an API key, or a session of this console.
import type { ConsoleAuditLine, Page } from '../../../src/contract/console.ts';
import type { Api } from '../parts/api.ts';
import { PagedTable, Time } from '../parts/shown.tsx';

export function AuditPage({ api }: { api: Api }) {
  return (
    <>
      <h1>Audit log</h1>
      <PagedTable<ConsoleAuditLine>
        caption="Audit log, newest first"
        listKey="audit"
        read={(cursor, reading) =>
          api.get<Page<ConsoleAuditLine>>('/audit', reading, cursor ? { cursor } : {})
        }
        head={['Time', 'Actor', 'Action', 'Subject', 'Account']}
        empty="No audit entries yet."
        row={(line) => (
          <tr key={line.id}>
            <td>
              <Time at={line.at} />
            </td>
            <td>
              <code>{line.actor}</code>
            </td>
            <td>{line.action}</td>
            <td>
              <code>{line.subject ?? shownIn(line.detail)}</code>
            </td>
            <td>
              <code>{line.account_id ?? ''}</code>
            </td>
          </tr>
        )}
      />
    </>
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
