// FeatureIDs in requests: every bad input with its code and pointer, the pause after failed guesses, and unlocking.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeToken, fromBase62 } from '../../src/base/checked-token.ts';
import type { Problem } from '../../src/contract/problem.ts';
import { parseFeatid } from '../../src/featid/featid-text.ts';
import { changeOneCharacter } from '../support/tamper.ts';
import { createHttpRig, type HttpRig } from './http-rig.ts';

let rig: HttpRig;
beforeAll(async () => {
  rig = await createHttpRig();
});
afterAll(() => rig.close());

const create = (compare_to_featids: unknown, headers: Record<string, string> = {}) =>
  rig.call('POST', '/v1/create-challenge', { liveness_only: false, compare_to_featids }, headers);
const unlock = (featid: unknown) => rig.call('POST', '/v1/featids/unlock', { featid });
const FORMAT = { prefix: 'lfid1_', partBytes: [16, 32] };
const forged = () => encodeToken(FORMAT, [randomBytes(16), randomBytes(32)]);

/** The answer without what differs between requests. */
function said(answer: { statusCode: number; json: <T>() => T }): object {
  const { instance: _instance, ...problem } = answer.json<Problem>();
  return { statusCode: answer.statusCode, ...problem };
}

describe('an unusable FeatureID', () => {
  it('gets the same refusal whichever part is wrong: id, key, account, region', async () => {
    const own = await rig.makeFeatid();
    const other = await rig.makeAccount('another owner');
    const idBytes = fromBase62(parseFeatid(own)!.id, 16)!;
    const wrongKey = encodeToken(FORMAT, [idBytes, randomBytes(32)]);
    expect(parseFeatid(wrongKey)?.id).toBe(parseFeatid(own)?.id);
    const unknown = said(await create([forged()]));
    expect(unknown).toMatchObject({
      statusCode: 422,
      errors: [{ pointer: '/compare_to_featids/0', code: 'featid_unknown' }],
    });
    expect(said(await create([await rig.makeFeatid(other.accountId)]))).toEqual(unknown);
    expect(said(await create([wrongKey]))).toEqual(unknown);
    expect(said(await create([await rig.makeFeatid(rig.accountId, 'elsewhere')]))).toEqual(unknown);
    await rig.featids.revoke(rig.accountId, own, 'test');
    expect(said(await create([wrongKey]))).toEqual(unknown);
    expect(said(await create([own]))).toMatchObject({ errors: [{ code: 'featid_revoked' }] });
  });

  it('altered in one character, truncated or of another version gets the same refusal, wherever the fault is', async () => {
    const own = await rig.makeFeatid();
    const broken = fc.oneof(
      changeOneCharacter(own),
      fc.integer({ min: 1, max: own.length - 1 }).map((length) => own.slice(0, length)),
      fc.integer({ min: 1, max: own.length - 1 }).map((from) => own.slice(from)),
      fc.constantFrom('lfid0_', 'lfid2_', 'lfid1', 'LFID1_').map((prefix) => prefix + own.slice(6)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(broken, { minLength: 99, maxLength: 99 }), async (texts) => {
        const [first, ...others] = (await create([own, ...texts])).json<Problem>().errors!;
        expect(first).toMatchObject({ pointer: '/compare_to_featids/1', code: 'featid_invalid' });
        expect(others).toEqual(
          texts.slice(1).map((_text, at) => ({ ...first, pointer: `/compare_to_featids/${at + 2}` })),
        );
      }),
      { numRuns: 20 },
    );
  });

  it('is reported by its index among a hundred; with a hundred and one, none is checked', async () => {
    const own = await rig.makeFeatid();
    const hundred = Array.from({ length: 100 }, (_, index) => (index % 2 ? own : forged()));
    const errors = (await create(hundred)).json<Problem>().errors!;
    expect(errors.map(({ pointer }) => pointer)).toEqual(
      Array.from({ length: 50 }, (_, index) => `/compare_to_featids/${2 * index}`),
    );
    expect(said(await create([...hundred, own]))).toMatchObject({
      errors: [{ pointer: '/compare_to_featids', code: 'too_many' }],
    });
  });

  it.each([
    ['an empty string', ''],
    ['a number', 7],
    ['null', null],
    ['an object', { featid: 'x' }],
    ['a NUL character', 'lfid1_\u0000'],
    ['emoji', '\u{1f600}'.repeat(20)],
    ['SQL', "'; drop table featid; --"],
    ['a long text', 'lfid1_'.padEnd(5_000, 'A')],
  ])('%s is 422 with a pointer, on every path', async (_what, value) => {
    const answers = [await create([value]), await unlock(value)];
    answers.push(await rig.call('POST', '/v1/featids/revoke', { featid: value }));
    for (const [at, answer] of answers.entries()) {
      expect(answer.statusCode, answer.body).toBe(422);
      const pointers = answer.json<Problem>().errors!.map(({ pointer }) => pointer);
      expect(pointers).toContain(at === 0 ? '/compare_to_featids/0' : '/featid');
    }
  });

  it('a megabyte of text is refused before it is parsed', async () => {
    const megabyte = 'A'.repeat(1_100_000);
    for (const answer of [await create([megabyte]), await unlock(megabyte)]) {
      expect(answer.statusCode).toBe(413);
      expect(answer.body.length).toBeLessThan(1_000);
    }
  });
});

