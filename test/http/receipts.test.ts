import { compactVerify, createLocalJWKSet, decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sealResult } from '../../src/challenge/seals.ts';
import { SOME_FACTS, SOME_RECEIPT } from '../cli/receipts.ts';
import { createHttpRig, type HttpRig } from './http-rig.ts';

let rig: HttpRig;
beforeAll(async () => {
  rig = await createHttpRig();
});
afterAll(() => rig.close());

const FEATID = 'lfid1_a_secret_string';
const { video, inputs, engine, values } = SOME_RECEIPT;

/** A completed challenge as a judgement leaves it. */
async function completed(receipt: boolean): Promise<string> {
  const { challenge_id } = await rig.create({ liveness_only: true, liveness_level: 'high' });
  const result = {
    liveness: values.liveness,
    liveness_featid: FEATID,
    reasons: [],
    cues: { cues: values.cues, page_hints: { a: 'b' } },
    compared: [
      { featid: FEATID, feat_id: FEATID, score: 0.3, result: 'fail' as const, likeness_features: {} },
    ],
    sources: ['image' as const],
    ...(receipt && { receipt: SOME_FACTS }),
  };
  await rig.db
    .updateTable('challenge')
    .set({
      status: 'completed',
      closed_reason: 'completed',
      closed_at: new Date(),
      overall_result: 'fail',
      sealed_result: await sealResult(rig.custody, await rig.placeOf(challenge_id), result),
    })
    .where('id', '=', challenge_id)
    .execute();
  return challenge_id;
}

const receiptOf = (id: string) => rig.call('GET', `/v1/challenges/${id}/receipt`);

describe('GET /v1/challenges/{id}/receipt', () => {
  it('returns a JWS that the published keys verify, the same each time, without FeatureIDs', async () => {
    const id = await completed(true);
    const answer = await receiptOf(id);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({ 'content-type': 'application/jose', 'cache-control': 'no-store' });
    const keys = await rig.app.inject({ url: '/.well-known/jwks.json' });
    expect(keys.headers['cache-control']).toBe('public, max-age=300');
    await compactVerify(answer.body, createLocalJWKSet(keys.json()));
    const payload = decodeJwt(answer.body);
    expect(payload).toMatchObject({
      iss: 'http://likeness.test',
      challenge_id: id,
      overall_result: 'fail',
      liveness_level: 'high',
      format: 1,
      video,
      inputs,
      engine,
      values,
      compared: [{ source: 'image', score: 0.3, result: 'fail' }],
    });
    expect(JSON.stringify(payload)).not.toMatch(/lfid1|page_hints/);
    expect((await receiptOf(id)).body).toBe(answer.body);
    // The same FeatureID in another receipt cannot be recognised as the same.
    const other = decodeJwt((await receiptOf(await completed(true))).body);
    expect(other.liveness_featid_sha256).not.toBe(payload.liveness_featid_sha256);
    const audited = await rig.db
      .selectFrom('audit')
      .select('action')
      .where('subject', '=', id)
      .where('action', '=', 'challenge.receipt_read')
      .execute();
    expect(audited).toHaveLength(2);
  });

  it('is erased with its challenge', async () => {
    const id = await completed(true);
    expect((await rig.call('DELETE', `/v1/challenges/${id}`)).statusCode).toBe(204);
    expect((await receiptOf(id)).statusCode).toBe(404);
  });

  it('does not exist before the end, where nothing was judged, and for other accounts', async () => {
    const { challenge_id } = await rig.create();
    const open = await receiptOf(challenge_id);
    expect([open.statusCode, open.json()]).toEqual([
      409,
      expect.objectContaining({
        detail: 'The challenge is created. Read the receipt once it is completed: its webhook says when.',
      }),
    ]);
    const unjudged = await receiptOf(await completed(false));
    expect([unjudged.statusCode, unjudged.json().type]).toEqual([
      404,
      expect.stringMatching(/\/docs\/errors\/no-receipt$/),
    ]);
    const stranger = await rig.makeAccount('stranger');
    const foreign = await rig.app.inject({
      url: `/v1/challenges/${await completed(true)}/receipt`,
      headers: { authorization: `Basic ${stranger.key}` },
    });
    expect(foreign.json().type).toMatch(/\/not-found$/);
    const nobody = await rig.app.inject({ url: `/v1/challenges/${challenge_id}/receipt` });
    expect(nobody.statusCode).toBe(401);
  });

  it('of the sandbox says that nobody was judged', async () => {
    const account = (await rig.accounts.find(rig.accountId))!;
    const { key } = await rig.accounts.createKey(account, { sandbox: true }, 'test');
    const headers = { authorization: `Basic ${key}` };
    const payload = { liveness_only: true, customer_reference: 'sandbox:pass' };
    const made = await rig.app.inject({ method: 'POST', url: '/v1/create-challenge', headers, payload });
    const { challenge_id } = made.json();
    const answer = await rig.app.inject({ url: `/v1/challenges/${challenge_id}/receipt`, headers });
    expect([answer.statusCode, answer.json()]).toEqual([
      404,
      expect.objectContaining({ detail: expect.stringContaining('sandbox') }),
    ]);
  });
});
