// Challenges of all accounts: with search and filters, refreshed every few seconds.
import { Badge, Code, Group, Paper, Stack } from '@mantine/core';
import { useState } from 'react';
import type { ConsoleChallenge, Page } from '../../../src/contract/console.ts';
import { CHALLENGE_STATUSES } from '../../../src/contract/states.ts';
import { ChallengeLink } from '../parts/challenge-link.tsx';
import { Choice } from '../parts/choice.tsx';
import type { Column } from '../parts/data-table.tsx';
import { Outcome } from '../parts/outcome.tsx';
import { PageHead } from '../parts/page.tsx';
import { PagedTable } from '../parts/paged-table.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { useApi } from '../parts/signed-in.ts';
import { Time } from '../parts/time.tsx';
import { useFilters } from '../parts/use-address.ts';
import { REFRESH_MS } from '../parts/use-loaded.ts';

const COLUMNS: readonly Column<ConsoleChallenge>[] = [
  {
    title: 'Challenge',
    cell: ({ challenge_id }) => <ChallengeLink id={challenge_id} />,
  },
  { title: 'Status', cell: ({ status }) => <Outcome word={status} /> },
  { title: 'Result', cell: ({ overall_result }) => <Outcome word={overall_result} /> },
  { title: 'Reference', cell: ({ customer_reference }) => customer_reference ?? '–' },
  { title: 'Account', cell: ({ account_name }) => account_name },
  {
    title: 'Mode',
    cell: ({ liveness_only, sandbox }) => (
      <Group gap={6}>
        {liveness_only ? 'liveness' : 'comparison'}
        {sandbox && <Badge color="grape">sandbox</Badge>}
      </Group>
    ),
  },
  { title: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
];

export function ChallengesPage() {
  const api = useApi();
  const [filters, set] = useFilters(['status', 'result']);
  // Not in the address: it may be about a person, and browsers remember addresses.
  const [text, setText] = useState('');
  const search = { ...filters, ...(text && { text }) };
  const key = JSON.stringify(search);
  const isSearch = Object.keys(search).length > 0;
  return (
    <>
      <PageHead title="Challenges" about="Of all accounts, the newest first." />
      <Paper>
        <Stack>
          <Group align="flex-end">
            <SearchField placeholder="ID, exact reference or account" onSearch={setText} />
            <Choice
              label="Status"
              options={CHALLENGE_STATUSES}
              value={filters.status}
              onChange={(value) => set('status', value)}
            />
            <Choice
              label="Result"
              options={['pass', 'fail']}
              value={filters.result}
              onChange={(value) => set('result', value)}
            />
          </Group>
          <PagedTable
            key={key}
            name="Challenges"
            listKey={key}
            refreshMs={REFRESH_MS}
            read={(cursor, reading) =>
              api.get<Page<ConsoleChallenge>>('/challenges', reading, {
                ...search,
                ...(cursor && { cursor }),
              })
            }
            columns={COLUMNS}
            idOf={({ challenge_id }) => challenge_id}
            empty={
              isSearch ? (
                'No matching challenges. A reference must be typed as a whole.'
              ) : (
                <>
                  No challenges yet. Create one with <Code>POST /v1/create-challenge</Code>, and its link
                  shows here.
                </>
              )
            }
          />
        </Stack>
      </Paper>
    </>
  );
}
