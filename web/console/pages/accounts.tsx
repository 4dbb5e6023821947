// Accounts: what people read about them, their API keys, their webhook secret.
import { useState } from 'preact/hooks';
import type { AccountChange, ConsoleAccount, ConsoleKey, ShownOnce } from '../../../src/contract/console.ts';
import type { Api } from '../parts/api.ts';
import { ConfirmButton, Head, Refusal, Scroller, Time, WhenLoaded } from '../parts/shown.tsx';
import { useActions, useLoaded } from '../parts/use.ts';

/** Long enough to put the new secret into every receiver. */
const OVERLAP_HOURS = 24;

export function AccountsPage({ api }: { api: Api }) {
  const accounts = useLoaded(
    (reading) => api.get<{ data: ConsoleAccount[] }>('/accounts', reading),
    'accounts',
  );
  return (
    <>
      <h1>Accounts</h1>
      <p class="soft">
        To create one: <code>likeness accounts create NAME</code>
      </p>
      <WhenLoaded from={accounts}>
        {({ data }) =>
          data.map((account) => (
            <Account key={account.account_id} api={api} account={account} changed={accounts.reload} />
          ))
        }
      </WhenLoaded>
    </>
  );
}

function Account({ api, account, changed }: { api: Api; account: ConsoleAccount; changed: () => void }) {
  const { answer: shown, error, run } = useActions<ShownOnce>(changed);
  const path = `/accounts/${account.account_id}`;

  return (
    <section>
      <h2>{account.name}</h2>
      <Face account={account} save={(change) => run(api.send('POST', path, change))} />
      <h3>API keys</h3>
      <Keys keys={account.keys} revoke={(id) => run(api.send('DELETE', `${path}/keys/${id}`))} />
      <p class="pager">
        {!account.sandbox && (
          <button type="button" onClick={() => run(api.send('POST', `${path}/keys`, { sandbox: false }))}>
            New live key
          </button>
        )}
        <button type="button" onClick={() => run(api.send('POST', `${path}/keys`, { sandbox: true }))}>
          New sandbox key
        </button>
        <ConfirmButton
          label="Rotate webhook secret"
          confirmLabel={`Yes, rotate: the old secret expires in ${OVERLAP_HOURS} hours`}
          press={() => run(api.send('POST', `${path}/webhook-secret`, { overlap_hours: OVERLAP_HOURS }))}
        />
      </p>
      <output>{shown && <Secret shown={shown} />}</output>
      <Refusal text={error} />
    </section>
  );
}

function Secret({ shown: { secret, webhook_secret } }: { shown: ShownOnce }) {
  return (
    <p class="secret">
      Shown once; save it now: <code>{secret}</code>
      {secret.startsWith('whsec_') &&
        ` For ${OVERLAP_HOURS} hours, webhooks are signed with the old secret as well.`}
      {webhook_secret && (
        <>
          {' '}
          Sandbox webhooks are signed with <code>{webhook_secret}</code>
        </>
      )}
    </p>
  );
}

/** What the privacy screen says about the account. */
function Face({ account, save }: { account: ConsoleAccount; save: (change: AccountChange) => void }) {
  const [change, setChange] = useState<AccountChange>({
    display_name: account.display_name,
    purpose: account.purpose,
    privacy_url: account.privacy_url,
  });
  const field = (name: keyof AccountChange, title: string, type: string) => (
    <label>
      {title}
      <input
        type={type}
        required={name === 'display_name'}
        value={change[name] ?? ''}
        onInput={(event) => {
          const { value } = event.currentTarget;
          setChange({ ...change, [name]: value === '' && name !== 'display_name' ? null : value });
        }}
      />
    </label>
  );
  const submit = (event: Event) => {
    event.preventDefault();
    save(change);
  };
  return (
    <form class="filters" onSubmit={submit}>
      {field('display_name', 'Name shown to people', 'text')}
      {field('purpose', 'Purpose', 'text')}
      {field('privacy_url', 'Privacy notice', 'url')}
      <button type="submit">Save</button>
    </form>
  );
}

function Keys({ keys, revoke }: { keys: readonly ConsoleKey[]; revoke: (id: string) => void }) {
  return (
    <Scroller name="API keys">
      <table>
        <Head titles={['Key', 'Kind', 'Created', 'Last used', 'Ends', 'Revoke']} />
        <tbody>
          {keys.map((key) => (
            <tr key={key.key_id}>
              <td>
                <code>{key.hint}</code>
              </td>
              <td>{key.sandbox ? 'sandbox' : 'live'}</td>
              <td>
                <Time at={key.created_at} />
              </td>
              <td>
                <Time at={key.last_used_at} />
              </td>
              <td>
                <Time at={key.revoked_at ?? key.expires_at} />
              </td>
              <td>
                {key.revoked_at ? (
                  'revoked'
                ) : (
                  <ConfirmButton
                    label="Revoke"
                    confirmLabel="Yes, revoke"
                    press={() => revoke(key.key_id)}
                    quiet
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}
