// `temporarily_unavailable` (RFC 6749 4.1.2.1): a check is not possible now, whoever the person is, and will be later.
import { afterEach, describe, expect, it } from 'vitest';
import { logIn, tokensOf } from '../../../oidc/support/log-in.ts';
import { createOidcRig, type Face, type OidcRig } from '../../../oidc/support/oidc-rig.ts';

const FAILURES = 5;

let rig: OidcRig | undefined;
afterEach(() => rig?.close());

const answerOf = ({ url }: { url: string }) => {
  const { searchParams } = new URL(url);
  return ['error', 'error_description', 'code', 'state'].map((name) => searchParams.get(name));
};

describe('temporarily_unavailable', () => {
  it('after five failures within a quarter of an hour, for that person only, and not forever', async () => {
    rig = await createOidcRig();
    const { id, secret } = await rig.addClient();
    const rp = await rig.relyingParty(id, secret);
    await logIn(rig, rp);
    for (let i = 0; i < FAILURES; i++) {
      const face: Face = i % 2 ? 'not-live' : 'other';
      const refused = await logIn(rig, rp, { faces: [face] });
      expect(answerOf(refused).slice(0, 2)).toEqual(['access_denied', 'The check was not passed.']);
    }
    const paused = await logIn(rig, rp, { faces: [] });
    expect(answerOf(paused)).toEqual(['temporarily_unavailable', 'Try again later.', null, paused.state]);
    const another = await logIn(rig, rp, { params: { login_hint: 'grace' } });
    expect((await tokensOf(rp, another)).claims()!.acr).toBe('urn:likeness:enrolment');
    // A pause is measured by the database's clock, so its end is moved into the past.
    await rig.db
      .updateTable('featid')
      .set({ paused_until: new Date(Date.now() - 1_000) })
      .where('paused_until', 'is not', null)
      .execute();
    expect((await tokensOf(rp, await logIn(rig, rp))).claims()!.acr).toBe('urn:likeness:face');
  });

  it('when the account has reached its storage limit', async () => {
    rig = await createOidcRig({}, {}, { accountStorageBytes: 1 });
    const { id, secret } = await rig.addClient();
    const rp = await rig.relyingParty(id, secret);
    await logIn(rig, rp);
    const full = await logIn(rig, rp, { params: { login_hint: 'grace' }, faces: [] });
    expect(answerOf(full).slice(0, 3)).toEqual(['temporarily_unavailable', 'Try again later.', null]);
  });
});
