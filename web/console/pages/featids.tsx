// What is kept of one person, found by the customer reference that an account gave to their challenges, and its erasure:
// of everything, or of FeatureIDs alone.
import { Paper, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ConsoleFeatid, ConsoleReference } from '../../../src/contract/console.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { ConsoleProblem } from '../parts/api.ts';
import { ChallengeLink } from '../parts/challenge-link.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { EraseEverything } from '../parts/erase-everything.tsx';
import { Form } from '../parts/form.tsx';
import { Outcome } from '../parts/outcome.tsx';
import { PageHead, RoleNote, Section } from '../parts/page.tsx';
import { useApi } from '../parts/signed-in.ts';
import { Time } from '../parts/time.tsx';
import { say, useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { WhenLoaded } from '../parts/when-loaded.tsx';

export function FeatidsPage() {
  const [text, setText] = useState('');
  // Searched only when asked: the audit log records each search.
  const [reference, setReference] = useState('');
  return (
    <>
      <PageHead
        title="FeatureIDs"
        about="What is kept of one person, and how to erase it: everything, or what recognises them again. Every search is written to the audit log."
      />
      <RoleNote needs="operator" what="Searching" />
      <RoleNote needs="administrator" what="Erasing" />
      <Paper>
        <Form needs="operator" submitLabel="Find" busy={false} onSubmit={() => setReference(text)}>
          <TextInput
            label="Customer reference"
            description="As a whole, as the account wrote it"
            required
            maxLength={256}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </Form>
      </Paper>
      {reference && <Found key={reference} reference={reference} />}
    </>
  );
}

/** Somebody else has erased it meanwhile. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ConsoleProblem && error.status === 404)) throw error;
}

function Found({ reference }: { reference: string }) {
  const api = useApi();
  const { busy, run } = useAction();
  const found = useLoaded(
    (reading) => api.get<ConsoleReference>('/featids', reading, { customer_reference: reference }),
    reference,
  );
  const erase = (featids: readonly ConsoleFeatid[]) =>
    run(
      async () => {
        try {
          for (const { account_id, featid_id } of featids) {
            await api.send('DELETE', `/featids/${account_id}/${featid_id}`).catch(unlessGone);
          }
        } finally {
          found.reload();
        }
      },
      () => say('Erased: nobody is recognised by it any more.'),
    );
  return (
    <WhenLoaded from={found}>
      {({ data, accounts }) => (
        <>
          <EraseEverything reference={reference} accounts={accounts} changed={found.reload} />
          <Featids reference={reference} featids={data} busy={busy} erase={erase} />
        </>
      )}
    </WhenLoaded>
  );
}

interface FeatidsProps {
  readonly reference: string;
  readonly featids: readonly ConsoleFeatid[];
  readonly busy: boolean;
  readonly erase: (featids: readonly ConsoleFeatid[]) => void;
}

function Featids({ reference, featids, busy, erase }: FeatidsProps) {
  const kept = featids.filter(({ revoked_at }) => revoked_at === null);
  const button = { needs: 'administrator', disabled: busy } as const;
  return (
    <Section
      title={`FeatureIDs of “${reference}”`}
      aside={
        kept.length > 1 && (
          <ActionButton
            {...button}
            label={`Erase all ${kept.length}`}
            confirm={`Yes, erase all ${kept.length} for good`}
            press={() => erase(kept)}
          />
        )
      }
    >
      <DataTable
        name="FeatureIDs"
        rows={featids}
        idOf={({ featid_id }) => featid_id}
        empty="No challenge of this reference that is still kept has made a FeatureID. Check its spelling: it must be typed as a whole. A FeatureID outlives its challenge: then only its own string finds it (POST /v1/featids/revoke)."
        columns={[
          {
            title: 'Erase',
            cell: (featid) =>
              featid.revoked_at ? (
                <Outcome word="erased" />
              ) : (
                <ActionButton
                  {...button}
                  label="Erase"
                  confirm="Yes, erase for good"
                  press={() => erase([featid])}
                />
              ),
          },
          { title: 'Account', cell: ({ account_name }) => account_name },
          {
            title: 'Challenge',
            cell: ({ challenge_id }) => <ChallengeLink id={challenge_id} />,
          },
          { title: 'Made', cell: ({ created_at }) => <Time at={created_at} /> },
          { title: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} /> },
          { title: 'Erased', cell: ({ revoked_at }) => <Time at={revoked_at} /> },
        ]}
      />
    </Section>
  );
}
