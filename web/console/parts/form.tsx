// A form with its button; whoever may not send it can read it.
import { Button, Fieldset, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import type { ConsoleRole } from '../../../src/contract/console.ts';
import { useRefusal } from './signed-in.ts';

interface FormProps {
  readonly needs: ConsoleRole;
  readonly submitLabel: string;
  readonly busy: boolean;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

export function Form({ needs, submitLabel, busy, onSubmit, children }: FormProps) {
  const refusal = useRefusal(needs);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <Fieldset variant="unstyled" m={0} disabled={refusal !== null}>
        <Stack gap="sm" align="stretch">
          {children}
          <div>
            <Button type="submit" variant="filled" loading={busy} title={refusal ?? undefined}>
              {submitLabel}
            </Button>
          </div>
        </Stack>
      </Fieldset>
    </form>
  );
}
