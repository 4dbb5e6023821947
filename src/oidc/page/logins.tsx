// Clients of the OpenID Provider: who may send people here to be checked, and for whom.
import { Code, Text } from '@mantine/core';
import { useState } from 'react';
import { PageHead, RoleNote, Section } from '../../../web/console/parts/page.tsx';
import { ShownOnce } from '../../../web/console/parts/shown-once.tsx';
import { useApi } from '../../../web/console/parts/signed-in.ts';
import { useLoaded } from '../../../web/console/parts/use-loaded.ts';
import { WhenLoaded } from '../../../web/console/parts/when-loaded.tsx';
import type { ConsoleAccount } from '../../contract/console.ts';
import type { ConsoleLoginClient, CreatedLoginClient } from '../console/messages.ts';
import { LoginClient } from './login-client.tsx';
import { NewClient } from './new-client.tsx';

interface Shown {
  readonly accounts: readonly ConsoleAccount[];
  readonly clients: readonly ConsoleLoginClient[];
}

export function LoginsPage() {
  const api = useApi();
  const loaded = useLoaded<Shown>(async (reading) => {
    const [accounts, clients] = await Promise.all([
      api.get<{ data: ConsoleAccount[] }>('/accounts', reading),
      api.get<{ data: ConsoleLoginClient[] }>('/logins', reading),
    ]);
    return { accounts: accounts.data, clients: clients.data };
  }, 'logins');
  const [made, setMade] = useState<CreatedLoginClient | null>(null);
  const changed = (by: CreatedLoginClient | null) => {
    setMade(by);
    loaded.reload();
  };
  return (
    <>
      <PageHead
        title="Logins"
        about={
          <>
            Clients that send people here through OpenID Connect. Provider metadata:{' '}
            <Code>/oidc/.well-known/openid-configuration</Code>. To register a client with its own keys, or
            Entra, use <Code>likeness oidc clients add</Code>.
          </>
        }
      />
      <RoleNote needs="administrator" what="Changing clients" />
      {made && <ShownOnce secrets={{ 'Client ID': made.client_id, 'Client secret': made.client_secret }} />}
      <WhenLoaded from={loaded}>
        {({ accounts, clients }) => (
          <>
            {clients.length === 0 && (
              <Text c="dimmed">There are no clients yet. Register the first one below.</Text>
            )}
            {clients.map((client) => (
              <LoginClient key={client.client_id} client={client} changed={changed} />
            ))}
            <Section title="New client">
              <NewClient accounts={accounts} changed={changed} />
            </Section>
          </>
        )}
      </WhenLoaded>
    </>
  );
}
