// Forgetting a person at one client, as the law may oblige: found by the name that the client gives, or by a token's `sub`.
import { Accordion, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ActionButton } from '../../../web/console/parts/action-button.tsx';
import type { ErasureOfPerson } from '../console/messages.ts';

const NAMED_BY: readonly { readonly value: ErasureOfPerson['named_by']; readonly label: string }[] = [
  { value: 'login_hint', label: 'login_hint of the client' },
  { value: 'issuer', label: 'sub of its hint issuer' },
  { value: 'sub', label: 'sub of its tokens' },
];

/** `erase` calls `done` once the person is erased. */
export function ErasePerson(props: {
  busy: boolean;
  erase: (named: ErasureOfPerson, done: () => void) => void;
}) {
  const [named, setNamed] = useState<ErasureOfPerson>({ named_by: 'login_hint', name: '' });
  return (
    <Accordion>
      <Accordion.Item value="erasure">
        <Accordion.Control>Erase a person</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="sm">
            <NativeSelect
              label="Named by"
              value={named.named_by}
              onChange={({ currentTarget: { value } }) =>
                setNamed({ ...named, named_by: value as ErasureOfPerson['named_by'] })
              }
              data={[...NAMED_BY]}
            />
            <TextInput
              label="Name"
              description="As a whole, as the client sends it"
              value={named.name}
              onChange={({ currentTarget: { value } }) => setNamed({ ...named, name: value })}
            />
            <div>
              <ActionButton
                label="Erase"
                confirm="Yes, forget this person and every check for good"
                needs="administrator"
                disabled={props.busy || named.name === ''}
                press={() => props.erase(named, () => setNamed({ ...named, name: '' }))}
              />
            </div>
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
