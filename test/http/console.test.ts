// /console/api on the real services: who gets in, forged calls, what an operator reads and does, what is audited.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CSRF_HEADER } from '../../src/contract/console.ts';
import { createHttpRig, type HttpRig, OPERATOR_PASSWORD } from './http-rig.ts';

describe('the console', () => {
  let rig: HttpRig;
  let cookie = '';
  let csrf = '';

  const login = (password: string, remoteAddress: string) =>
    rig.app.inject({ method: 'POST', url: '/console/api/login', payload: { password }, remoteAddress });
  const ask = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object, headers = {}) =>
    rig.app.inject({
      method,
      url: `/console/api${path}`,
      headers: { cookie, [CSRF_HEADER]: csrf, ...headers },
      ...(body ? { payload: body } : {}),
    });
  const auditOf = async (action: string) =>
    (await ask('GET', '/audit')).json().data.filter((line: { action: string }) => line.action === action);

  beforeAll(async () => {
    rig = await createHttpRig({ console: true });
    const answer = await login(OPERATOR_PASSWORD, '10.0.0.1');
    expect(answer.statusCode).toBe(200);
    const [set, ...more] = [answer.headers['set-cookie']].flat();
    expect(set).toMatch(/^likeness-console=[\w-]{64}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(more).toEqual([]);
    cookie = set!.split(';')[0]!;
    csrf = answer.json().csrf_token;
  });
  afterAll(() => rig?.close());

  it('accepts neither an API key nor a forged call', async () => {
    const withKey = { authorization: `Basic ${rig.key}`, cookie: '' };
    expect((await ask('GET', '/accounts', undefined, withKey)).statusCode).toBe(401);
    for (const forged of ['', 'x', csrf.slice(1)]) {
      const path = `/accounts/${rig.accountId}/keys`;
      const answer = await ask('POST', path, { sandbox: false }, { [CSRF_HEADER]: forged });
      expect(answer.statusCode).toBe(403);
    }
    expect((await ask('GET', '/session')).json()).toMatchObject({ csrf_token: csrf, region: 'test' });
  });

  it('finds challenges by id, reference, account and status, and shows one in full', async () => {
    const request = {
      liveness_only: true,
      customer_reference: '100%_sure',
      device_binding: 'require',
      liveness_level: 'standard',
    };
    const { challenge_id } = await rig.create(request);
    await rig.create({ liveness_only: true, customer_reference: '100 and sure' });
    const found = async (query: string) =>
      (await ask('GET', `/challenges?${query}`))
        .json()
        .data.map((row: { challenge_id: string }) => row.challenge_id);
    // References are sealed: they are found only by the whole text.
    expect(await found(`text=${encodeURIComponent('100%_sure')}`)).toEqual([challenge_id]);
    expect(await found(`text=${encodeURIComponent('100%_')}`)).toEqual([]);
    expect(await found(`text=${challenge_id.slice(0, -1)}`)).toContain(challenge_id);
    expect(await found(`text=${challenge_id}`)).toEqual([challenge_id]);
    expect(await found('text=first&status=created')).toContain(challenge_id);
    expect(await found('status=completed')).not.toContain(challenge_id);
    const detail = (await ask('GET', `/challenges/${challenge_id}`)).json();
    expect(detail).toMatchObject({ challenge_id, account_name: 'first', liveness: null, captures: [] });
    expect(detail).toMatchObject({ device_binding: 'require', allow_new_device: false, device_result: null });
    expect(detail.liveness_level).toBe('standard');
    const leaving = await rig.create({
      liveness_only: true,
      require_consent: false,
      flow_behaviour: { accessible_way: 'passive' },
    });
    const visitor = { token: leaving.path.split('/')[2]!, device: 'e'.repeat(43) };
    await rig.challenges.start(visitor);
    for (const asked of [{}, { way: 'passive' }] as const) await rig.challenges.issueCapture(visitor, asked);
    expect((await ask('GET', `/challenges/${leaving.challenge_id}`)).json()).toMatchObject({
      liveness_level: 'quick',
      captures: [{ way: null }, { way: 'passive' }],
    });
    const denied = await rig.create({ liveness_only: true, require_consent: false });
    const link = { token: denied.path.split('/')[2]!, device: 'd'.repeat(43) };
    await rig.challenges.start(link);
    await rig.challenges.recordEvent(link, { name: 'camera_denied', cause: 'by_site' });
    expect((await ask('GET', `/challenges/${denied.challenge_id}`)).json().events).toMatchObject([
      { name: 'challenge_opened', cause: null },
      { name: 'camera_denied', cause: 'by_site' },
    ]);
    const nothing = await ask('GET', '/challenges/ch_00000000000000000000000000');
    expect(nothing.statusCode).toBe(404);
    expect(nothing.headers['cache-control']).toBe('no-store');
  });

  it('pages through more than one page', async () => {
    for (let i = 0; i < 51; i++) await rig.create({ liveness_only: true, customer_reference: 'many' });
    const first = (await ask('GET', '/challenges?text=many')).json();
    expect(first.data).toHaveLength(50);
    const second = (await ask('GET', `/challenges?text=many&cursor=${first.next_cursor}`)).json();
    expect(second.data).toHaveLength(1);
    expect(second.next_cursor).toBeNull();
  });

  it('shows a video by a short-lived link, and audits the viewing', async () => {
    const { challenge_id } = await rig.create();
    const assetId = await rig.makeAsset(challenge_id, Buffer.from('the video'));
    const detail = (await ask('GET', `/challenges/${challenge_id}`)).json();
    expect(detail.assets).toEqual([expect.objectContaining({ asset_id: assetId, kind: 'liveness_video' })]);
    const link = await ask('POST', `/challenges/${challenge_id}/assets/${assetId}/link`);
    const url = new URL(link.json().url);
    const lifeMs = Number(url.searchParams.get('expires')) * 1000 - Date.now();
    expect(lifeMs).toBeLessThanOrEqual(300_000);
    expect((await rig.app.inject({ url: url.pathname + url.search })).body).toBe('the video');
    expect(await auditOf('liveness_video.viewed')).toEqual([
      expect.objectContaining({ actor: expect.stringMatching(/^ops_/), subject: assetId }),
    ]);
    const other = await rig.create();
    const elsewhere = await ask('POST', `/challenges/${other.challenge_id}/assets/${assetId}/link`);
    expect(elsewhere.statusCode).toBe(404);
  });

  it("creates and revokes keys, rotates the webhook secret, changes the account's texts", async () => {
    const path = `/accounts/${rig.accountId}`;
    const { secret, webhook_secret } = (await ask('POST', `${path}/keys`, { sandbox: true })).json();
    expect(secret).toMatch(/^lk_test_/);
    expect(webhook_secret).toMatch(/^whsec_/);
    const { data } = (await ask('GET', '/accounts')).json();
    const sandbox = data.find((each: { sandbox: boolean }) => each.sandbox);
    const [key] = sandbox.keys;
    expect(JSON.stringify(data)).not.toContain(secret);
    const keyPath = `/accounts/${sandbox.account_id}/keys/${key.key_id}`;
    expect((await ask('DELETE', `${path}/keys/${key.key_id}`)).statusCode).toBe(404);
    expect((await ask('DELETE', keyPath)).statusCode).toBe(204);
    expect((await ask('DELETE', keyPath)).statusCode).toBe(404);
    const webhook = await ask('POST', `${path}/webhook-secret`, { overlap_hours: 24 });
    expect(webhook.json().secret).toMatch(/^whsec_/);
    const change = { display_name: 'The shop', purpose: 'to pay', privacy_url: 'https://shop.example/p' };
    expect((await ask('POST', path, change)).statusCode).toBe(204);
    expect(await rig.accounts.find(rig.accountId)).toMatchObject({
      displayName: 'The shop',
      privacyUrl: 'https://shop.example/p',
    });
    const bad = await ask('POST', path, { ...change, privacy_url: 'javascript:alert(1)' });
    expect(bad.statusCode).toBe(422);
    expect((await ask('POST', '/accounts/acct_00000000000000000000000000', change)).statusCode).toBe(404);
  });

  it('shows correct counts', async () => {
    const overview = (await ask('GET', '/overview')).json();
    expect(overview.days).toHaveLength(30);
    expect(overview.days.at(-1).created).toBeGreaterThan(0);
    expect(overview.queue).toEqual({ waiting: 0, oldest_seconds: null });
    const { funnel } = overview;
    const steps = [
      funnel.created,
      funnel.opened,
      funnel.camera,
      funnel.recorded,
      funnel.judged,
      funnel.passed,
    ];
    expect(funnel.created).toBeGreaterThan(0);
    expect(steps).toEqual([...steps].sort((a, b) => b - a));
    const { held } = (await ask('GET', '/retention')).json();
    expect(held.map((row: { what: string }) => row.what)).toContain('videos');
    expect((await ask('GET', '/deliveries?status=failed')).json()).toEqual({ data: [], next_cursor: null });
    expect((await ask('GET', '/endpoints')).json()).toMatchObject({ data: [] });
    expect((await ask('GET', '/scores')).json().data.genuine).toHaveLength(40);
  });

  it('is not in the public document', async () => {
    expect((await rig.app.inject({ url: '/openapi.json' })).body).not.toContain('/console');
  });

  it('audits what each session reads, once for what it keeps viewing, and nothing personal', async () => {
    const { challenge_id } = await rig.create({
      liveness_only: true,
      customer_reference: 'jane.doe@example',
    });
    const search = `/challenges?text=${encodeURIComponent('jane.doe@example')}`;
    for (let time = 0; time < 3; time++) await ask('GET', search);
    const second = await rig.create({ liveness_only: true, customer_reference: 'jane.doe@example' });
    for (let time = 0; time < 3; time++) await ask('GET', search);
    const lists = (await auditOf('challenges.listed')).filter((line: { detail: { shown: string[] } }) =>
      [challenge_id, second.challenge_id].includes(line.detail.shown[0]!),
    );
    expect(lists.map((line: { detail: object }) => line.detail)).toEqual([
      { filters: ['text'], shown: [second.challenge_id] },
      { filters: ['text'], shown: [challenge_id] },
    ]);
    for (let time = 0; time < 3; time++) await ask('GET', `/challenges/${challenge_id}`);
    expect(
      (await auditOf('challenge.viewed')).filter(
        (line: { subject: string }) => line.subject === challenge_id,
      ),
    ).toEqual([
      expect.objectContaining({ actor: expect.stringMatching(/^ops_/), account_id: rig.accountId }),
    ]);
    for (const path of ['/overview', '/accounts', '/retention', '/deliveries', '/endpoints']) {
      await ask('GET', path);
    }
    const seen = (await ask('GET', '/audit')).json().data.map((line: { action: string }) => line.action);
    for (const page of ['overview', 'accounts', 'retention', 'endpoints', 'audit']) {
      expect(seen).toContain(`${page}.viewed`);
    }
    const all = await rig.db.selectFrom('audit').selectAll().execute();
    expect(JSON.stringify(all)).not.toContain('jane.doe');
  });

  it('shows nothing that cannot be audited', async () => {
    const { challenge_id } = await rig.create();
    await sql`alter table audit rename to audit_away`.execute(rig.db);
    try {
      const answer = await ask('GET', `/challenges/${challenge_id}`);
      expect(answer.statusCode).toBe(500);
      expect(answer.body).not.toContain(challenge_id);
    } finally {
      await sql`alter table audit_away rename to audit`.execute(rig.db);
    }
    expect((await ask('GET', `/challenges/${challenge_id}`)).statusCode).toBe(200);
  });
});

describe('without a password', () => {
  it('the console does not exist', async () => {
    const rig = await createHttpRig();
    try {
      const page = await rig.app.inject({ url: '/console' });
      expect(page.statusCode).toBe(404);
      expect(page.body).toContain('CONSOLE_PASSWORD');
      const answer = await rig.app.inject({ method: 'POST', url: '/console/api/login', payload: {} });
      expect(answer.statusCode).toBe(404);
    } finally {
      await rig.close();
    }
  });
});
