// Clients of the OpenID Provider: who may send people here to be checked, and for whom.
import { useState } from 'preact/hooks';
import type { Api } from '../../../web/console/parts/api.ts';
import {
  ConfirmButton,
  Head,
  Refusal,
  Scroller,
  Time,
  WhenLoaded,
} from '../../../web/console/parts/shown.tsx';
import { useActions, useLoaded } from '../../../web/console/parts/use.ts';
import type { ConsoleAccount } from '../../contract/console.ts';
import type { DeviceBinding } from '../../contract/device.ts';
import { MAX_SESSION_SECONDS, MAX_TEXT_CHARS } from '../client-limits.ts';
import type { ConsoleLoginClient, CreatedLoginClient, NewLoginClient } from '../console/messages.ts';
import { ChangeLoginTexts, LoginTextFields, NO_TEXTS } from './login-texts.tsx';

interface Shown {
  readonly accounts: readonly ConsoleAccount[];
  readonly clients: readonly ConsoleLoginClient[];
}

export function LoginsPage({ api }: { api: Api }) {
  const loaded = useLoaded<Shown>(async (reading) => {
    const [accounts, clients] = await Promise.all([
      api.get<{ data: ConsoleAccount[] }>('/accounts', reading),
      api.get<{ data: ConsoleLoginClient[] }>('/logins', reading),
    ]);
    return { accounts: accounts.data, clients: clients.data };
  }, 'logins');
  const { answer: made, error, run } = useActions<CreatedLoginClient>(loaded.reload);

  return (
    <>
      <h1>Logins</h1>
      <p class="soft">
        Clients that send people here through OpenID Connect. Provider metadata:{' '}
        <code>/oidc/.well-known/openid-configuration</code>. To register a client with its own keys, or Entra,
        use <code>likeness oidc clients add</code>.
      </p>
      <output>{made && <Made made={made} />}</output>
      <Refusal text={error} />
      <WhenLoaded from={loaded}>
        {({ accounts, clients }) => (
          <>
            <Clients clients={clients} api={api} run={run} />
            <h2>New client</h2>
            <NewClient
              accounts={accounts}
              add={(request) => run(api.send<CreatedLoginClient>('POST', '/logins', request))}
            />
          </>
        )}
      </WhenLoaded>
    </>
  );
}

function Made({ made: { client_id, client_secret } }: { made: CreatedLoginClient }) {
  return (
    <p class="secret">
      Client <code>{client_id}</code>
      {client_secret && (
        <>
          {' '}
          Shown once; save it now: <code>{client_secret}</code>
        </>
      )}
    </p>
  );
}

interface ClientsProps {
  readonly clients: readonly ConsoleLoginClient[];
  readonly api: Api;
  readonly run: (work: Promise<CreatedLoginClient | undefined>) => void;
}

