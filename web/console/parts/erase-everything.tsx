// A person's erasure, as the law may oblige: every challenge with the customer reference, and the FeatureIDs they made.
import { Text } from '@mantine/core';
import { useState } from 'react';
import type { ConsoleReference, ErasedOfReference } from '../../../src/contract/console.ts';
import { ActionButton } from './action-button.tsx';
import { DataTable } from './data-table.tsx';
import { Section } from './page.tsx';
import { useApi } from './signed-in.ts';
import { say, useAction } from './use-action.ts';
import { countText } from './words.ts';

interface EraseEverythingProps {
  readonly reference: string;
  readonly accounts: ConsoleReference['accounts'];
  /** Something may have been erased. */
  readonly changed: () => void;
}

export function EraseEverything({ reference, accounts, changed }: EraseEverythingProps) {
  const { busy, progress, erase } = useErasure(reference, changed);
  if (accounts.length === 0) return null;
  return (
    <Section
      title={`Challenges of “${reference}”`}
      about="Open and closed. They are erased with their videos, results and deliveries, and with the FeatureIDs that they made. FeatureIDs whose challenge is no longer kept are not found by a reference."
    >
      <DataTable
        name="Challenges"
        rows={accounts}
        idOf={({ account_id }) => account_id}
        empty=""
        columns={[
          {
            title: 'Erase',
            cell: ({ account_id, challenges }) => (
              <ActionButton
                label="Erase everything"
                confirm={`Yes, erase ${challenges === 1 ? '1 challenge' : `all ${countText(challenges)} challenges`} for good`}
                needs="administrator"
                disabled={busy}
                press={() => erase(account_id)}
              />
            ),
          },
          { title: 'Account', cell: ({ account_name }) => account_name },
          { title: 'Challenges', cell: ({ challenges }) => countText(challenges) },
        ]}
      />
      <Text role="status">
        {progress}
        {progress && !busy && ' Erase everything again to go on.'}
      </Text>
    </Section>
  );
}

/** Erases in steps, and says how far it is. What breaks off goes on when it is begun again. */
function useErasure(reference: string, changed: () => void) {
  const api = useApi();
  const { busy, run } = useAction();
  const [progress, setProgress] = useState<string | null>(null);
  const eraseAll = async (accountId: string): Promise<void> => {
    const body = { customer_reference: reference };
    for (let erased = 0; ; ) {
      const step = await api.send<ErasedOfReference>('POST', `/accounts/${accountId}/erasures`, body);
      erased += step.erased;
      if (step.left === 0) {
        setProgress(null);
        return say(`Erased: ${countText(erased)}.`);
      }
      setProgress(`${countText(erased)} of ${countText(erased + step.left)} erased.`);
      // Somebody else erases them, too.
      if (step.erased === 0) return;
    }
  };
  const erase = (accountId: string) =>
    run(
      () => eraseAll(accountId).finally(changed),
      () => {},
      'Not everything is erased',
    );
  return { busy, progress, erase };
}
