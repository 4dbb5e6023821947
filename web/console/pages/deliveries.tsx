// The outbox: the state of each receiver, and every delivery.
import { useState } from 'preact/hooks';
import type { ConsoleDelivery, ConsoleEndpoint, Page } from '../../../src/contract/console.ts';
import { DELIVERY_STATUSES } from '../../../src/contract/states.ts';
import type { Api } from '../parts/api.ts';
import { Redeliver } from '../parts/delivery-attempts.tsx';
import { Badge, Choice, Head, PagedTable, Scroller, Time, WhenLoaded } from '../parts/shown.tsx';
import { REFRESH_MS, useLoaded } from '../parts/use.ts';

export function DeliveriesPage({ api }: { api: Api }) {
  const [status, setStatus] = useState('');
  const endpoints = useLoaded(
    (reading) => api.get<{ data: ConsoleEndpoint[] }>('/endpoints', reading),
    'endpoints',
    10_000,
  );
  return (
    <>
      <h1>Deliveries</h1>
      <h2>Receivers of the newest deliveries</h2>
      <WhenLoaded from={endpoints}>{({ data }) => <Endpoints rows={data} />}</WhenLoaded>
      <h2>All deliveries</h2>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <Choice label="Status" options={DELIVERY_STATUSES} value={status} onChange={setStatus} />
      </form>
      <PagedTable<ConsoleDelivery>
        key={status}
        caption="Deliveries, newest first"
        listKey={status}
        refreshMs={REFRESH_MS}
        read={(cursor, reading) =>
          api.get<Page<ConsoleDelivery>>('/deliveries', reading, {
            ...(status ? { status } : {}),
            ...(cursor ? { cursor } : {}),
          })
        }
        head={[
          'Event',
          'Challenge',
          'Account',
          'Receiver',
          'Status',
          'Attempts',
          'Last outcome',
          'Next attempt',
          'Created',
          'Resend',
        ]}
        empty="No matching deliveries."
        row={(row) => (
          <tr key={row.delivery_id}>
            <td>{row.event}</td>
            <td>
              {row.challenge_id && (
                <a href={`#/challenges/${row.challenge_id}`}>
                  <code>{row.challenge_id}</code>
                </a>
              )}
            </td>
            <td>{row.account_name}</td>
            <td>
              <code>{row.endpoint}</code>
            </td>
            <td>
              <Badge word={row.status} />
            </td>
            <td class="number">{row.attempts}</td>
            <td>{row.last_outcome?.replaceAll('_', ' ') ?? ''}</td>
            <td>
              <Time at={row.next_attempt_at} />
            </td>
            <td>
              <Time at={row.created_at} />
            </td>
            <td>
              {row.event !== 'test' && row.status !== 'cancelled' && (
                <Redeliver api={api} deliveryId={row.delivery_id} />
              )}
            </td>
          </tr>
        )}
      />
    </>
  );
}

function Endpoints({ rows }: { rows: readonly ConsoleEndpoint[] }) {
  if (rows.length === 0) return <p class="soft">Nothing was sent.</p>;
  return (
    <Scroller name="Receivers">
      <table>
        <Head
          titles={['Receiver', 'Account', 'Delivered', 'Pending', 'Failed', 'Median time', 'Last outcome']}
        />
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.endpoint} ${row.account_name}`}>
              <td>
                <code>{row.endpoint}</code>
              </td>
              <td>{row.account_name}</td>
              <td class="number">{row.delivered}</td>
              <td class="number">{row.pending}</td>
              <td class="number">{row.failed}</td>
              <td class="number">{row.median_ms === null ? '–' : `${Math.round(row.median_ms)} ms`}</td>
              <td>{row.last_outcome?.replaceAll('_', ' ') ?? ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}
