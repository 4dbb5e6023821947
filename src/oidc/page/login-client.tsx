// One client of the OpenID Provider, as it is registered, with what an administrator may change of it.
import { Anchor, Code, Group, Text } from '@mantine/core';
import { ActionButton } from '../../../web/console/parts/action-button.tsx';
import { Facts, Section } from '../../../web/console/parts/page.tsx';
import { useApi } from '../../../web/console/parts/signed-in.ts';
import { Time } from '../../../web/console/parts/time.tsx';
import { say, useAction } from '../../../web/console/parts/use-action.ts';
import type { ConsoleLoginClient, CreatedLoginClient, ErasedPerson } from '../console/messages.ts';
import { DEVICE_TEXTS } from './device-texts.ts';
import { ErasePerson } from './erase-person.tsx';
import { ChangeLoginTexts } from './login-texts.tsx';

interface LoginClientProps {
  readonly client: ConsoleLoginClient;
  /** Gets the new secret if there is one. */
  readonly changed: (made: CreatedLoginClient | null) => void;
}

export function LoginClient({ client, changed }: LoginClientProps) {
  const api = useApi();
  const { busy, run } = useAction();
  const path = `/logins/${client.client_id}`;
  const done = (words: string) => () => {
    changed(null);
    say(words);
  };
  const button = { needs: 'administrator', disabled: busy } as const;
  return (
    <Section
      title={client.name}
      about={<Code>{client.client_id}</Code>}
      aside={
        <Group gap="xs">
          {client.auth_method.startsWith('client_secret') && (
            <ActionButton
              {...button}
              label="New secret"
              confirm="Yes, the old secret stops working at once"
              press={() => run(() => api.send<CreatedLoginClient>('POST', `${path}/secret`), changed)}
            />
          )}
          <ActionButton
            {...button}
            label="Remove"
            confirm={`Yes, remove it and everyone it knows (${client.people})`}
            press={() => run(() => api.send('DELETE', path), done(`Removed: ${client.name}.`))}
          />
        </Group>
      }
    >
      <Facts
        of={{
          Account: client.account_name,
          'Redirect URIs': client.redirect_uris.map((uri) => <div key={uri}>{uri}</div>),
          Enrols: client.enrols ? 'people on their first login' : 'nobody',
          Device: DEVICE_TEXTS[client.device_binding],
          People: client.people,
          Name: client.display_name ?? 'same as the account',
          Purpose: client.purpose ?? 'same as the account',
          'Consent text': client.consent_text && (
            <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
              {client.consent_text}
            </Text>
          ),
          'Privacy notice': client.privacy_url && (
            <Anchor href={client.privacy_url}>{client.privacy_url}</Anchor>
          ),
          Created: <Time at={client.created_at} />,
        }}
      />
      <ChangeLoginTexts
        texts={client}
        busy={busy}
        save={(texts) =>
          run(
            () => api.send('PUT', `${path}/texts`, texts),
            done('Saved: people read it from their next check on.'),
          )
        }
      />
      <ErasePerson
        busy={busy}
        erase={(named, clear) =>
          run(
            () => api.send<ErasedPerson>('POST', `${path}/erasures`, named),
            ({ checks }) => {
              clear();
              done(`Erased, with ${checks} checks.`)();
            },
          )
        }
      />
    </Section>
  );
}
