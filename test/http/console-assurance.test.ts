// GET /console/api/assurance on the real services: who gets the report, what it is, and what is audited.
import { compactVerify, createLocalJWKSet } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ASSURANCE_TYPE } from '../../src/lab/assurance/contents.ts';
import { jwsOfPage } from '../../src/lab/assurance/page.ts';
import { createHttpRig, type HttpRig, OPERATOR_PASSWORD } from './http-rig.ts';

describe('the assurance report', () => {
  let rig: HttpRig;
  let cookie = '';
  const url = '/console/api/assurance';
  const download = () => rig.app.inject({ url, headers: { cookie } });

  beforeAll(async () => {
    rig = await createHttpRig({ console: true });
    const login = {
      method: 'POST',
      url: '/console/api/login',
      payload: { password: OPERATOR_PASSWORD },
    } as const;
    const answer = await rig.app.inject(login);
    cookie = String(answer.headers['set-cookie']).split(';')[0]!;
  });
  afterAll(() => rig?.close());

  it('is for those who have signed in', async () => {
    expect((await rig.app.inject({ url })).statusCode).toBe(401);
    const withKey = await rig.app.inject({ url, headers: { authorization: `Basic ${rig.key}` } });
    expect(withKey.statusCode).toBe(401);
  });

  it('is a signed file that is saved and not cached', async () => {
    const { statusCode, headers, body } = await download();
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="likeness-assurance-20\d\d-\d\d-\d\d\.html"$/,
      ),
      'cache-control': 'no-store',
    });
    expect(body).toContain('Not certified by any laboratory.');
    const keys = (await rig.app.inject({ url: '/.well-known/jwks.json' })).json();
    const { payload, protectedHeader } = await compactVerify(jwsOfPage(body)!, createLocalJWKSet(keys));
    expect(protectedHeader.typ).toBe(ASSURANCE_TYPE);
    expect(JSON.parse(new TextDecoder().decode(payload))).toMatchObject({ iss: 'http://likeness.test' });
  });

  it('is made once for those who ask within a minute, and audited for each of them', async () => {
    const [one, other] = await Promise.all([download(), download()]);
    expect(jwsOfPage(one.body)).toBe(jwsOfPage(other.body));
    const lines = await rig.db
      .selectFrom('audit')
      .select(['actor', 'subject'])
      .where('action', '=', 'assurance.downloaded')
      .execute();
    expect(lines).toHaveLength(3);
    expect(lines[0]!.actor).toMatch(/^ops_/);
    rig.skewClock(61_000);
    const later = await download();
    rig.skewClock(0);
    expect(jwsOfPage(later.body)).not.toBe(jwsOfPage(one.body));
  });
});
