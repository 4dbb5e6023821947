// The outbox: the receivers, failing ones first, and every delivery, to be sent again one by one or many at once.
import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Page } from '../../../src/contract/console.ts';
import type {
  ConsoleDelivery,
  ConsoleEndpoints,
  ConsoleSearched,
} from '../../../src/contract/console-deliveries.ts';
import { DELIVERY_STATUSES } from '../../../src/contract/states.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Choice } from '../parts/choice.tsx';
import { deliveryColumns } from '../parts/delivery-columns.tsx';
import { PageHead, RoleNote, Section } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { Receivers } from '../parts/receivers.tsx';
import { useRedeliver } from '../parts/redeliver.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { useApi } from '../parts/signed-in.ts';
import { useFilters } from '../parts/use-address.ts';
import { REFRESH_MS, useLoaded } from '../parts/use-loaded.ts';
import { WhenLoaded } from '../parts/when-loaded.tsx';
import { countText } from '../parts/words.ts';

/** Receivers change more slowly than their deliveries. Chosen, not measured. */
const RECEIVERS_REFRESH_MS = 10_000;

export function DeliveriesPage() {
  const api = useApi();
  const [filters, set] = useFilters(['status', 'receiver']);
  const endpoints = useLoaded(
    (reading) => api.get<ConsoleEndpoints>('/endpoints', reading),
    'endpoints',
    RECEIVERS_REFRESH_MS,
  );
  const searched = endpoints.data?.searched;
  const of = endpoints.data?.data.find(({ receiver }) => receiver === filters.receiver)?.endpoint;
  return (
    <>
      <PageHead title="Deliveries" about="Events on their way to the receivers of the accounts." />
      <RoleNote needs="operator" what="Sending again" />
      <Section title="Receivers" about={searched && aboutReceivers(searched)}>
        <WhenLoaded from={endpoints}>
          {({ data }) => (
            <Receivers
              rows={data}
              chosen={filters.receiver}
              choose={(receiver) => set('receiver', receiver)}
            />
          )}
        </WhenLoaded>
      </Section>
      <Section
        title={filters.receiver ? `Deliveries to ${of ?? 'one receiver'}` : 'All deliveries'}
        aside={filters.receiver && <Button onClick={() => set('receiver', '')}>Show all receivers</Button>}
      >
        <DeliveryList
          filters={filters}
          setStatus={(status) => set('status', status)}
          missed={searched && missedBy(searched)}
        />
      </Section>
    </>
  );
}

const aboutReceivers = ({ receivers_of }: ConsoleSearched): string => {
  const newest = `newest ${countText(receivers_of)}`;
  return `In the ${newest} deliveries, and the ${newest} that are pending or have failed; those that fail come first.`;
};

/** Why a text may not find what is there. */
function missedBy({ receivers_of, errors_of, receivers }: ConsoleSearched): string {
  const [of, errorsOf] = [countText(receivers_of), countText(errors_of)];
  return [
    `A receiver is looked for only in the newest ${of} deliveries, the newest ${of} pending and the newest ${of} failed`,
    `ones (at most ${countText(receivers)} receivers); an error only in the newest ${errorsOf} pending and the newest`,
    `${errorsOf} failed ones. What is older is found by the ID of its challenge.`,
  ].join(' ');
}

interface DeliveryListProps {
  readonly filters: { readonly status?: string; readonly receiver?: string };
  readonly setStatus: (status: string) => void;
  readonly missed: string | undefined;
}

function DeliveryList({ filters, setStatus, missed }: DeliveryListProps) {
  const [text, setText] = useState('');
  const search = { ...filters, ...(text && { text }) };
  return (
    <Stack>
      <Group align="flex-end">
        <SearchField placeholder="Challenge, receiver, error or HTTP status" onSearch={setText} />
        <Choice label="Status" options={DELIVERY_STATUSES} value={filters.status} onChange={setStatus} />
      </Group>
      <FoundDeliveries key={JSON.stringify(search)} search={search} missed={text && missed} />
    </Stack>
  );
}

interface FoundDeliveriesProps {
  readonly search: Readonly<Record<string, string>>;
  /** What the search may have missed. */
  readonly missed: string | undefined;
}

/** Its React key is the search. Only what the page still lists is sent again, whatever was ticked before. */
function FoundDeliveries({ search, missed }: FoundDeliveriesProps) {
  const api = useApi();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const { busy, redeliver } = useRedeliver();
  const sendTicked = (rows: readonly ConsoleDelivery[]) => {
    const ids = rows.map(({ delivery_id }) => delivery_id).filter((id) => ticked.has(id));
    return (
      <Group>
        <ActionButton
          label={ids.length === 0 ? 'Send ticked again' : `Send ${ids.length} again`}
          variant="filled"
          needs="operator"
          disabled={ids.length === 0}
          loading={busy}
          press={() => redeliver(ids, () => setTicked(new Set()))}
        />
      </Group>
    );
  };
  return (
    <PagedTable
      name="Deliveries"
      listKey="deliveries"
      refreshMs={REFRESH_MS}
      read={(cursor, reading) =>
        api.get<Page<ConsoleDelivery>>('/deliveries', reading, { ...search, ...(cursor && { cursor }) })
      }
      above={sendTicked}
      columns={deliveryColumns(ticked, setTicked)}
      idOf={({ delivery_id }) => delivery_id}
      empty={
        Object.keys(search).length > 0
          ? `No matching deliveries. ${missed ?? ''}`
          : 'Nothing was sent yet. Give a challenge an endpoint_url, and its events show here.'
      }
    />
  );
}
