import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreateChallengeRequest } from '../../../src/contract/challenge-request.ts';
import type { FieldFault } from '../../../src/contract/problem.ts';
import { insertFeatid } from '../../../src/featid/tables/keys.ts';
import { create, createRig, type Rig, someTemplate } from '../challenge-rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

const body = (changes: Partial<CreateChallengeRequest> = {}): CreateChallengeRequest => ({
  liveness_only: true,
  ...changes,
});
const secret = 'a-client-secret-nobody-may-see';
const endpoint = (url: string, type: 'http' | 'https' = 'http', oauth?: string) => ({
  type,
  properties: {
    endpoint_url: url,
    ...(oauth && {
      authentication: {
        type: 'oauth' as const,
        properties: { oauth_endpoint_url: oauth, client_id: 'c', client_secret: secret },
      },
    }),
  },
});

async function challengeCount(): Promise<number> {
  return (await rig.database.db.selectFrom('challenge').select('id').execute()).length;
}

async function enrol(): Promise<string> {
  const { accountId } = rig.caller;
  const { featid, row } = await rig.featids.create({
    accountId,
    challengeId: 'ch_x',
    template: someTemplate(),
  });
  const unbound = { ...row, challengeId: null };
  await rig.database.db.transaction().execute((trx) => insertFeatid(trx, unbound));
  return featid;
}