function Clients({ clients, api, run }: ClientsProps) {
  if (clients.length === 0) return <p>There are no clients yet.</p>;
  return (
    <Scroller name="Clients">
      <table>
        <Head
          titles={[
            'Client',
            'Account',
            'Redirect URIs',
            'Texts',
            'Enrols',
            'Device',
            'People',
            'Created',
            'Change',
          ]}
        />
        <tbody>
          {clients.map((client) => (
            <tr key={client.client_id}>
              <td>
                {client.name}
                <br />
                <code>{client.client_id}</code>
              </td>
              <td>{client.account_name}</td>
              <td>
                {client.redirect_uris.map((uri) => (
                  <div key={uri}>{uri}</div>
                ))}
              </td>
              <td>
                <Words client={client} />
                <ChangeLoginTexts
                  texts={client}
                  save={(texts) => run(api.send('PUT', `/logins/${client.client_id}/texts`, texts))}
                />
              </td>
              <td>{client.enrols ? 'yes' : 'no'}</td>
              <td>{DEVICE_TEXTS[client.device_binding]}</td>
              <td>{client.people}</td>
              <td>
                <Time at={client.created_at} />
              </td>
              <td>
                {client.auth_method.startsWith('client_secret') && (
                  <ConfirmButton
                    label="New secret"
                    confirmLabel="Yes, replace: the old secret stops working at once"
                    press={() => run(api.send('POST', `/logins/${client.client_id}/secret`))}
                    quiet
                  />
                )}
                <ConfirmButton
                  label="Remove"
                  confirmLabel={`Yes, remove it and everyone it knows (${client.people})`}
                  press={() => run(api.send('DELETE', `/logins/${client.client_id}`))}
                  quiet
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}

/** What is asked of the person's device. */
const DEVICE_TEXTS: Record<DeviceBinding, string> = {
  off: 'not asked',
  offer: 'asked for a passkey',
  require: 'must have a passkey',
};

/** What the privacy screen says instead of the account's words, or in addition to them. */
function Words({ client }: { client: ConsoleLoginClient }) {
  const { display_name, purpose, consent_text } = client;
  if ([display_name, purpose, consent_text].every((own) => own === null)) return <>same as the account</>;
  return (
    <>
      {display_name && <div>{display_name}</div>}
      {purpose && <div>{purpose}</div>}
      {consent_text && (
        <details>
          <summary>added consent text</summary>
          <p class="own-words">{consent_text}</p>
        </details>
      )}
    </>
  );
}

const EMPTY = {
  name: '',
  redirect_uris: '',
  auth_method: 'client_secret_basic',
  enrol: false,
  device_binding: 'off',
  require_par: false,
  session_seconds: 0,
} as const;
type Filled = Record<Exclude<keyof typeof EMPTY, 'enrol' | 'require_par' | 'session_seconds'>, string> & {
  enrol: boolean;
  require_par: boolean;
  session_seconds: number;
};

function NewClient(props: { accounts: readonly ConsoleAccount[]; add: (request: NewLoginClient) => void }) {
  const { accounts, add } = props;
  const [account, setAccount] = useState(accounts[0]?.account_id ?? '');
  const [filled, setFilled] = useState<Filled>(EMPTY);
  const [texts, setTexts] = useState(NO_TEXTS);
  const tick = (name: 'enrol' | 'require_par', title: string) => (
    <label class="tick">
      <input
        type="checkbox"
        checked={filled[name]}
        onChange={(event) => setFilled({ ...filled, [name]: event.currentTarget.checked })}
      />
      {title}
    </label>
  );
  const submit = (event: Event) => {
    event.preventDefault();
    const { name, auth_method, enrol, device_binding, require_par, session_seconds } = filled;
    add({
      account_id: account,
      name,
      enrol,
      device_binding: device_binding as DeviceBinding,
      require_par,
      session_seconds,
      auth_method: auth_method as NewLoginClient['auth_method'],
      redirect_uris: filled.redirect_uris.split(/\s+/).filter(Boolean),
      ...texts,
    });
  };
  return (
    <form class="filters" onSubmit={submit}>
      <label>
        Account
        <select value={account} onChange={(event) => setAccount(event.currentTarget.value)}>
          {accounts.map(({ account_id, name }) => (
            <option key={account_id} value={account_id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Name for operators
        <input
          required
          maxLength={MAX_TEXT_CHARS}
          value={filled.name}
          onInput={(event) => setFilled({ ...filled, name: event.currentTarget.value })}
        />
      </label>
      <label>
        Redirect URIs, one per line
        <textarea
          required
          rows={2}
          value={filled.redirect_uris}
          onInput={(event) => setFilled({ ...filled, redirect_uris: event.currentTarget.value })}
        />
      </label>
      <label>
        Client authentication
        <select
          value={filled.auth_method}
          onChange={(event) => setFilled({ ...filled, auth_method: event.currentTarget.value })}
        >
          <option value="client_secret_basic">secret in the header</option>
          <option value="client_secret_post">secret in the form</option>
          <option value="none">none (public client, an app)</option>
        </select>
      </label>
      <LoginTextFields texts={texts} change={setTexts} />
      <label>
        Validity of a check, in seconds
        <input
          type="number"
          min={0}
          max={MAX_SESSION_SECONDS}
          value={filled.session_seconds}
          onInput={(event) =>
            setFilled({ ...filled, session_seconds: event.currentTarget.valueAsNumber || 0 })
          }
        />
      </label>
      <label>
        The person's device
        <select
          value={filled.device_binding}
          onChange={(event) => setFilled({ ...filled, device_binding: event.currentTarget.value })}
        >
          {Object.entries(DEVICE_TEXTS).map(([binding, text]) => (
            <option key={binding} value={binding}>
              {text}
            </option>
          ))}
        </select>
      </label>
      {tick('enrol', 'Enrols people on their first login')}
      {tick('require_par', 'Requires pushed authorization requests (PAR)')}
      <button type="submit">Register</button>
    </form>
  );
}
