// What is sealed under keys of the service's own, for its login and its console; and the people whom a login knows.
import { sql } from 'kysely';
import { hashSecret } from '../../src/base/secrets.ts';
import { composeOpenid } from '../../src/composition/console.ts';
import { composeOidcAdministration } from '../../src/composition/oidc/administration.ts';
import { CONSOLE_HOLDER } from '../../src/console/holder.ts';
import { createTickets } from '../../src/console/openid/ticket.ts';
import { createAdapter } from '../../src/oidc/adapter.ts';
import { PROVIDER_HOLDER } from '../../src/oidc/holder.ts';
import { createLogins } from '../../src/oidc/logins.ts';
import type { OidcClient } from '../../src/oidc/tables/clients.ts';
import { createLoginStore, createRecordStore } from '../../src/oidc/tables/records.ts';
import type { Rig } from '../challenge/challenge-rig.ts';
import { addFeatid } from './account-rows.ts';
import { inColumn, type Rows } from './sealed.ts';

const PERSON = { source: 'login_hint', name: 'ada@example.com' } as const;

/** A client of the login, of the caller's account. */
export async function addClient({ foundation, caller }: Rig): Promise<OidcClient> {
  const { clients } = await composeOidcAdministration(foundation);
  const account = (await foundation.accounts.find(caller.accountId))!;
  const request = { name: `client ${Math.random()}`, redirectUris: ['https://rp.example/callback'] };
  const added = await clients.add(account, request, 'test');
  if (added.status !== 'added') throw new Error(JSON.stringify(added));
  return added.client;
}

export const SERVICE_ROWS: Rows = {
  'oidc-record': {
    seal: async ({ foundation, database: { db }, parts: { custody } }) => {
      const { clients } = await composeOidcAdministration(foundation);
      const adapter = createAdapter({ store: createRecordStore(db), custody, clients })('Session');
      await adapter.upsert('an id', { uid: 'a uid', accountId: 'somebody' }, 600);
      const hash = hashSecret('an id');
      const isRow = sql`model = 'Session' and id_hash = ${hash}`;
      const column = await inColumn(db, ['oidc_record', 'sealed_payload'], isRow, () =>
        adapter.find('an id'),
      );
      return { ...column, holder: PROVIDER_HOLDER, place: `Session ${hash.toString('base64url')}` };
    },
  },
  'oidc-login': {
    seal: async (rig) => {
      const { db } = rig.database;
      const client = await addClient(rig);
      const logins = createLogins({ ...rig.parts, store: createLoginStore(db) });
      const requirements = { acr: [] } as never;
      const asked = { person: PERSON, subjectId: null, isAuthentic: true, requirements };
      await logins.begin('a uid', { clientId: client.id, ...asked }, 600);
      const hash = hashSecret('a uid');
      const isRow = sql`interaction_hash = ${hash}`;
      const column = await inColumn(db, ['oidc_login', 'sealed_login'], isRow, () => logins.find('a uid'));
      return { ...column, holder: PROVIDER_HOLDER, place: hash.toString('base64url') };
    },
  },
  'oidc-signing-key': {
    seal: async ({ foundation, database: { db } }) => {
      const { keys } = await composeOidcAdministration(foundation);
      const id = await keys.rotate({ discard: true }, 'test');
      const isRow = sql`id = ${id}`;
      const column = await inColumn(db, ['oidc_signing_key', 'sealed_key'], isRow, () => keys.list());
      return { ...column, holder: PROVIDER_HOLDER, place: id };
    },
  },
  'oidc-subject-featid': {
    seal: async (rig) => {
      const { db } = rig.database;
      const { subjects } = await composeOidcAdministration(rig.foundation);
      const [client, { id: featidId, featid }] = [await addClient(rig), await addFeatid(rig)];
      const person = { client, person: PERSON, featid, featidId, isEnrolledHere: true };
      await subjects.add({ ...person, actor: 'test' });
      const { id } = (await subjects.findByName(client, PERSON))!;
      const { rows } = await sql<{ key: Buffer }>`select key from erasure_key where id = ${id}`.execute(db);
      const holder = { accountId: rig.caller.accountId, erasureKey: rows[0]!.key };
      const find = () => subjects.find(client.id, id);
      const column = await inColumn(db, ['oidc_subject', 'sealed_featid'], sql`id = ${id}`, find);
      return { ...column, holder, place: id };
    },
  },
  'console-openid-client-secret': {
    seal: async ({ foundation, database: { db } }) => {
      const configuration = await composeOpenid(foundation);
      await configuration.set({ name: 'Company SSO' } as never, 'a secret', 'test');
      const { id } = (await configuration.read())!;
      const read = () => configuration.clientSecret(id);
      const column = await inColumn(db, ['console_openid', 'sealed_client_secret'], sql`id = ${id}`, read);
      return { ...column, holder: CONSOLE_HOLDER, place: id };
    },
  },
  'console-openid-ticket': {
    seal: async ({ foundation: { clock }, parts: { custody } }) => {
      const tickets = createTickets(custody, clock);
      const text = await tickets.issue({ openidId: 'opn_1', state: 's', nonce: 'n', verifier: 'v' });
      const open = async (bytes: Uint8Array) => tickets.open(Buffer.from(bytes).toString('base64url'));
      const place = 'console-openid-ticket';
      return { bytes: Buffer.from(text, 'base64url'), holder: CONSOLE_HOLDER, place, open };
    },
  },
};
