// Accounts: what people read about them, their API keys, their webhook secret.
import { Badge, Code, Group, Stack, Title } from '@mantine/core';
import { useState } from 'react';
import type { ConsoleAccount, ShownOnce as Secrets } from '../../../src/contract/console.ts';
import { AccountTexts } from '../parts/account-texts.tsx';
import { ActionButton } from '../parts/action-button.tsx';
import { ApiKeys } from '../parts/api-keys.tsx';
import { PageHead, RoleNote, Section } from '../parts/page.tsx';
import { ShownOnce } from '../parts/shown-once.tsx';
import { useApi } from '../parts/signed-in.ts';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { WhenLoaded } from '../parts/when-loaded.tsx';

/** Long enough to put the new secret into every receiver. */
const OVERLAP_HOURS = 24;

export function AccountsPage() {
  const api = useApi();
  const accounts = useLoaded(
    (reading) => api.get<{ data: ConsoleAccount[] }>('/accounts', reading),
    'accounts',
  );
  return (
    <>
      <PageHead
        title="Accounts"
        about={
          <>
            To create one: <Code>likeness accounts create NAME</Code>
          </>
        }
      />
      <RoleNote needs="administrator" what="Changing accounts and their keys" />
      <WhenLoaded from={accounts}>
        {({ data }) =>
          data.map((account) => (
            <Account key={account.account_id} account={account} changed={accounts.reload} />
          ))
        }
      </WhenLoaded>
    </>
  );
}

function Account({ account, changed }: { account: ConsoleAccount; changed: () => void }) {
  return (
    <Section
      title={account.name}
      aside={
        <Badge color={account.sandbox ? 'grape' : 'indigo'}>{account.sandbox ? 'sandbox' : 'live'}</Badge>
      }
    >
      <AccountTexts account={account} changed={changed} />
      <Title order={3} size="h5">
        API keys
      </Title>
      <ApiKeys account={account} changed={changed} />
      <NewSecrets account={account} changed={changed} />
    </Section>
  );
}

/** Makes keys and webhook secrets, and shows the newest once. */
function NewSecrets({ account, changed }: { account: ConsoleAccount; changed: () => void }) {
  const api = useApi();
  const { busy, run } = useAction();
  const [shown, setShown] = useState<{ secrets: Record<string, string | null>; note?: string } | null>(null);
  const path = `/accounts/${account.account_id}`;
  const makeKey = (sandbox: boolean) =>
    run(
      () => api.send<Secrets>('POST', `${path}/keys`, { sandbox }),
      ({ secret, webhook_secret }) => {
        setShown({ secrets: { 'API key': secret, 'Secret that signs sandbox webhooks': webhook_secret } });
        changed();
      },
    );
  const rotate = () =>
    run(
      () => api.send<Secrets>('POST', `${path}/webhook-secret`, { overlap_hours: OVERLAP_HOURS }),
      ({ secret }) =>
        setShown({
          secrets: { 'Webhook secret': secret },
          note: `For ${OVERLAP_HOURS} hours, webhooks are signed with the old secret as well.`,
        }),
    );
  const button = { needs: 'administrator', disabled: busy } as const;
  return (
    <Stack gap="sm">
      <Group gap="xs">
        {!account.sandbox && <ActionButton {...button} label="New live key" press={() => makeKey(false)} />}
        <ActionButton {...button} label="New sandbox key" press={() => makeKey(true)} />
        <ActionButton
          {...button}
          label="Rotate webhook secret"
          confirm={`Yes, rotate: the old one ends in ${OVERLAP_HOURS} h`}
          press={rotate}
        />
      </Group>
      {shown && <ShownOnce {...shown} />}
    </Stack>
  );
}
