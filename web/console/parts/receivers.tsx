// Receivers of deliveries by their own address, those that fail first.
import { Badge, Button, Code } from '@mantine/core';
import { useState } from 'react';
import type { ConsoleEndpoint } from '../../../src/contract/console-deliveries.ts';
import { DataTable } from './data-table.tsx';
import { countText, wordsOf } from './words.ts';

interface ReceiversProps {
  readonly rows: readonly ConsoleEndpoint[];
  /** The one whose deliveries are shown. */
  readonly chosen: string | undefined;
  readonly choose: (receiver: string) => void;
}

/** The deliveries below them stay in sight. */
const SHOWN_AT_FIRST = 10;

export function Receivers({ rows, chosen, choose }: ReceiversProps) {
  const [showsAll, setShowsAll] = useState(false);
  const sorted = [...rows].sort((a, b) => b.failed - a.failed || b.pending - a.pending);
  const shown = sorted.filter(({ receiver }, i) => showsAll || i < SHOWN_AT_FIRST || receiver === chosen);
  return (
    <>
      <ReceiverTable rows={shown} chosen={chosen} choose={choose} />
      {rows.length > SHOWN_AT_FIRST && (
        <div>
          <Button onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Show fewer receivers' : `Show all ${countText(rows.length)} receivers`}
          </Button>
        </div>
      )}
    </>
  );
}

function ReceiverTable({ rows, chosen, choose }: ReceiversProps) {
  return (
    <DataTable
      name="Receivers"
      rows={rows}
      idOf={({ receiver, account_id }) => `${receiver} ${account_id}`}
      empty="No receiver yet. Give a challenge an endpoint_url, or send a test event to one."
      columns={[
        {
          title: 'Deliveries',
          cell: ({ receiver, endpoint }) => (
            <Button
              variant={receiver === chosen ? 'filled' : 'default'}
              aria-pressed={receiver === chosen}
              aria-label={`Show the deliveries to ${endpoint}`}
              onClick={() => choose(receiver === chosen ? '' : receiver)}
            >
              Show
            </Button>
          ),
        },
        { title: 'Receiver', cell: ({ endpoint }) => <Code>{endpoint}</Code> },
        {
          title: 'Failed',
          cell: ({ failed }) => (failed > 0 ? <Badge color="red">{countText(failed)}</Badge> : '0'),
        },
        { title: 'Pending', cell: ({ pending }) => countText(pending) },
        { title: 'Delivered', cell: ({ delivered }) => countText(delivered) },
        { title: 'Last outcome', cell: lastOutcomeOf },
        {
          title: 'Median time',
          cell: ({ median_ms }) => (median_ms === null ? '–' : `${Math.round(median_ms)} ms`),
        },
        { title: 'Account', cell: ({ account_name }) => account_name },
      ]}
    />
  );
}

/** How the last attempt ended, in words. */
export function lastOutcomeOf(last: { last_outcome: string | null; last_status: number | null }): string {
  if (last.last_outcome === null) return 'not tried yet';
  const status = last.last_status === null ? '' : ` (HTTP ${last.last_status})`;
  return `${wordsOf(last.last_outcome)}${status}`;
}
