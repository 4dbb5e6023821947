// Columns of the list of deliveries: the action comes first, so that it is in view at any width.
import { Box, Checkbox, Code, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ConsoleDelivery } from '../../../src/contract/console-deliveries.ts';
import { ChallengeLink } from './challenge-link.tsx';
import type { Column } from './data-table.tsx';
import { Outcome } from './outcome.tsx';
import { lastOutcomeOf } from './receivers.tsx';
import { Redeliver } from './redeliver.tsx';
import { useRefusal } from './signed-in.ts';
import { Time } from './time.tsx';

/** A test event and a cancelled delivery are not sent again. */
const isRepeatable = ({ event, status }: ConsoleDelivery): boolean =>
  event !== 'test' && status !== 'cancelled';

/** `ticked`: ids of the deliveries that are to be sent again together. */
export function deliveryColumns(
  ticked: ReadonlySet<string>,
  tick: (ticked: ReadonlySet<string>) => void,
): readonly Column<ConsoleDelivery>[] {
  const toggle = (ids: readonly string[], isOn: boolean) => {
    const others = [...ticked].filter((id) => !ids.includes(id));
    tick(new Set(isOn ? [...others, ...ids] : others));
  };
  return [
    {
      title: 'Send again',
      head: (rows) => <TickAll rows={rows.filter(isRepeatable)} ticked={ticked} toggle={toggle} />,
      cell: (row) =>
        !isRepeatable(row) ? (
          '–'
        ) : (
          <Group gap="xs" wrap="nowrap">
            <Tick
              label={`Tick ${row.delivery_id}`}
              isOn={ticked.has(row.delivery_id)}
              onChange={(isOn) => toggle([row.delivery_id], isOn)}
            />
            <Redeliver deliveryId={row.delivery_id} />
          </Group>
        ),
    },
    {
      title: 'Status',
      cell: (row) => <Two first={<Outcome word={row.status} />} then={lastOutcomeOf(row)} />,
    },
    {
      title: 'Receiver',
      cell: ({ endpoint, account_name }) => (
        <Two first={<Code>{endpoint}</Code>} then={account_name} miw="min(14rem, 45vw)" />
      ),
    },
    {
      title: 'Challenge',
      cell: ({ challenge_id, event }) => (
        <Two first={challenge_id && <ChallengeLink id={challenge_id} />} then={event} />
      ),
    },
    {
      title: 'Attempts',
      cell: ({ attempts, next_attempt_at }) => (
        <Two
          first={attempts}
          then={
            next_attempt_at && (
              <>
                next: <Time at={next_attempt_at} />
              </>
            )
          }
        />
      ),
    },
    { title: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}

/** What a column is about, and below it what belongs to it. */
function Two({ first, then, miw }: { first: ReactNode; then: ReactNode; miw?: string }) {
  return (
    <Box miw={miw}>
      {first}
      <Text size="xs" c="dimmed">
        {then}
      </Text>
    </Box>
  );
}

function TickAll(props: {
  rows: readonly ConsoleDelivery[];
  ticked: ReadonlySet<string>;
  toggle: (ids: readonly string[], isOn: boolean) => void;
}) {
  const ids = props.rows.map(({ delivery_id }) => delivery_id);
  const isOn = ids.length > 0 && ids.every((id) => props.ticked.has(id));
  return (
    <Tick label="Tick all of this page" isOn={isOn} onChange={(all) => props.toggle(ids, all)} isShown />
  );
}

/** `isShown`: whether the label can be seen, or only heard. */
function Tick(props: { label: string; isOn: boolean; onChange: (isOn: boolean) => void; isShown?: boolean }) {
  const refusal = useRefusal('operator');
  return (
    <Checkbox
      size="sm"
      {...(props.isShown ? { label: props.label } : { 'aria-label': props.label })}
      checked={props.isOn}
      disabled={refusal !== null}
      onChange={(event) => props.onChange(event.currentTarget.checked)}
    />
  );
}
