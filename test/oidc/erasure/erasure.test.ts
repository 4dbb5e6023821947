// What is erased is gone everywhere: subjects, clients, tokens and logins in progress.
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { erasePerson } from '../../../src/oidc/erase-person.ts';
import { logIn, tokensOf } from '../support/log-in.ts';
import { createOidcRig, type OidcRig, PERSON } from '../support/oidc-rig.ts';

let rig: OidcRig;
beforeAll(async () => {
  rig = await createOidcRig();
});
afterAll(() => rig?.close());

async function enrolled() {
  const { id, secret, client: own } = await rig.addClient();
  const rp = await rig.relyingParty(id, secret);
  const tokens = await tokensOf(rp, await logIn(rig, rp));
  const subject = (await rig.subjects.find(id, tokens.claims()!.sub))!;
  return { id, secret, rp, own, tokens, subject };
}

const featidRow = (featidId: string) =>
  rig.db.selectFrom('featid').selectAll().where('id', '=', featidId).executeTakeFirstOrThrow();
const audited = async (action: string, subject: string) =>
  (
    await rig.db
      .selectFrom('audit')
      .select('id')
      .where('action', '=', action)
      .where('subject', '=', subject)
      .execute()
  ).length;
const keysOf = async (id: string) =>
  (await rig.db.selectFrom('erasure_key').select('id').where('id', '=', id).execute()).length;

