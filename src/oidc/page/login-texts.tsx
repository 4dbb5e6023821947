// What people read about a client of the OpenID Provider: the fields of its form, and the form that changes it.
import { Accordion, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Form } from '../../../web/console/parts/form.tsx';
import { MAX_CONSENT_CHARS, MAX_TEXT_CHARS, MAX_URL_CHARS } from '../client-limits.ts';
import type { LoginTexts } from '../console/messages.ts';

/** Only the account's own words. */
export const NO_TEXTS: LoginTexts = {
  display_name: null,
  purpose: null,
  consent_text: null,
  privacy_url: null,
};

/** Fields of a form; an empty one is null. */
export function LoginTextFields(props: { texts: LoginTexts; change: (texts: LoginTexts) => void }) {
  const { texts, change } = props;
  const field = (name: keyof LoginTexts, label: string, maxLength: number) => ({
    label,
    maxLength,
    value: texts[name] ?? '',
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      change({ ...texts, [name]: value || null }),
  });
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, md: 3 }}>
        <TextInput {...field('display_name', 'Name shown to people', MAX_TEXT_CHARS)} />
        <TextInput {...field('purpose', 'Purpose shown to people', MAX_TEXT_CHARS)} />
        <TextInput {...field('privacy_url', 'Privacy notice', MAX_URL_CHARS)} />
      </SimpleGrid>
      <Textarea rows={3} {...field('consent_text', 'Addition to the consent text', MAX_CONSENT_CHARS)} />
    </Stack>
  );
}

/** A form inside a disclosure, filled with the current texts. `save` receives all of them. */
export function ChangeLoginTexts(props: {
  texts: LoginTexts;
  busy: boolean;
  save: (texts: LoginTexts) => void;
}) {
  const { display_name, purpose, consent_text, privacy_url } = props.texts;
  const [texts, setTexts] = useState<LoginTexts>({ display_name, purpose, consent_text, privacy_url });
  return (
    <Accordion>
      <Accordion.Item value="texts">
        <Accordion.Control>Change what people read</Accordion.Control>
        <Accordion.Panel>
          <Form
            needs="administrator"
            submitLabel="Save (applies from the next check)"
            busy={props.busy}
            onSubmit={() => props.save(texts)}
          >
            <LoginTextFields texts={texts} change={setTexts} />
          </Form>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
