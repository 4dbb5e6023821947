// The audit log: append-only, who did what to what.
import type { ConsoleAuditLine, Page } from '../../../src/contract/console.ts';
import type { Api } from '../api.ts';
import { PagedTable, Time } from '../parts/shown.tsx';

export function AuditPage({ api }: { api: Api }) {
  return (
    <>
      <h1>Audit log</h1>
      <PagedTable<ConsoleAuditLine>
        caption="Audit log, newest first"
        listKey="audit"
        read={(cursor) => api.get<Page<ConsoleAuditLine>>('/audit', cursor ? { cursor } : {})}
        head={['When', 'Who', 'What', 'To what', 'Account']}
        empty="Nothing has happened yet."
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
              <code>{line.subject ?? ''}</code>
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