describe('erasure', () => {
  it('of the FeatureID erases the subject at the client, and its tokens', async () => {
    const { id, rp, tokens, subject } = await enrolled();
    expect(await keysOf(subject.id)).toBe(1);
    await rig.services.featids.revoke(rig.account.id, subject.featid, 'test');
    expect(await rig.subjects.find(id, subject.id)).toBeNull();
    expect(await keysOf(subject.id)).toBe(0);
    expect(await audited('oidc_subject.erased', subject.id)).toBe(1);
    await expect(client.fetchUserInfo(rp, tokens.access_token, subject.id)).rejects.toThrow();
    // The name alone finds nobody: the next login enrols.
    const again = await tokensOf(rp, await logIn(rig, rp));
    expect(again.claims()).toMatchObject({ acr: 'urn:likeness:enrolment' });
    expect(again.claims()!.sub).not.toBe(subject.id);
  });

  it('of the enrolling challenge does the same', async () => {
    const { id, subject } = await enrolled();
    const { challenge_id: challengeId } = await featidRow(subject.featid.slice(6, 28));
    const caller = { accountId: rig.account.id, actor: 'test', sandbox: false };
    expect(await rig.services.challenges.erase(caller, challengeId!)).toEqual({ status: 'erased' });
    expect(await rig.subjects.find(id, subject.id)).toBeNull();
  });

  it('of the client erases all its subjects, the FeatureIDs that it enrolled, and its records', async () => {
    const { id, rp, subject } = await enrolled();
    const running = await logIn(rig, rp, { faces: [] });
    expect(await rig.clients.remove(id, 'test')).toBe(true);
    const featid = await featidRow(subject.featid.slice(6, 28));
    expect([featid.sealed_template, featid.revoked_at !== null]).toEqual([null, true]);
    expect(await keysOf(subject.id)).toBe(0);
    expect(await audited('featid.revoked', featid.id)).toBe(1);
    expect(await audited('oidc_client.removed', id)).toBe(1);
    for (const table of ['oidc_subject', 'oidc_record', 'oidc_login'] as const) {
      const left = await rig.db.selectFrom(table).select('client_id').where('client_id', '=', id).execute();
      expect(left).toEqual([]);
    }
    expect((await running.browser.follow(running.interaction)).answer.status).toBe(404);
    await expect(logIn(rig, rp)).rejects.toThrow();
  });

  it('of a linked subject leaves the FeatureID to its owner', async () => {
    const { subject } = await enrolled();
    const { client: second, id } = await rig.addClient({ enrolment: 'never' });
    const person = { source: 'login_hint', name: 'linked' } as const;
    const link = { client: second, person, featid: subject.featid, featidId: subject.featid.slice(6, 28) };
    expect(await rig.subjects.add({ ...link, isEnrolledHere: false, actor: 'test' })).toBe('inserted');
    const linked = (await rig.subjects.findByName(second, person))!;
    expect(await rig.subjects.erase(id, linked.id, 'test')).toBe(true);
    expect((await featidRow(subject.featid.slice(6, 28))).revoked_at).toBeNull();
    expect(await rig.subjects.find(subject.clientId, subject.id)).not.toBeNull();
  });

  it.each([
    'login_hint',
    'sub',
  ] as const)('of a person, named by %s, erases every check of theirs at the client, and nobody else’s', async (by) => {
    const { own, rp, subject } = await enrolled();
    await logIn(rig, rp);
    await logIn(rig, rp, { faces: ['other'] });
    const stranger = 'bob@example.com';
    await logIn(rig, rp, { params: { login_hint: stranger } });
    const caller = { accountId: rig.account.id, actor: 'test', sandbox: false };
    const { challenges } = rig.services;
    const keptOf = async (reference: string) => {
      const listed = await challenges.list(caller, { customer_reference: reference });
      return listed.status === 'ok' ? listed.data.map(({ challenge_id }) => challenge_id) : [];
    };
    const others = await rig.subjects.checksOf(own, { source: 'login_hint', name: stranger });
    expect([await keptOf(subject.checks), await keptOf(others)].map(({ length }) => length)).toEqual([3, 1]);
    expect(subject.checks).not.toContain(PERSON);
    const named = { named_by: by, name: by === 'sub' ? subject.sub : PERSON };
    const erase = () => erasePerson({ subjects: rig.subjects, challenges }, own, named, 'test');
    expect(await erase()).toBe(3);
    expect([await keptOf(subject.checks), await keptOf(others)].map(({ length }) => length)).toEqual([0, 1]);
    expect(await erase()).toBeNull();
  });

  it("cannot be undone by a race: nobody is linked to an erased FeatureID or to another account's", async () => {
    const { own, subject } = await enrolled();
    const featidId = subject.featid.slice(6, 28);
    const person = { source: 'login_hint', name: 'late' } as const;
    const link = { person, featid: subject.featid, featidId, isEnrolledHere: false, actor: 'test' };
    const made = await rig.foundation.accounts.create({ name: `another ${Math.random()}` }, 'test');
    if (made.status !== 'created') throw new Error('no account');
    const account = (await rig.foundation.accounts.find(made.accountId))!;
    const { client: stranger } = await rig.addClient({}, account);
    expect(await rig.subjects.add({ ...link, client: stranger })).toBe('gone');
    await rig.services.featids.revoke(rig.account.id, subject.featid, 'test');
    expect(await rig.subjects.add({ ...link, client: own })).toBe('gone');
  });

  it('leaves nothing readable in the tables: no names, FeatureIDs or tokens', async () => {
    const { rp, tokens, subject } = await enrolled();
    const login = await logIn(rig, rp);
    const code = new URL(login.url).searchParams.get('code')!;
    const secrets = [PERSON, subject.featid, tokens.access_token, code, 'PRIVATE', '"d":'];
    for (const table of [
      'oidc_subject',
      'oidc_login',
      'oidc_record',
      'oidc_signing_key',
      'oidc_client',
    ] as const) {
      for (const row of await rig.db.selectFrom(table).selectAll().execute()) {
        const texts = Object.values(row).map((value) =>
          Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value),
        );
        for (const secret of secrets) expect(texts.join('\n')).not.toContain(secret);
      }
    }
  });

  it('of expired records and logins is done by the sweeps', async () => {
    const { createLoginStore, createRecordStore } = await import('../../../src/oidc/tables/records.ts');
    const past = new Date(Date.now() - 1000);
    await rig.db.updateTable('oidc_record').set({ expires_at: past }).execute();
    await rig.db.updateTable('oidc_login').set({ expires_at: past }).execute();
    expect(await createRecordStore(rig.db).deleteExpired(10_000)).toBeGreaterThan(0);
    expect(await createLoginStore(rig.db).deleteExpired(10_000)).toBeGreaterThan(0);
    expect(await rig.db.selectFrom('oidc_record').selectAll().execute()).toEqual([]);
  });
});