describe('creating a challenge', () => {
  it("returns id, URL and a deadline by the database's clock, and writes an audit row", async () => {
    const outcome = await rig.services.create(rig.caller, { body: body({ expires_in_seconds: 60 }) });
    if (outcome.status !== 'created') throw new Error(outcome.status);
    const { challenge_id, challenge_url, expires_at } = outcome.response;
    expect(challenge_id).toMatch(/^ch_[0-9a-z]{26}$/);
    expect(challenge_url).toMatch(/^https:\/\/likeness\.test\/c\/[A-Za-z0-9_-]{43}$/);
    const row = await rig.database.db
      .selectFrom('challenge')
      .selectAll()
      .where('id', '=', challenge_id)
      .executeTakeFirstOrThrow();
    expect(row.expires_at.toISOString()).toBe(expires_at);
    expect(row.expires_at.getTime() - row.created_at.getTime()).toBe(60_000);
    const audit = await rig.database.db
      .selectFrom('audit')
      .selectAll()
      .where('subject', '=', challenge_id)
      .execute();
    expect(audit.map(({ action, actor }) => ({ action, actor }))).toEqual([
      { action: 'challenge.created', actor: rig.caller.actor },
    ]);
  });

  it('stores no link, FeatureID or client secret readable in the database', async () => {
    const featid = await enrol();
    const { link } = await create(rig, {
      liveness_only: false,
      compare_to_featids: [featid],
      notifications: { complete: [endpoint('http://a.example/hook', 'http', 'https://o.example/token')] },
    });
    const rows = await rig.database.db.selectFrom('challenge').selectAll().execute();
    const everything = rows
      .flatMap((row) => Object.values(row))
      .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value)))
      .join('\n');
    for (const hidden of [secret, featid, link.token, 'a.example']) expect(everything).not.toContain(hidden);
  });

  it('reports every fault at once, with pointers, and creates nothing', async () => {
    const before = await challengeCount();
    const outcome = await rig.services.create(rig.caller, {
      body: body({
        liveness_only: false,
        compare_to_featids: [await enrol(), 'nonsense'],
        flow_behaviour: { exit_redirect_url: 'java\tscript:alert(1)' },
        flow_style: { logo_public_url: 'ftp://a.example/x', terms_of_service_url: 'https://u:p@a.example/' },
        notifications: {
          complete: [endpoint('http://a.example/', 'https'), endpoint('not a url')],
          expired: [endpoint('https://a.example/', 'http', 'file:///etc/passwd')],
        },
      }),
    });
    if (outcome.status !== 'invalid') throw new Error(outcome.status);
    expect(outcome.faults.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/compare_to_featids/1', 'featid_invalid'],
      ['/flow_behaviour/exit_redirect_url', 'invalid_url'],
      ['/flow_style/logo_public_url', 'url_scheme_not_allowed'],
      ['/flow_style/terms_of_service_url', 'invalid_url'],
      ['/notifications/complete/0/properties/endpoint_url', 'https_required'],
      ['/notifications/complete/1/properties/endpoint_url', 'invalid_url'],
      [
        '/notifications/expired/0/properties/authentication/properties/oauth_endpoint_url',
        'url_scheme_not_allowed',
      ],
    ]);
    expect(await challengeCount()).toBe(before);
  });

  it.each([
    [true, ['x'], 'must_be_absent'],
    [true, [], null],
    [true, null, null],
    [false, undefined, 'required'],
    [false, null, 'required'],
    [false, [], 'too_few'],
  ])('liveness_only %s with compare_to_featids %j: %s', async (liveness_only, featids, code) => {
    const request = { liveness_only, ...(featids !== undefined && { compare_to_featids: featids }) };
    const outcome = await rig.services.create(rig.caller, { body: request });
    const faults = outcome.status === 'invalid' ? outcome.faults.map((fault) => fault.code) : [];
    expect(faults).toEqual(code ? [code] : []);
  });

  it('refuses an exit that opens another program', async () => {
    const request = body({ flow_behaviour: { exit_redirect_url: 'ms-msdt:/id x' } });
    expect(await rig.services.create(rig.caller, { body: request })).toMatchObject({
      status: 'invalid',
      faults: [{ pointer: '/flow_behaviour/exit_redirect_url', code: 'url_scheme_not_allowed' }],
    });
  });

  it.each([
    'myapp://done',
    'https://a.example/done?x=1#y',
    'http://a.example',
    'com.example.app:/back',
  ])('keeps the exit %j exactly as given', async (exit_redirect_url) => {
    const { link } = await create(rig, { flow_behaviour: { exit_redirect_url } });
    const state = await rig.services.state(link);
    expect(state.status === 'ok' && state.state.exit_redirect_url).toBe(exit_redirect_url);
  });

  it('refuses addresses that the server must never call, in every field', async () => {
    const refusing = rig.with({
      settings: { ...rig.parts.settings, refusedTarget: () => 'address_not_allowed' as const },
    });
    const outcome = await refusing.create(rig.caller, {
      body: body({
        flow_behaviour: { exit_redirect_url: 'http://127.0.0.1/' },
        flow_style: { logo_public_url: 'http://a.example/', terms_of_service_url: 'http://127.0.0.1/' },
        notifications: { complete: [endpoint('http://a.example/', 'http', 'http://o.example/token')] },
      }),
    });
    if (outcome.status !== 'invalid') throw new Error(outcome.status);
    const hook = '/notifications/complete/0/properties';
    expect(outcome.faults.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/flow_style/logo_public_url', 'address_not_allowed'],
      [`${hook}/endpoint_url`, 'address_not_allowed'],
      [`${hook}/authentication/properties/oauth_endpoint_url`, 'address_not_allowed'],
    ]);
  });

  it('requires https for endpoints when configured, and for OAuth endpoints in production', async () => {
    const strict = rig.with({
      settings: { ...rig.parts.settings, webhookRequireHttps: true, production: true },
    });
    const notifications = { complete: [endpoint('http://a.example/', 'http', 'http://o.example/token')] };
    const outcome = await strict.create(rig.caller, { body: body({ notifications }) });
    expect(outcome.status === 'invalid' && outcome.faults.map((fault) => fault.code)).toEqual([
      'https_required',
      'https_required',
    ]);
    expect((await rig.services.create(rig.caller, { body: body({ notifications }) })).status).toBe('created');
  });

  it('finds the faults of well-formed parts in a body of any shape', async () => {
    const ofSchema: FieldFault = { pointer: '/typo', code: 'unknown_field', detail: 'is no field' };
    const faults = async (given: unknown, schemaFaults = [ofSchema]) => {
      const asked = { body: given as CreateChallengeRequest, schemaFaults };
      const outcome = await rig.services.create(rig.caller, asked);
      if (outcome.status !== 'invalid') throw new Error(outcome.status);
      expect(outcome.faults[0]).toBe(schemaFaults[0]);
      return outcome.faults.slice(schemaFaults.length);
    };
    expect(await faults(null)).toEqual([]);
    expect(
      await faults({ liveness_only: 'no', notifications: { complete: 3, expired: [null, 'x'] } }),
    ).toEqual([]);
    const found = await faults({
      liveness_only: false,
      compare_to_featids: [1, 'nonsense'],
      flow_behaviour: { exit_redirect_url: 'about:blank', typo: 1 },
    });
    expect(found.map((fault) => fault.pointer)).toEqual([
      '/compare_to_featids/1',
      '/flow_behaviour/exit_redirect_url',
    ]);
  });
});
