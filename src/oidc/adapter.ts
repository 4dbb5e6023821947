// The library's adapter to our database. Ids are secrets (codes, tokens, cookies), so only their hashes are stored.
// Their data is sealed under the provider's key.
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { hashSecret } from '../base/secrets.ts';
import type { Custody } from '../keys/account-keys.ts';
import type { Clients } from './clients.ts';
import { PROVIDER_HOLDER } from './holder.ts';
import { libraryClient } from './library-client.ts';
import type { OidcRecord, RecordStore } from './tables/records.ts';

const PURPOSE = 'oidc-record';
/** The library's model of used client assertions. */
const REPLAY_DETECTION = 'ReplayDetection';
const PUSHED_REQUEST = 'PushedAuthorizationRequest';

export interface AdapterParts {
  readonly store: RecordStore;
  readonly custody: Custody;
  readonly clients: Pick<Clients, 'find'>;
}

/** The adapter factory that the library calls for each of its models. */
export function createAdapter(parts: AdapterParts): (model: string) => Adapter {
  return (model) => (model === 'Client' ? clientAdapter(parts) : recordAdapter(parts, model));
}

function recordAdapter({ store, custody }: AdapterParts, model: string): Adapter {
  const placeOf = (idHash: Buffer) => `${model} ${idHash.toString('base64url')}`;
  const open = async (record: OidcRecord | null): Promise<AdapterPayload | undefined> => {
    if (!record) return undefined;
    const { idHash, sealedPayload, consumedAt } = record;
    const bytes = await custody.open(PROVIDER_HOLDER, PURPOSE, sealedPayload, placeOf(idHash));
    const payload: AdapterPayload = JSON.parse(bytes.toString('utf8'));
    return consumedAt ? { ...payload, consumed: Math.floor(consumedAt.getTime() / 1000) } : payload;
  };
  // A pushed request is used once (RFC 9126, 4). The library would only mark it at the end of its login.
  const find = model === PUSHED_REQUEST ? store.take : store.find;
  return {
    upsert: async (id, payload, expiresIn = 0) => {
      const idHash = hashSecret(id);
      const { uid, grantId, clientId } = payload;
      const record = {
        model,
        idHash,
        clientId: clientId ?? null,
        sealedPayload: await custody.seal(
          PROVIDER_HOLDER,
          PURPOSE,
          Buffer.from(JSON.stringify(payload)),
          placeOf(idHash),
        ),
        uidHash: uid ? hashSecret(uid) : null,
        grantHash: grantId ? hashSecret(grantId) : null,
      };
      if (model !== REPLAY_DETECTION) return store.upsert(record, expiresIn);
      // The library has checked that it is new, but of two concurrent uses of an assertion one must be refused here.
      if (!(await store.insert(record, expiresIn))) throw new errors.InvalidClientAuth('already used');
    },
    find: async (id) => open(await find(model, hashSecret(id))),
    findByUid: async (uid) => open(await store.findByUid(model, hashSecret(uid))),
    // The device flow (devices without a browser) is not supported.
    findByUserCode: async () => undefined,
    consume: async (id) => {
      if (model === PUSHED_REQUEST) return;
      // The library has checked that it is unused, but of two concurrent requests one must be refused here.
      if (!(await store.consume(model, hashSecret(id)))) throw new errors.InvalidGrant('already used');
    },
    destroy: (id) => store.destroy(model, hashSecret(id)),
    revokeByGrantId: (grantId) => store.revokeGrant(hashSecret(grantId)),
  };
}

/** Operators register clients; the library only reads them. */
function clientAdapter({ clients }: AdapterParts): Adapter {
  const refuse = async () => {
    throw new Error('clients are registered by the operator');
  };
  return {
    upsert: refuse,
    find: async (id) => {
      const client = await clients.find(id);
      return client ? libraryClient(client) : undefined;
    },
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    consume: refuse,
    destroy: refuse,
    revokeByGrantId: refuse,
  };
}
