import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashSecret } from '../../../src/base/secrets.ts';
import { CONSENT_TEXT_VERSION } from '../../../src/challenge/capturing/consent-text.ts';
import type { CreateChallengeRequest } from '../../../src/contract/challenge-request.ts';
import { SANDBOX_OUTCOMES } from '../../../src/contract/sandbox.ts';
import { expectCompletedResult } from '../../support/spec-result.ts';
import { create, createRig, createStarted, type Rig } from '../challenge-rig.ts';

let live: Rig;
/** The same room, called with a sandbox key. */
let rig: Rig;
beforeAll(async () => {
  live = await createRig();
  rig = { ...live, caller: live.sandbox };
});
afterAll(() => live.close());

const notifications = {
  complete: [{ type: 'https' as const, properties: { endpoint_url: 'https://a.example/hook' } }],
};

async function resultOf(challengeId: string, caller = rig.caller) {
  const read = await rig.services.read(caller, challengeId);
  if (read.status !== 'ok') throw new Error(read.status);
  return read.result;
}

/** Ends a challenge at creation, by its reference. */
async function endedBy(outcome: string, body: Partial<CreateChallengeRequest> = {}) {
  const { challengeId } = await create(rig, { customer_reference: `sandbox:${outcome}`, ...body });
  const result = await resultOf(challengeId);
  expectCompletedResult(result, { livenessOnly: body.liveness_only ?? true });
  expect(result).toMatchObject({ sandbox: true, assets_links: [] });
  return result;
}

const enrol = async () => (await endedBy('pass')).liveness_result!.liveness_featid!;

describe('a sandbox challenge', () => {
  it('ends as its button says, with result, FeatureID and delivery as in live mode, marked as sandbox', async () => {
    const { challengeId, link } = await createStarted(rig, { notifications });
    const state = await rig.services.state(link);
    expect(state).toMatchObject({ state: { sandbox_outcomes: ['pass', 'spoof', 'no_face'] } });
    expect(await rig.services.settleInSandbox(link, 'pass')).toEqual({ status: 'ok' });
    expect(await rig.services.outcome(link, 0)).toMatchObject({ outcome: { status: 'done' } });
    const result = await resultOf(challengeId);
    expectCompletedResult(result, { livenessOnly: true });
    expect(result).toMatchObject({ overall_result: 'pass', sandbox: true, assets_links: [] });
    expect(result.initiated_at).not.toBeNull();
    const rows = await rig.database.db
      .selectFrom('delivery')
      .select('event')
      .where('challenge_id', '=', challengeId)
      .execute();
    expect(rows).toEqual([{ event: 'complete' }]);
    // Only once.
    expect(await rig.services.settleInSandbox(link, 'spoof')).toMatchObject({ status: 'closed' });
  });

  it('accepts no recording, and waits for consent where it is required', async () => {
    const { link, challengeId } = await createStarted(rig, { require_consent: true });
    expect(await rig.services.issueCapture(link)).toEqual({ status: 'conflict', code: 'sandbox' });
    const early = await rig.services.settleInSandbox(link, 'pass');
    expect(early).toEqual({ status: 'conflict', code: 'consent_required' });
    const text = { text_version: CONSENT_TEXT_VERSION, text_sha256: 'ab'.repeat(32), language: 'en' };
    await rig.services.consent(link, { decision: 'given', ...text });
    const script = { steps: [{ prompt: 'smile' as const, hold_ms: 500 }], max_step_ms: 6000 };
    const capture = {
      kind: 'issue' as const,
      id: 'cap_0',
      script,
      asksPasskey: false,
      level: 'standard' as const,
      commitWithinMs: 1,
      maxRestarts: 1,
      maxTries: 3,
    };
    const device = hashSecret(link.device!);
    const change = { challengeId, action: 'issueCapture' as const, device, capture };
    expect(await rig.parts.store.apply(change)).toEqual({ status: 'refused' });
    expect(await rig.services.settleInSandbox({ token: link.token }, 'no_face')).toMatchObject({
      code: 'other_device',
    });
    expect(await rig.services.settleInSandbox(link, 'no_match')).toEqual({ status: 'not_found' });
    expect(await rig.services.settleInSandbox(link, 'no_face')).toEqual({ status: 'ok' });
    const result = await resultOf(challengeId);
    expect(result.consent_given_at).not.toBeNull();
    expect(result.liveness_result).toMatchObject({ face: false, overall: false, liveness_featid: null });
    expect(result.diagnostics.reasons).toEqual(['face_missing']);
  });

  it('ends by itself where its reference names an outcome, and is replayed for a repeated creation', async () => {
    expect(await endedBy('pass')).toMatchObject({ overall_result: 'pass' });
    const spoof = await endedBy('spoof');
    expect(spoof).toMatchObject({ overall_result: 'fail', liveness_result: { spoof_result: false } });
    const body = { liveness_only: true, customer_reference: 'sandbox:no_face' };
    const [first, again] = [
      await rig.services.create(rig.caller, { body, idempotencyKey: 'key-1' }),
      await rig.services.create(rig.caller, { body, idempotencyKey: 'key-1' }),
    ];
    expect([first, again]).toMatchObject([
      { status: 'created', replayed: false },
      { status: 'created', replayed: true },
    ]);
  });

  it('refuses a sandbox reference that names no possible outcome; a live account accepts it as any reference', async () => {
    const fault = { pointer: '/customer_reference', code: 'not_allowed_value' };
    for (const reference of ['sandbox:', 'sandbox:Pass', 'sandbox:no_match']) {
      const body = { liveness_only: true, customer_reference: reference };
      const outcome = await rig.services.create(rig.caller, { body });
      expect(outcome).toMatchObject({ status: 'invalid', faults: [fault] });
      expect(await live.services.create(live.caller, { body })).toMatchObject({ status: 'created' });
    }
  });
});