describe('the pause after failed guesses', () => {
  it('is 429 with its code, the paused items and the wait; unlocking ends it', async () => {
    const [free, paused] = [await rig.makeFeatid(), await rig.makeFeatid()];
    await sql`update featid set paused_until = now() + interval '100 seconds'
      where id = ${parseFeatid(paused)!.id}`.execute(rig.db);
    const answer = await create([free, paused]);
    expect(said(answer)).toMatchObject({
      statusCode: 429,
      type: expect.stringMatching(/\/docs\/errors\/featid-paused$/),
      errors: [{ pointer: '/compare_to_featids/1', code: 'featid_paused' }],
    });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(90);
    expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(100);
    expect((await create([free])).statusCode).toBe(201);
    for (let time = 0; time < 2; time++) expect((await unlock(paused)).statusCode).toBe(204);
    expect((await create([free, paused])).statusCode).toBe(201);
  });

  it('is not caused by creating challenges, however many', async () => {
    const featid = await rig.makeFeatid();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        create([featid], index % 2 ? { 'idempotency-key': `parallel-${index}` } : {}),
      ),
    );
    expect(answers.filter((answer) => answer.statusCode === 201)).toHaveLength(20);
  });

  it('is 429 with Retry-After on the page before it records', async () => {
    const featid = await rig.makeFeatid();
    const created = await rig.create({
      liveness_only: false,
      require_consent: false,
      compare_to_featids: [featid],
    });
    const ask = (path: string) =>
      rig.app.inject({
        method: 'POST',
        url: `${created.path}${path}`,
        headers: { 'likeness-device': 'd'.repeat(43) },
        payload: {},
      });
    expect((await ask('/start')).statusCode).toBe(200);
    await sql`update featid set paused_until = now() + interval '100 seconds'
      where id = ${parseFeatid(featid)!.id}`.execute(rig.db);
    const refused = await ask('/captures');
    expect(refused.statusCode).toBe(429);
    expect(refused.json().type).toMatch(/\/docs\/errors\/featid-paused$/);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(90);
    await unlock(featid);
    expect((await ask('/captures')).statusCode).toBe(201);
  });

  it('can neither be seen nor ended by another account', async () => {
    const featid = await rig.makeFeatid();
    const other = await rig.makeAccount('unlocker');
    await sql`update featid set paused_until = now() + interval '100 seconds'
      where id = ${parseFeatid(featid)!.id}`.execute(rig.db);
    const ask = (url: string, payload: object) =>
      rig.app.inject({ method: 'POST', url, headers: { authorization: `Basic ${other.key}` }, payload });
    const named = { liveness_only: false, compare_to_featids: [featid] };
    expect(said(await ask('/v1/create-challenge', named))).toMatchObject({
      statusCode: 422,
      errors: [{ code: 'featid_unknown' }],
    });
    expect(said(await ask('/v1/featids/unlock', { featid }))).toMatchObject({
      statusCode: 422,
      errors: [{ pointer: '/featid', code: 'featid_unknown' }],
    });
    expect((await create([featid])).statusCode).toBe(429);
  });
});
