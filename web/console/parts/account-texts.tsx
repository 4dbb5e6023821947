// The form of what the privacy screen says about an account.
import { SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AccountChange, ConsoleAccount } from '../../../src/contract/console.ts';
import { Form } from './form.tsx';
import { useApi } from './signed-in.ts';
import { say, useAction } from './use-action.ts';

export function AccountTexts({ account, changed }: { account: ConsoleAccount; changed: () => void }) {
  const api = useApi();
  const { busy, run } = useAction();
  const { display_name, purpose, privacy_url } = account;
  const [texts, setTexts] = useState<AccountChange>({ display_name, purpose, privacy_url });
  const field = (name: keyof AccountChange) => ({
    value: texts[name] ?? '',
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setTexts({ ...texts, [name]: value === '' && name !== 'display_name' ? null : value }),
  });
  const save = () =>
    run(
      () => api.send('POST', `/accounts/${account.account_id}`, texts),
      () => {
        changed();
        say('Saved: people read it from their next challenge on.');
      },
    );
  return (
    <Form needs="administrator" submitLabel="Save" busy={busy} onSubmit={save}>
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        <TextInput label="Name shown to people" required {...field('display_name')} />
        <TextInput label="Purpose" {...field('purpose')} />
        <TextInput label="Privacy notice" type="url" {...field('privacy_url')} />
      </SimpleGrid>
    </Form>
  );
}
