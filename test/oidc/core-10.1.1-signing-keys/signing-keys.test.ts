// The provider's keys (OpenID Connect Core 10.1.1): published, rotated and discarded without a failed login.
import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMasterKeyRing } from '../../../src/keys/master-key-ring.ts';
import { rotateMaster } from '../../../src/keys/rotate-master.ts';
import { createAccountStore } from '../../../src/keys/tables/account-store.ts';
import { PROVIDER_HOLDER } from '../../../src/oidc/holder.ts';
import { createSigningKeys } from '../../../src/oidc/signing-keys.ts';
import { createSigningKeyStore } from '../../../src/oidc/tables/records.ts';
import { logIn, tokensOf } from '../support/log-in.ts';
import { createOidcRig, type OidcRig } from '../support/oidc-rig.ts';

const DAY_MS = 86_400_000;
let rig: OidcRig;
beforeAll(async () => {
  rig = await createOidcRig();
});
afterAll(() => rig?.close());

async function enrolled() {
  const { id, secret } = await rig.addClient();
  const rp = await rig.relyingParty(id, secret);
  return { id, secret, rp, tokens: await tokensOf(rp, await logIn(rig, rp)) };
}

describe('signing keys', () => {
  const jwks = async () => {
    const answer = await rig.browser().fetch(`${rig.issuer}/jwks`);
    return ((await answer.json()) as { keys: Record<string, string>[] }).keys;
  };

  it('are published without their private half', async () => {
    const keys = await jwks();
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) {
      expect(key).toMatchObject({ kty: 'RSA', use: 'sig', alg: 'RS256' });
      expect(Object.keys(key).filter((name) => ['d', 'p', 'q', 'dp', 'dq', 'qi'].includes(name))).toEqual([]);
    }
  });

  it('are replaced at once on request; a discarded key no longer verifies anything', async () => {
    const { id, secret, tokens, rp } = await enrolled();
    const before = decodeProtectedHeader(tokens.id_token!).kid;
    const kid = await rig.keys.rotate({ discard: true }, 'test');
    await rig.restart();
    expect((await jwks()).map((key) => key.kid)).toEqual([kid]);
    const fresh = await rig.relyingParty(id, secret);
    const tokensNow = await tokensOf(fresh, await logIn(rig, fresh));
    expect(decodeProtectedHeader(tokensNow.id_token!).kid).toBe(kid);
    expect(before).not.toBe(kid);
    const hint = { id_token_hint: tokens.id_token!, login_hint: '' };
    const refused = await logIn(rig, rp, { params: hint, par: false });
    expect(new URL(refused.url).searchParams.get('error')).toBe('invalid_request');
  });

  it('are rotated: published a day before they sign, kept for days afterwards, whichever process reads them', async () => {
    let nowMs = Date.now() + 400 * DAY_MS;
    const store = createSigningKeyStore(rig.db);
    await rig.db.deleteFrom('oidc_signing_key').execute();
    const clock = { now: () => new Date(nowMs) };
    const keys = createSigningKeys({ store, custody: rig.foundation.keys, clock, days: 30 });
    const list = async () => (await keys.list()).map(({ kid }) => kid);
    await Promise.all([keys.keep(), keys.keep(), keys.keep()]);
    const [first, ...none] = await list();
    expect(none).toEqual([]);
    expect(await keys.keep()).toBe(0);
    nowMs += 29.5 * DAY_MS;
    expect(await keys.keep()).toBe(1);
    const [still, second] = await list();
    expect(still).toBe(first);
    nowMs += DAY_MS;
    expect(await list()).toEqual([second, first]);
    nowMs += 9 * DAY_MS;
    expect(await keys.keep()).toBe(1);
    expect(await list()).toEqual([second]);
  });

  it('open under a new master key, as do all other secrets of the provider', async () => {
    await enrolled();
    const next = createMasterKeyRing([Buffer.alloc(32, 7)]);
    const ring = {
      ...next,
      unwrap: (id: string, wrapped: Parameters<typeof next.unwrap>[1]) =>
        wrapped.masterKeyId === next.currentId
          ? next.unwrap(id, wrapped)
          : rig.foundation.masterKeys.unwrap(id, wrapped),
    };
    const { failed } = await rotateMaster({ masterKeys: ring, store: createAccountStore(rig.db) }, 'test');
    expect(failed).toEqual([]);
    const root = await rig.db.selectFrom('service_key').selectAll().executeTakeFirstOrThrow();
    expect(root.master_key_id).toBe(next.currentId);
    expect(
      await next.unwrap(PROVIDER_HOLDER, { wrapped: root.wrapped_key, masterKeyId: root.master_key_id }),
    ).toHaveLength(32);
  });
});
