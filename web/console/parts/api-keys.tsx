// The API keys of an account. A key itself is shown only when it is made.
import { Badge, Code } from '@mantine/core';
import type { ConsoleAccount, ConsoleKey } from '../../../src/contract/console.ts';
import { ActionButton } from './action-button.tsx';
import { DataTable } from './data-table.tsx';
import { useApi } from './signed-in.ts';
import { Time } from './time.tsx';
import { say, useAction } from './use-action.ts';

export function ApiKeys({ account, changed }: { account: ConsoleAccount; changed: () => void }) {
  const api = useApi();
  const { busy, run } = useAction();
  const revoke = (id: string) =>
    run(
      () => api.send('DELETE', `/accounts/${account.account_id}/keys/${id}`),
      () => {
        changed();
        say('Revoked: the key opens nothing any more.');
      },
    );
  return (
    <DataTable
      name={`API keys of ${account.name}`}
      rows={account.keys}
      idOf={({ key_id }) => key_id}
      empty="No key yet: nobody can call the API for this account. Make one."
      columns={[
        {
          title: 'Revoke',
          cell: ({ key_id, revoked_at }) =>
            revoked_at ? (
              <Badge color="gray">revoked</Badge>
            ) : (
              <ActionButton
                label="Revoke"
                confirm="Yes, revoke"
                needs="administrator"
                disabled={busy}
                press={() => revoke(key_id)}
              />
            ),
        },
        { title: 'Key', cell: ({ hint }) => <Code>{hint}</Code> },
        { title: 'Kind', cell: (key) => <Kind of={key} /> },
        { title: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
        { title: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
        { title: 'Ends', cell: ({ revoked_at, expires_at }) => <Time at={revoked_at ?? expires_at} /> },
      ]}
    />
  );
}

/** Its hint begins as the key does (src/keys/api-key.ts). */
function Kind({ of: { sandbox, hint } }: { of: ConsoleKey }) {
  if (sandbox) return <Badge color="grape">sandbox</Badge>;
  return hint.startsWith('lk_live_dev_') ? (
    <Badge color="yellow">development</Badge>
  ) : (
    <Badge color="indigo">live</Badge>
  );
}