describe('FeatureIDs of the sandbox', () => {
  it('are compared as the outcome says, and not once they are revoked', async () => {
    const [one, other] = [await enrol(), await enrol()];
    const compare = { liveness_only: false, compare_to_featids: [one, other] };
    const passed = await endedBy('pass', compare);
    expect(passed.match_result).toMatchObject({
      compared_to_featids: [one, other].map((featid) => ({ featid, score: 0.91, result: 'pass' })),
    });
    const failed = await endedBy('no_match', compare);
    expect(failed).toMatchObject({ overall_result: 'fail', liveness_result: { overall: true } });
    expect(failed.match_result).toMatchObject({
      compared_to_featids: [{ score: 0.12, result: 'fail', likeness_features: { nose: 'Fail' } }, {}],
    });
    const { link, challengeId } = await createStarted(rig, compare);
    await live.featids.revoke(rig.caller.accountId, one, 'test');
    await rig.services.settleInSandbox(link, 'pass');
    expect((await resultOf(challengeId)).match_result).toMatchObject({
      compared_to_featids: [{ featid: other }],
    });
  });

  it('are paused after failed comparisons like any other', async () => {
    const compare = { liveness_only: false, compare_to_featids: [await enrol()] };
    for (let failure = 0; failure < 5; failure++) await endedBy('no_match', compare);
    expect(await rig.services.create(rig.caller, { body: compare })).toMatchObject({ status: 'paused' });
  });
});

describe('the sandbox and the live account', () => {
  it('are isolated from each other', async () => {
    const featid = await enrol();
    const { challengeId } = await create(rig);
    expect(await rig.services.read(live.caller, challengeId)).toEqual({ status: 'not_found' });
    expect(await rig.services.cancel(live.caller, challengeId)).toEqual({ status: 'not_found' });
    expect(await live.featids.check(live.caller.accountId, [featid])).toEqual([
      { ok: false, code: 'featid_unknown' },
    ]);
    const listed = await rig.services.list(rig.caller, { limit: 1 });
    expect(listed).toMatchObject({ data: [{ sandbox: true }] });
    const opened = await createStarted(live);
    for (const outcome of SANDBOX_OUTCOMES) {
      expect(await live.services.settleInSandbox(opened.link, outcome)).toEqual({ status: 'not_found' });
    }
    expect(await resultOf(opened.challengeId, live.caller)).not.toHaveProperty('sandbox');
    expect(await live.services.issueCapture(opened.link)).toMatchObject({ status: 'ok' });
  });
});
