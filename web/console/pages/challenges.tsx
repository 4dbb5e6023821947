// Challenges of all accounts: with search and filters, refreshed every few seconds.
import { useState } from 'preact/hooks';
import type { ConsoleChallenge, Page } from '../../../src/contract/console.ts';
import { CHALLENGE_STATUSES } from '../../../src/contract/states.ts';
import type { Api } from '../parts/api.ts';
import { Badge, Choice, PagedTable, Time } from '../parts/shown.tsx';
import { REFRESH_MS } from '../parts/use.ts';

export function ChallengesPage({ api }: { api: Api }) {
  const [text, setText] = useState('');
  const [status, setStatus] = useState('');
  const [result, setResult] = useState('');
  const filters = Object.fromEntries(
    Object.entries({ text: text.trim(), status, result }).filter(([, value]) => value !== ''),
  );
  const key = JSON.stringify(filters);
  return (
    <>
      <h1>Challenges</h1>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <label>
          Search
          <input
            type="search"
            placeholder="ID, exact reference or account"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <Choice label="Status" options={CHALLENGE_STATUSES} value={status} onChange={setStatus} />
        <Choice label="Result" options={['pass', 'fail']} value={result} onChange={setResult} />
      </form>
      <PagedTable<ConsoleChallenge>
        key={key}
        caption="Challenges, newest first"
        listKey={key}
        refreshMs={REFRESH_MS}
        read={(cursor, reading) =>
          api.get<Page<ConsoleChallenge>>('/challenges', reading, {
            ...filters,
            ...(cursor ? { cursor } : {}),
          })
        }
        head={['Challenge', 'Account', 'Reference', 'Mode', 'Status', 'Result', 'Created']}
        empty="No matching challenges."
        row={(challenge) => (
          <tr key={challenge.challenge_id}>
            <td>
              <a href={`#/challenges/${challenge.challenge_id}`}>
                <code>{challenge.challenge_id}</code>
              </a>
            </td>
            <td>{challenge.account_name}</td>
            <td>{challenge.customer_reference ?? <span class="soft">–</span>}</td>
            <td>
              {challenge.liveness_only ? 'liveness' : 'comparison'}
              {challenge.sandbox && <span class="badge plain">sandbox</span>}
            </td>
            <td>
              <Badge word={challenge.status} />
            </td>
            <td>
              <Badge word={challenge.overall_result} />
            </td>
            <td>
              <Time at={challenge.created_at} />
            </td>
          </tr>
        )}
      />
    </>
  );
}
