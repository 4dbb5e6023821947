// OpenID clients in the console: registered, shown, given a new secret, removed; and what is refused.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CSRF_HEADER } from '../../../src/contract/console.ts';
import { parseFeatid } from '../../../src/featid/featid-text.ts';
import type { NewLoginClient } from '../../../src/oidc/console/messages.ts';
import { createSubjects } from '../../../src/oidc/subjects.ts';
import { createClientStore } from '../../../src/oidc/tables/clients.ts';
import { createSubjectStore } from '../../../src/oidc/tables/subjects.ts';
import { createHttpRig, type HttpRig, OPERATOR_PASSWORD } from '../../http/http-rig.ts';

async function signIn(rig: HttpRig) {
  const payload = { password: OPERATOR_PASSWORD };
  const answer = await rig.app.inject({ method: 'POST', url: '/console/api/login', payload });
  const cookie = [answer.headers['set-cookie']].flat()[0]!.split(';')[0]!;
  const session = answer.json();
  const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
    rig.app.inject({
      method,
      url: `/console/api${path}`,
      headers: { cookie, [CSRF_HEADER]: session.csrf_token },
      ...(body && { payload: body }),
    });
  return { session, ask };
}

describe('clients in the console', () => {
  let rig: HttpRig;
  let session: { further_pages: readonly string[] };
  let ask: Awaited<ReturnType<typeof signIn>>['ask'];
  const request = (changes: Partial<NewLoginClient> = {}): NewLoginClient => ({
    account_id: rig.accountId,
    name: 'shop',
    redirect_uris: ['https://shop.example/back'],
    auth_method: 'client_secret_basic',
    enrol: true,
    device_binding: 'offer',
    require_par: false,
    session_seconds: 0,
    display_name: 'The Shop',
    purpose: 'paying.',
    consent_text: 'Checked\nhere.',
    privacy_url: null,
    ...changes,
  });

  beforeAll(async () => {
    rig = await createHttpRig({ console: true, environment: { OIDC: 'on' } });
    ({ session, ask } = await signIn(rig));
  });
  afterAll(() => rig?.close());

  it('are registered, with a secret that is shown once', async () => {
    expect(session.further_pages).toEqual(['/logins']);
    const made = await ask('POST', '/logins', request());
    expect(made.statusCode, made.body).toBe(201);
    const { client_id, client_secret } = made.json();
    expect(client_secret).toMatch(/^los_/);
    const listed = await ask('GET', '/logins');
    expect(listed.json().data).toMatchObject([
      {
        client_id,
        name: 'shop',
        account_name: 'first',
        enrols: true,
        device_binding: 'offer',
        people: 0,
        display_name: 'The Shop',
        purpose: 'paying.',
        redirect_uris: ['https://shop.example/back'],
        consent_text: 'Checked\nhere.',
      },
    ]);
    expect(listed.body).not.toContain(client_secret);
    expect((await ask('POST', '/logins', request())).statusCode).toBe(409);

    const renewed = await ask('POST', `/logins/${client_id}/secret`);
    expect(renewed.json()).toMatchObject({ client_id });
    expect(renewed.json().client_secret).not.toBe(client_secret);
    expect((await ask('DELETE', `/logins/${client_id}`)).statusCode).toBe(204);
    expect((await ask('GET', '/logins')).json().data).toEqual([]);
    expect((await ask('DELETE', `/logins/${client_id}`)).statusCode).toBe(404);
    expect((await ask('POST', `/logins/${client_id}/secret`)).statusCode).toBe(404);
    const actions = (await ask('GET', '/audit')).json().data.map((line: { action: string }) => line.action);
    expect(actions).toEqual(expect.arrayContaining(['logins.viewed']));
    expect(actions.filter((action: string) => action.startsWith('oidc')).length).toBeGreaterThanOrEqual(3);
  });

  it('forget a person, by the name that the client gives or by sub', async () => {
    const { client_id } = (await ask('POST', '/logins', request({ name: 'forgetful' }))).json();
    const subjects = createSubjects({ store: createSubjectStore(rig.db), custody: rig.custody });
    const client = (await createClientStore(rig.db).find(client_id))!;
    const enrol = async (name: string) => {
      const featid = await rig.makeFeatid();
      const person = { source: 'login_hint', name } as const;
      const enrolled = { client, person, featid, featidId: parseFeatid(featid)!.id, isEnrolledHere: true };
      expect(await subjects.add({ ...enrolled, actor: 'test' })).toBe('inserted');
      return (await subjects.findByName(client, person))!;
    };
    const [ada, bob] = [await enrol('ada'), await enrol('bob')];
    const erase = (named_by: string, name: string, id = client_id) =>
      ask('POST', `/logins/${id}/erasures`, { named_by, name });
    const erased = await erase('login_hint', 'ada');
    expect([erased.statusCode, erased.json()]).toEqual([200, { checks: 0 }]);
    expect(await subjects.find(client_id, ada.id)).toBeNull();
    expect(await subjects.find(client_id, bob.id)).not.toBeNull();
    expect((await erase('sub', bob.sub)).statusCode).toBe(200);
    expect(await subjects.find(client_id, bob.id)).toBeNull();
    for (const again of [erase('login_hint', 'ada'), erase('sub', bob.sub), erase('issuer', 'ada')])
      expect((await again).statusCode).toBe(404);
    expect((await erase('login_hint', 'ada', 'oc_0123456789abcdefghijkl')).statusCode).toBe(404);
    expect((await erase('featid', 'ada')).statusCode).toBe(422);
    const lines = (await ask('GET', '/audit')).json().data as { action: string; subject: string }[];
    const of = lines.filter(({ action }) => action === 'oidc_subject.erased').map(({ subject }) => subject);
    expect(of.sort()).toEqual([ada.id, bob.id].sort());
  });

  it('without a secret cannot have it renewed', async () => {
    const app = { name: 'app', auth_method: 'none', enrol: false } as const;
    const made = await ask('POST', '/logins', request(app));
    expect(made.json()).toMatchObject({ client_secret: null });
    expect((await ask('POST', `/logins/${made.json().client_id}/secret`)).statusCode).toBe(404);
  });

  it('can have their texts changed, all of which are shown exactly as sent', async () => {
    const made = await ask('POST', '/logins', request({ name: 'reworded' }));
    const { client_id } = made.json();
    const texts = {
      display_name: 'The Shop & Sons',
      purpose: null,
      consent_text: 'Checked here, once more.',
      privacy_url: 'https://shop.example/privacy',
    };
    expect((await ask('PUT', `/logins/${client_id}/texts`, texts)).statusCode).toBe(204);
    const shown = async () =>
      (await ask('GET', '/logins'))
        .json()
        .data.find((client: { client_id: string }) => client.client_id === client_id);
    expect(await shown()).toMatchObject({ ...texts, name: 'reworded', enrols: true });

    for (const wrong of [{ privacy_url: 'http://x' }, { consent_text: 'a\u0007' }]) {
      const refused = await ask('PUT', `/logins/${client_id}/texts`, { ...texts, ...wrong });
      expect(refused.statusCode, refused.body).toBe(400);
    }
    for (const body of [{ ...texts, name: 'x' }, { display_name: 'x' }])
      expect((await ask('PUT', `/logins/${client_id}/texts`, body)).statusCode).toBe(422);
    expect(await shown()).toMatchObject(texts);
    const nobody = '/logins/oc_00000000000000000000000000/texts';
    expect((await ask('PUT', nobody, texts)).statusCode).toBe(404);
    const [last] = (await ask('GET', '/audit'))
      .json()
      .data.filter((line: { action: string }) => line.action.startsWith('oidc'));
    expect(last).toMatchObject({ actor: expect.stringMatching(/^ops_/), subject: client_id });
  });

  it('are refused with every fault at once', async () => {
    const wrong = request({
      name: 'wrong',
      redirect_uris: ['http://shop.example/*'],
      privacy_url: 'http://x',
    });
    const answer = await ask('POST', '/logins', wrong);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().detail).toMatch(/wildcard.*privacy URL/);
    const hidden = request({ name: 'hidden', consent_text: 'a\u0007' });
    expect((await ask('POST', '/logins', hidden)).json().detail).toContain('a consent text must have');
    const long = request({ name: 'long', consent_text: 'x'.repeat(1001) });
    expect((await ask('POST', '/logins', long)).statusCode).toBe(422);
    expect((await ask('POST', '/logins', request({ name: 'none', redirect_uris: [] }))).statusCode).toBe(400);
    expect((await ask('POST', '/logins', { ...request(), extra: 1 })).statusCode).toBe(422);
    const nobody = request({ name: 'x', account_id: 'acct_00000000000000000000000000' });
    expect((await ask('POST', '/logins', nobody)).statusCode).toBe(404);
  });
});

it('do not exist with OIDC=off', async () => {
  const rig = await createHttpRig({ console: true });
  const { session, ask } = await signIn(rig);
  expect(session.further_pages).toEqual([]);
  expect((await ask('GET', '/logins')).statusCode).toBe(404);
  await rig.close();
});
