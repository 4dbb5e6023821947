// The form that registers a client of the OpenID Provider.
import { Checkbox, NativeSelect, NumberInput, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Form } from '../../../web/console/parts/form.tsx';
import { useApi } from '../../../web/console/parts/signed-in.ts';
import { say, useAction } from '../../../web/console/parts/use-action.ts';
import type { ConsoleAccount } from '../../contract/console.ts';
import { MAX_SESSION_SECONDS, MAX_TEXT_CHARS } from '../client-limits.ts';
import type { CreatedLoginClient, NewLoginClient } from '../console/messages.ts';
import { DEVICE_TEXTS } from './device-texts.ts';
import { LoginTextFields, NO_TEXTS } from './login-texts.tsx';

const EMPTY: Omit<NewLoginClient, 'account_id'> = {
  name: '',
  redirect_uris: [],
  auth_method: 'client_secret_basic',
  enrol: false,
  device_binding: 'off',
  require_par: false,
  session_seconds: 0,
  ...NO_TEXTS,
};

const AUTH_METHODS = [
  { value: 'client_secret_basic', label: 'secret in the header' },
  { value: 'client_secret_post', label: 'secret in the form' },
  { value: 'none', label: 'none (public client, an app)' },
];

interface NewClientProps {
  readonly accounts: readonly ConsoleAccount[];
  readonly changed: (made: CreatedLoginClient) => void;
}

export function NewClient({ accounts, changed }: NewClientProps) {
  const api = useApi();
  const { busy, run } = useAction();
  const [filled, setFilled] = useState<NewLoginClient>({
    account_id: accounts[0]?.account_id ?? '',
    ...EMPTY,
  });
  const fill = (part: Partial<NewLoginClient>) => setFilled({ ...filled, ...part });
  const add = () =>
    run(
      () =>
        api.send<CreatedLoginClient>('POST', '/logins', {
          ...filled,
          redirect_uris: filled.redirect_uris.flatMap((line) => line.split(/\s+/)).filter(Boolean),
        }),
      (made) => {
        changed(made);
        fill(EMPTY);
        say(`Registered: ${filled.name}.`);
      },
    );
  return (
    <Form needs="administrator" submitLabel="Register" busy={busy} onSubmit={add}>
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        <NativeSelect
          label="Account"
          value={filled.account_id}
          onChange={({ currentTarget: { value } }) => fill({ account_id: value })}
          data={accounts.map(({ account_id, name }) => ({ value: account_id, label: name }))}
        />
        <TextInput
          label="Name for operators"
          required
          maxLength={MAX_TEXT_CHARS}
          value={filled.name}
          onChange={({ currentTarget: { value } }) => fill({ name: value })}
        />
        <Textarea
          label="Redirect URIs, one per line"
          required
          autosize
          value={filled.redirect_uris.join('\n')}
          onChange={({ currentTarget: { value } }) => fill({ redirect_uris: value.split('\n') })}
        />
        <Technical filled={filled} fill={fill} />
      </SimpleGrid>
      <LoginTextFields texts={filled} change={fill} />
      <Checkbox
        label="Enrols people on their first login"
        checked={filled.enrol}
        onChange={({ currentTarget: { checked } }) => fill({ enrol: checked })}
      />
      <Checkbox
        label="Requires pushed authorization requests (PAR)"
        checked={filled.require_par}
        onChange={({ currentTarget: { checked } }) => fill({ require_par: checked })}
      />
    </Form>
  );
}

interface TechnicalProps {
  readonly filled: NewLoginClient;
  readonly fill: (part: Partial<NewLoginClient>) => void;
}

function Technical({ filled, fill }: TechnicalProps) {
  return (
    <>
      <NativeSelect
        label="Client authentication"
        value={filled.auth_method}
        onChange={({ currentTarget: { value } }) =>
          fill({ auth_method: value as NewLoginClient['auth_method'] })
        }
        data={AUTH_METHODS}
      />
      <NumberInput
        label="Validity of a check, in seconds"
        min={0}
        max={MAX_SESSION_SECONDS}
        allowDecimal={false}
        hideControls
        value={filled.session_seconds}
        onChange={(value) => fill({ session_seconds: Number(value) || 0 })}
      />
      <NativeSelect
        label="The person's device"
        value={filled.device_binding}
        onChange={({ currentTarget: { value } }) =>
          fill({ device_binding: value as NewLoginClient['device_binding'] })
        }
        data={Object.entries(DEVICE_TEXTS).map(([value, label]) => ({ value, label }))}
      />
    </>
  );
}
