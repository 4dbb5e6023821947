// The device beside the face, from the ask to the result, on a real database: enrolment, comparison, new devices, and
// whoever has the face without the device.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomSecret } from '../../../src/base/secrets.ts';
import { expireDue } from '../../../src/challenge/closing/expire-due.ts';
import { settleJudgement } from '../../../src/challenge/closing/settle-judgement.ts';
import type { Link } from '../../../src/challenge/services.ts';
import type { DeviceResult, MadePasskey, PasskeyAnswer, PasskeyAsk } from '../../../src/contract/device.ts';
import { parseFeatid } from '../../../src/featid/featid-text.ts';
import { attested } from '../../../src/passkeys/attestation/attested.ts';
import { insertPasskey, usePasskey } from '../../../src/passkeys/tables/store.ts';
import type { Trx } from '../../../src/storage/postgres/database.ts';
import { SOME_FACTS } from '../../cli/receipts.ts';
import { issue } from '../../passkeys/attestation/authority.ts';
import { packed } from '../../passkeys/attestation-object.ts';
import { type Claims, SoftwarePasskey } from '../../support/authenticator.ts';
import {
  beginJudgement,
  commit,
  type create,
  createRig,
  createStarted,
  expireIn,
  judgementOf,
  type Opened,
  type Rig,
  receiptOf,
  resultOf,
  settle,
  someVideo,
  submit,
} from '../challenge-rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await createRig();
});
afterAll(() => rig.close());

const ENROLMENT = { liveness_only: true, device_binding: 'offer' } as const;
const comparing = (featid: string) => ({ liveness_only: false, compare_to_featids: [featid] });

/** What the device is to sign: the rig's recordings are one slice. */
function claimsOf({ challengeId }: Opened, video: Uint8Array, changes: Partial<Claims> = {}): Claims {
  const slice = createHash('sha256').update(video).digest();
  const head = createHash('sha256').update(slice).digest();
  return {
    challenge: createHash('sha256').update(challengeId).update(head).digest(),
    origin: 'https://likeness.test',
    rpId: 'likeness.test',
    userVerified: true,
    signCount: 0,
    backedUp: false,
    algorithm: -7,
    ...changes,
  };
}

const made = (passkey: SoftwarePasskey, claims: Claims): PasskeyAnswer => ({
  kind: 'made',
  made: passkey.make(claims),
});
const signed = (passkey: SoftwarePasskey, claims: Claims): PasskeyAnswer => ({
  kind: 'signed',
  signed: passkey.sign(claims),
});
const DECLINED: PasskeyAnswer = { kind: 'declined' };

interface Recorded {
  readonly captureId: string;
  readonly ask: PasskeyAsk;
  readonly video: Buffer;
}

/** A recording of which every byte has arrived. */
async function record(link: Link): Promise<Recorded> {
  const video = someVideo();
  const { capture_id: captureId, passkey } = await commit(rig, link, video);
  if (!passkey) throw new Error('the device is not asked');
  await rig.services.acceptBytes(link, captureId, 0, async () => video);
  return { captureId, ask: passkey, video };
}

async function answer(link: Link, captureId: string, given: PasskeyAnswer) {
  const taken = await rig.services.answerPasskey(link, captureId, given);
  expect(taken).toMatchObject({ status: 'ok', received: { state: 'submitted' } });
}

/** Takes a challenge to its end: records, lets the device answer, settles a judgement that passes. */
async function take(
  opened: Opened,
  answerOf: (recorded: Recorded) => PasskeyAnswer,
  judgement: Parameters<typeof judgementOf>[0] = {},
) {
  const recorded = await record(opened.link);
  await answer(opened.link, recorded.captureId, answerOf(recorded));
  await settle(rig, recorded.captureId, judgementOf(judgement));
  const result = await resultOf(rig, opened);
  await expectAudited(opened, result.device_result);
  return result;
}

/** The audit log says what the device showed, once, and not since when it is bound; nothing where none was asked. */
async function expectAudited({ challengeId }: Opened, shown: DeviceResult | null) {
  const { rows } = await sql<{ actor: string; account_id: string; detail: unknown }>`
    select actor, account_id, detail from audit
    where subject = ${challengeId} and action = 'challenge.device_checked'`.execute(rig.database.db);
  const said = shown && { device_result: { status: shown.status, backed_up: shown.backed_up } };
  const { accountId } = rig.caller;
  expect(rows).toEqual(said ? [{ actor: 'system', account_id: accountId, detail: said }] : []);
}

/** A FeatureID that is bound to this passkey. */
async function enrol(passkey: SoftwarePasskey, changes: Partial<Claims> = {}): Promise<string> {
  const opened = await createStarted(rig, ENROLMENT);
  const result = await take(opened, ({ video }) => made(passkey, claimsOf(opened, video, changes)));
  expect(result.device_result?.status).toBe('bound');
  return result.liveness_result!.liveness_featid!;
}

const match = (featid: string, result: 'pass' | 'fail' = 'pass') => ({
  compared: [
    {
      featid,
      featidId: parseFeatid(featid)!.id,
      source: 'liveness_video' as const,
      score: result === 'pass' ? 0.9 : 0.1,
      result,
      likeness_features: {},
    },
  ],
});

/** A comparison that passes but for its device. */
async function compare(
  featid: string,
  answerOf: (opened: Opened, recorded: Recorded) => PasskeyAnswer,
  request: Parameters<typeof create>[1] = { device_binding: 'require' },
) {
  const opened = await createStarted(rig, { ...comparing(featid), ...request });
  return take(opened, (recorded) => answerOf(opened, recorded), match(featid));
}

/** The sealed passkey of the challenge's earlier tries. */
async function keptKey({ challengeId }: Opened): Promise<Buffer | null> {
  const { sealed_made_passkey } = await rig.database.db
    .selectFrom('challenge')
    .select('sealed_made_passkey')
    .where('id', '=', challengeId)
    .executeTakeFirstOrThrow();
  return sealed_made_passkey;
}

const devicesOf = async (featid: string) => {
  const listed = await rig.parts.passkeys.list(rig.caller.accountId, featid);
  if (!listed.ok) throw new Error(listed.code);
  return listed.devices;
};

describe('enrolment', () => {
  it('makes a FeatureID that is bound to the device, and says so', async () => {
    const opened = await createStarted(rig, { ...ENROLMENT, device_binding: 'require' });
    const passkey = new SoftwarePasskey();
    const answerOf = ({ ask, video }: Recorded) => {
      expect(ask).toMatchObject({ rp_id: 'likeness.test', rp_name: 'first Ltd', required: true, known: [] });
      expect(Buffer.from(ask.new_user_id!, 'base64url')).toHaveLength(32);
      return made(passkey, claimsOf(opened, video, { backedUp: true }));
    };
    const result = await take(opened, answerOf, { receipt: SOME_FACTS });
    expect(result).toMatchObject({
      overall_result: 'pass',
      device_result: { status: 'bound', backed_up: true, credential_since: expect.any(String) },
    });
    expect(result.events.map(({ name }) => name).slice(-2)).toEqual(['evaluation_completed', 'device_added']);
    const { accountId } = rig.caller;
    const [payload] = await rig.services.payloads([{ accountId, challengeId: opened.challengeId }]);
    expect(payload).toMatchObject({ status: 'ready', result: { device_result: result.device_result } });
    expect((await receiptOf(rig, opened)).device_result).toEqual(result.device_result);
    expect(await devicesOf(result.liveness_result!.liveness_featid!)).toEqual([
      {
        device_id: expect.stringMatching(/^dev_/),
        since: result.device_result!.credential_since,
        backed_up: true,
        transports: ['internal'],
      },
    ]);
  });

  it.each([
    ['offer', DECLINED, 'none', 'pass'],
    ['offer', { kind: 'unavailable' }, 'unavailable', 'pass'],
    ['require', DECLINED, 'none', 'fail'],
    ['require', { kind: 'unavailable' }, 'unavailable', 'fail'],
    ['require', { kind: 'made' }, 'failed', 'fail'],
    ['require', { kind: 'signed' }, 'failed', 'fail'],
  ] as const)('%s, answered %j: %s, %s', async (binding, given, status, overall) => {
    const opened = await createStarted(rig, { ...ENROLMENT, device_binding: binding });
    const result = await take(opened, () => given);
    expect(result.overall_result).toBe(overall);
    expect(result.device_result).toEqual({ status, backed_up: null, credential_since: null });
    // No FeatureID without the device that its client requires.
    expect(result.liveness_result!.liveness_featid === null).toBe(overall === 'fail');
    expect(result.diagnostics.reasons.includes('device_not_bound')).toBe(overall === 'fail');
  });

  it('binds nothing to a spoof', async () => {
    const opened = await createStarted(rig, ENROLMENT);
    const liveness = { face: true, smile: true, spoof_result: false, overall: false };
    const answerOf = ({ video }: Recorded) => made(new SoftwarePasskey(), claimsOf(opened, video));
    const result = await take(opened, answerOf, { liveness });
    expect(result).toMatchObject({ overall_result: 'fail', device_result: { status: 'none' } });
  });

  it('makes the key once: it signs the next try, and is bound then', async () => {
    const opened = await createStarted(rig, ENROLMENT);
    const passkey = new SoftwarePasskey();
    const first = await record(opened.link);
    await answer(opened.link, first.captureId, made(passkey, claimsOf(opened, first.video)));
    expect(await settle(rig, first.captureId, judgementOf({ retry: 'too_dark' }))).toBe('retried');
    const result = await take(opened, ({ ask, video }) => {
      expect(ask).toMatchObject({ known: [{ id: passkey.credentialId }], new_user_id: null });
      return signed(passkey, claimsOf(opened, video, { signCount: 2 }));
    });
    expect(result.device_result?.status).toBe('bound');
    expect(await devicesOf(result.liveness_result!.liveness_featid!)).toHaveLength(1);
  });

  it.each([
    3, 2, 0,
  ])('binds nothing where the key’s count goes from 3 to %i in the next try', async (next) => {
    const opened = await createStarted(rig, ENROLMENT);
    const passkey = new SoftwarePasskey();
    const first = await record(opened.link);
    const claims = claimsOf(opened, first.video, { signCount: 3 });
    await answer(opened.link, first.captureId, made(passkey, claims));
    await settle(rig, first.captureId, judgementOf({ retry: 'too_dark' }));
    const result = await take(opened, ({ video }) =>
      signed(passkey, claimsOf(opened, video, { signCount: next })),
    );
    expect(result).toMatchObject({ overall_result: 'pass', device_result: { status: 'failed' } });
  });

  it.each([
    ['cancelled', async ({ challengeId }: Opened) => rig.services.cancel(rig.caller, challengeId)],
    [
      'expired',
      async ({ challengeId }: Opened) => {
        await expireIn(rig, challengeId, -1);
        await expireDue({ ...rig.parts, sweep: rig.sweep });
      },
    ],
    ['completed', async (opened: Opened) => take(opened, () => DECLINED)],
  ])('forgets the key that it made for a try when the challenge is %s', async (_, end) => {
    const opened = await createStarted(rig, ENROLMENT);
    const first = await record(opened.link);
    const given = made(new SoftwarePasskey(), claimsOf(opened, first.video));
    await answer(opened.link, first.captureId, given);
    await settle(rig, first.captureId, judgementOf({ retry: 'too_dark' }));
    expect(await keptKey(opened)).not.toBeNull();
    await end(opened);
    expect(await keptKey(opened)).toBeNull();
  });

  it('keeps no key of a try that is sent back after the challenge’s end', async () => {
    const opened = await createStarted(rig, ENROLMENT);
    const { captureId, video } = await record(opened.link);
    await answer(opened.link, captureId, made(new SoftwarePasskey(), claimsOf(opened, video)));
    await expireIn(rig, opened.challengeId, -1);
    expect(await settle(rig, captureId, judgementOf({ retry: 'too_dark' }))).toBe('expired');
    expect(await keptKey(opened)).toBeNull();
  });

  it('makes another key where the person goes on in another browser', async () => {
    const opened = await createStarted(rig, ENROLMENT);
    const first = await record(opened.link);
    await answer(opened.link, first.captureId, made(new SoftwarePasskey(), claimsOf(opened, first.video)));
    await settle(rig, first.captureId, judgementOf({ retry: 'too_dark' }));
    const link = { ...opened.link, device: randomSecret(32) };
    expect(await rig.services.start(link)).toMatchObject({ status: 'ok' });
    const { ask } = await record(link);
    expect(ask).toMatchObject({ known: [], new_user_id: expect.any(String) });
    expect(ask.new_user_id).not.toBe(first.ask.new_user_id);
  });

  it('asks nothing where the client does not', async () => {
    const opened = await createStarted(rig);
    await settle(rig, await submit(rig, opened.link), judgementOf());
    expect((await resultOf(rig, opened)).device_result).toBeNull();
    await expectAudited(opened, null);
  });
});

describe('the upload', () => {
  it('takes one of two answers that two tabs give at once', async () => {
    const opened = await createStarted(rig, ENROLMENT);
    const video = someVideo();
    const { capture_id } = await commit(rig, opened.link, video);
    const passkeys = [new SoftwarePasskey(), new SoftwarePasskey()];
    const answers = await Promise.all(
      passkeys.map((passkey) =>
        rig.services.answerPasskey(opened.link, capture_id, made(passkey, claimsOf(opened, video))),
      ),
    );
    const taken = passkeys.filter((_, at) => answers[at]!.status === 'ok');
    expect(taken, JSON.stringify(answers)).toHaveLength(1);
    await rig.services.acceptBytes(opened.link, capture_id, 0, async () => video);
    await settle(rig, capture_id, judgementOf());
    const { liveness_result } = await resultOf(rig, opened);
    const { link } = await createStarted(rig, {
      ...comparing(liveness_result!.liveness_featid!),
      device_binding: 'require',
    });
    const { ask } = await record(link);
    expect(ask.known.map(({ id }) => id)).toEqual([taken[0]!.credentialId]);
  });

  it('is complete with the answer, whichever comes last, and the first answer counts', async () => {
    const opened = await createStarted(rig, ENROLMENT);
    const video = someVideo();
    const { capture_id } = await commit(rig, opened.link, video);
    const first = made(new SoftwarePasskey(), claimsOf(opened, video));
    expect(await rig.services.answerPasskey(opened.link, capture_id, first)).toMatchObject({
      status: 'ok',
      received: { state: 'committed', received_bytes: 0 },
    });
    expect(await rig.services.answerPasskey(opened.link, capture_id, DECLINED)).toMatchObject({
      status: 'wrong_offset',
    });
    expect(await rig.services.acceptBytes(opened.link, capture_id, 0, async () => video)).toMatchObject({
      received: { state: 'submitted' },
    });
    await settle(rig, capture_id, judgementOf());
    expect((await resultOf(rig, opened)).device_result?.status).toBe('bound');
  });

  it('waits for the answer, and tells the page after a reload what it waits for', async () => {
    const opened = await createStarted(rig, ENROLMENT);
    const { captureId } = await record(opened.link);
    const waiting = { state: 'committed', passkey: { challenge_id: opened.challengeId } };
    expect(await rig.services.progress(opened.link, captureId)).toMatchObject({ progress: waiting });
    expect(await rig.services.state(opened.link)).toMatchObject({ state: { capture: waiting } });
    expect(await rig.sweep.listUnfinishedUploads(100)).not.toContain(captureId);
    await answer(opened.link, captureId, DECLINED);
  });

  it('refuses an answer that nobody asked for, before the commit, and of another device', async () => {
    const opened = await createStarted(rig);
    const { capture_id: plain } = await commit(rig, opened.link, someVideo());
    const refused = { status: 'conflict', code: 'passkey_not_asked' };
    expect(await rig.services.answerPasskey(opened.link, plain, DECLINED)).toMatchObject(refused);
    const asked = await createStarted(rig, ENROLMENT);
    const issued = await rig.services.issueCapture(asked.link);
    if (issued.status !== 'ok') throw new Error(issued.status);
    const { capture_id } = issued.capture;
    expect(await rig.services.answerPasskey(asked.link, capture_id, DECLINED)).toMatchObject(refused);
    const thief = { token: asked.link.token, device: 'x'.repeat(43) };
    expect(await rig.services.answerPasskey(thief, capture_id, DECLINED)).toMatchObject({
      code: 'other_device',
    });
  });

  it('asks for nothing, and ends, where the passkey is revoked while the device is asked', async () => {
    const featid = await enrol(new SoftwarePasskey());
    const opened = await createStarted(rig, { ...comparing(featid), device_binding: 'offer' });
    const { captureId } = await record(opened.link);
    const [device] = await devicesOf(featid);
    await rig.parts.passkeys.revoke(rig.caller.accountId, device!.device_id, 'test');
    const state = await rig.services.state(opened.link);
    expect(state).toMatchObject({ state: { capture: { passkey: { known: [], new_user_id: null } } } });
    await answer(opened.link, captureId, DECLINED);
    await settle(rig, captureId, judgementOf(match(featid)));
    expect(await resultOf(rig, opened)).toMatchObject({ device_result: { status: 'none' } });
  });

  it('does not outlive the challenge while it waits', async () => {
    const opened = await createStarted(rig, ENROLMENT);
    const { captureId } = await record(opened.link);
    await expireIn(rig, opened.challengeId, -1);
    expect(await rig.services.answerPasskey(opened.link, captureId, DECLINED)).toMatchObject({
      status: 'closed',
      current: 'expired',
    });
  });
});

describe('comparison', () => {
  it('passes with a signature of the FeatureID’s passkey', async () => {
    const passkey = new SoftwarePasskey();
    const featid = await enrol(passkey);
    const [device] = await devicesOf(featid);
    const result = await compare(featid, (opened, { ask, video }) => {
      expect(ask).toMatchObject({
        known: [{ id: passkey.credentialId, transports: ['internal'] }],
        new_user_id: null,
      });
      return signed(passkey, claimsOf(opened, video, { signCount: 1 }));
    });
    expect(result).toMatchObject({
      overall_result: 'pass',
      device_result: { status: 'bound', backed_up: false, credential_since: device!.since },
    });
  });

  it.each([
    ['no signature', 'new', () => DECLINED],
    ['a browser without passkeys', 'unavailable', () => ({ kind: 'unavailable' }) as PasskeyAnswer],
    [
      'a device of the attacker’s own',
      'failed',
      (opened: Opened, { video }: Recorded) => signed(new SoftwarePasskey(), claimsOf(opened, video)),
    ],
    [
      'a new passkey that nobody allows',
      'failed',
      (opened: Opened, { video }: Recorded) => made(new SoftwarePasskey(), claimsOf(opened, video)),
    ],
  ] as const)('with the face, the string and %s fails: %s', async (_, status, answerOf) => {
    const featid = await enrol(new SoftwarePasskey());
    const required = await compare(featid, answerOf);
    expect(required).toMatchObject({ overall_result: 'fail', device_result: { status } });
    expect(required.match_result).toMatchObject({ compared_to_featids: [{ result: 'pass' }] });
    const offered = await compare(featid, answerOf, { device_binding: 'offer' });
    expect(offered).toMatchObject({ overall_result: 'pass', device_result: { status } });
    expect(await devicesOf(featid)).toHaveLength(1);
  });

  it.each([
    ['another recording', { challenge: Buffer.alloc(32) }],
    ['another origin', { origin: 'https://likeness.test.evil.example' }],
    ['another RP ID', { rpId: 'evil.example' }],
    ['no user verification', { userVerified: false }],
  ] as [string, Partial<Claims>][])('does not hold for %s', async (_, lie) => {
    const passkey = new SoftwarePasskey();
    const featid = await enrol(passkey);
    const result = await compare(featid, (opened, { video }) =>
      signed(passkey, claimsOf(opened, video, { signCount: 1, ...lie })),
    );
    expect(result).toMatchObject({ overall_result: 'fail', device_result: { status: 'failed' } });
  });

  it('does not hold for a recording that was made anew after it was signed', async () => {
    const passkey = new SoftwarePasskey();
    const featid = await enrol(passkey);
    const result = await compare(featid, (opened) => signed(passkey, claimsOf(opened, someVideo())));
    expect(result).toMatchObject({ overall_result: 'fail', device_result: { status: 'failed' } });
  });

  it('does not pass for a FeatureID that was erased after it was signed', async () => {
    const passkey = new SoftwarePasskey();
    const featid = await enrol(passkey);
    const opened = await createStarted(rig, { ...comparing(featid), device_binding: 'require' });
    const recorded = await record(opened.link);
    await answer(opened.link, recorded.captureId, signed(passkey, claimsOf(opened, recorded.video)));
    await rig.featids.revoke(rig.caller.accountId, featid, 'key');
    await settle(rig, recorded.captureId, judgementOf(match(featid)));
    const result = await resultOf(rig, opened);
    expect(result.overall_result).toBe('fail');
    expect(result.device_result?.status).not.toBe('bound');
  });

  it('does not hold for the signature of another challenge, or with a count that went back', async () => {
    const passkey = new SoftwarePasskey();
    const featid = await enrol(passkey, { signCount: 5 });
    let kept: PasskeyAnswer | null = null;
    await compare(featid, (opened, { video }) => {
      kept = signed(passkey, claimsOf(opened, video, { signCount: 6 }));
      return kept;
    });
    expect((await compare(featid, () => kept!)).device_result?.status).toBe('failed');
    for (const signCount of [6, 4, 0]) {
      const back = await compare(featid, (opened, { video }) =>
        signed(passkey, claimsOf(opened, video, { signCount })),
      );
      expect(back).toMatchObject({ overall_result: 'fail', device_result: { status: 'failed' } });
    }
  });

  it('does not hold for the passkey of another account’s FeatureID', async () => {
    const passkey = new SoftwarePasskey();
    const elsewhere = { ...rig, caller: rig.stranger };
    const theirs = await createStarted(elsewhere, ENROLMENT);
    const recorded = await record(theirs.link);
    await answer(theirs.link, recorded.captureId, made(passkey, claimsOf(theirs, recorded.video)));
    await settle(rig, recorded.captureId, judgementOf());
    expect((await resultOf(elsewhere, theirs)).device_result?.status).toBe('bound');
    const featid = await enrol(new SoftwarePasskey());
    const result = await compare(featid, (opened, { video }) => signed(passkey, claimsOf(opened, video)));
    expect(result).toMatchObject({ overall_result: 'fail', device_result: { status: 'failed' } });
  });

  it('does not hold for the passkey of another FeatureID', async () => {
    const [mine, other] = [new SoftwarePasskey(), new SoftwarePasskey()];
    const [featid] = [await enrol(mine), await enrol(other)];
    const result = await compare(featid, (opened, { video }) => signed(other, claimsOf(opened, video)));
    expect(result.device_result?.status).toBe('failed');
  });

  it('is bound to the face: the passkey of a compared FeatureID that does not match is worth nothing', async () => {
    const [mine, other] = [new SoftwarePasskey(), new SoftwarePasskey()];
    const [featid, stranger] = [await enrol(mine), await enrol(other)];
    const request = { liveness_only: false, compare_to_featids: [featid, stranger] };
    const opened = await createStarted(rig, { ...request, device_binding: 'require' });
    const compared = [...match(featid).compared, ...match(stranger, 'fail').compared];
    const answerOf = ({ video }: Recorded) => signed(other, claimsOf(opened, video));
    const result = await take(opened, answerOf, { compared });
    expect(result).toMatchObject({ overall_result: 'fail', device_result: { status: 'failed' } });
  });

  it('asks nothing of a FeatureID without passkeys, and says `none`', async () => {
    const enrolment = await createStarted(rig);
    await settle(rig, await submit(rig, enrolment.link), judgementOf());
    const featid = (await resultOf(rig, enrolment)).liveness_result!.liveness_featid!;
    const body = { ...comparing(featid), device_binding: 'require' } as const;
    expect(await rig.services.create(rig.caller, { body })).toMatchObject({
      status: 'invalid',
      faults: [{ pointer: '/device_binding', code: 'not_allowed_value' }],
    });
    const opened = await createStarted(rig, { ...body, device_binding: 'offer' });
    await settle(rig, await submit(rig, opened.link), judgementOf(match(featid)));
    expect(await resultOf(rig, opened)).toMatchObject({
      overall_result: 'pass',
      device_result: { status: 'none' },
    });
  });

  it('with the passkey, a revoked device no longer passes', async () => {
    const passkey = new SoftwarePasskey();
    const featid = await enrol(passkey);
    const [device] = await devicesOf(featid);
    const opened = await createStarted(rig, { ...comparing(featid), device_binding: 'require' });
    const recorded = await record(opened.link);
    await answer(opened.link, recorded.captureId, signed(passkey, claimsOf(opened, recorded.video)));
    // Between the signature and the settlement.
    const { accountId } = rig.caller;
    expect(await rig.parts.passkeys.revoke(rig.stranger.accountId, device!.device_id, 'x')).toBe(false);
    expect(await rig.parts.passkeys.revoke(accountId, device!.device_id, 'key')).toBe(true);
    expect(await rig.parts.passkeys.revoke(accountId, device!.device_id, 'key')).toBe(false);
    await settle(rig, recorded.captureId, judgementOf(match(featid)));
    expect(await resultOf(rig, opened)).toMatchObject({ device_result: { status: 'failed' } });
    expect(await devicesOf(featid)).toEqual([]);
  });
});

describe('the public key', () => {
  /** The tables that have a row of this device: its sealed public key, and what opens that. */
  const kept = async (deviceId: string) => {
    const tables = ['passkey', 'featid_dependent', 'erasure_key'] as const;
    const rows = await Promise.all(
      tables.map((table) =>
        rig.database.db.selectFrom(table).select('id').where('id', '=', deviceId).execute(),
      ),
    );
    return tables.filter((_, index) => rows[index]!.length > 0);
  };

  it.each([
    [
      'its FeatureID is revoked',
      (_: Opened, featid: string) => rig.featids.revoke(rig.caller.accountId, featid, 'key'),
    ],
    [
      'the challenge that made its FeatureID is erased',
      ({ challengeId }: Opened) => rig.services.erase(rig.caller, challengeId),
    ],
    [
      'its device is revoked',
      async (_: Opened, featid: string) => {
        const [device] = await devicesOf(featid);
        return rig.parts.passkeys.revoke(rig.caller.accountId, device!.device_id, 'key');
      },
    ],
  ])('goes with its erasure key where %s', async (_, erase) => {
    const opened = await createStarted(rig, ENROLMENT);
    const answerOf = ({ video }: Recorded) => made(new SoftwarePasskey(), claimsOf(opened, video));
    const featid = (await take(opened, answerOf)).liveness_result!.liveness_featid!;
    const [device] = await devicesOf(featid);
    expect(await kept(device!.device_id)).toEqual(['passkey', 'featid_dependent', 'erasure_key']);
    await erase(opened, featid);
    expect(await kept(device!.device_id)).toEqual([]);
  });

  it('of a FeatureID that is revoked is listed no more', async () => {
    const featid = await enrol(new SoftwarePasskey());
    await rig.featids.revoke(rig.caller.accountId, featid, 'key');
    const listed = await rig.parts.passkeys.list(rig.caller.accountId, featid);
    expect(listed).toEqual({ ok: false, code: 'featid_revoked' });
  });
});

describe('a new device', () => {
  const ALLOWED = { device_binding: 'offer', allow_new_device: true } as const;

  it('is added where the client allows it, and signs from then on', async () => {
    const featid = await enrol(new SoftwarePasskey());
    const fresh = new SoftwarePasskey();
    const result = await compare(
      featid,
      (opened, { ask, video }) => {
        expect(ask.known).toHaveLength(1);
        expect(ask.new_user_id).not.toBeNull();
        return made(fresh, claimsOf(opened, video));
      },
      ALLOWED,
    );
    expect(result).toMatchObject({ overall_result: 'pass', device_result: { status: 'new' } });
    expect(result.events.at(-1)!.name).toBe('device_added');
    expect(await devicesOf(featid)).toHaveLength(2);
    const next = await compare(featid, (opened, { video }) => signed(fresh, claimsOf(opened, video)));
    expect(next.device_result?.status).toBe('bound');
  });

  it('goes to the FeatureID that has devices, of those that the face matches, while that may have more', async () => {
    const enrolment = await createStarted(rig, { liveness_only: true });
    await settle(rig, await submit(rig, enrolment.link), judgementOf());
    const plain = (await resultOf(rig, enrolment)).liveness_result!.liveness_featid!;
    const bound = await enrol(new SoftwarePasskey());
    const request = { liveness_only: false, compare_to_featids: [plain, bound], ...ALLOWED };
    const both = { compared: [...match(plain).compared, ...match(bound).compared] };
    const add = async () => {
      const opened = await createStarted(rig, request);
      return take(opened, ({ video }) => made(new SoftwarePasskey(), claimsOf(opened, video)), both);
    };
    for (let count = 1; count < 5; count++) await add();
    expect([await devicesOf(plain), await devicesOf(bound)].map(({ length }) => length)).toEqual([0, 5]);
    await add();
    expect([await devicesOf(plain), await devicesOf(bound)].map(({ length }) => length)).toEqual([1, 5]);
  });

  it('is not the device of an earlier one, which has its own id', async () => {
    const passkey = new SoftwarePasskey();
    const featid = await enrol(passkey);
    const again = await compare(
      featid,
      (opened, { video }) => made(passkey, claimsOf(opened, video)),
      ALLOWED,
    );
    expect(again.device_result?.status).toBe('failed');
    expect(await devicesOf(featid)).toHaveLength(1);
  });

  it('is not added by a spoof, though it has the face', async () => {
    const featid = await enrol(new SoftwarePasskey());
    const opened = await createStarted(rig, { ...comparing(featid), ...ALLOWED });
    const liveness = { face: true, smile: true, spoof_result: false, overall: false };
    const answerOf = ({ video }: Recorded) => made(new SoftwarePasskey(), claimsOf(opened, video));
    const result = await take(opened, answerOf, { ...match(featid), liveness });
    expect(result).toMatchObject({ overall_result: 'fail', device_result: { status: 'none' } });
    expect(result.events.map(({ name }) => name)).not.toContain('device_added');
    expect(await devicesOf(featid)).toHaveLength(1);
  });

  it('is not added to a face that does not match, nor beyond five', async () => {
    const featid = await enrol(new SoftwarePasskey());
    const opened = await createStarted(rig, { ...comparing(featid), ...ALLOWED });
    const answerOf = ({ video }: Recorded) => made(new SoftwarePasskey(), claimsOf(opened, video));
    const result = await take(opened, answerOf, match(featid, 'fail'));
    expect(result).toMatchObject({ overall_result: 'fail', device_result: { status: 'none' } });
    const add = () =>
      compare(featid, (each, { video }) => made(new SoftwarePasskey(), claimsOf(each, video)), ALLOWED);
    for (let count = 1; count < 5; count++) await add();
    expect(await devicesOf(featid)).toHaveLength(5);
    const full = await createStarted(rig, { ...comparing(featid), ...ALLOWED });
    expect((await record(full.link)).ask.new_user_id).toBeNull();
    // Whoever makes one all the same does so in vain.
    expect((await add()).device_result?.status).toBe('failed');
    expect(await devicesOf(featid)).toHaveLength(5);
  });

  it.each([
    { device_binding: 'require', allow_new_device: true },
    { allow_new_device: true },
    { liveness_only: true, device_binding: 'offer', allow_new_device: true },
  ] as const)('is refused in a request where it means nothing: %j', async (changes) => {
    const featid = await enrol(new SoftwarePasskey());
    const isEnrolment = 'liveness_only' in changes;
    const body = { ...(isEnrolment ? {} : comparing(featid)), liveness_only: isEnrolment, ...changes };
    const outcome = await rig.services.create(rig.caller, { body });
    expect(outcome).toMatchObject({
      status: 'invalid',
      faults: [{ pointer: '/allow_new_device', code: 'not_allowed_value' }],
    });
  });
});

describe('a lower level for bound devices', () => {
  const LOWER = { liveness_level: 'standard', liveness_level_when_bound: 'quick' } as const;

  it('asks less of the person, and the result says so', async () => {
    const passkey = new SoftwarePasskey();
    const featid = await enrol(passkey);
    const request = { ...comparing(featid), device_binding: 'require', ...LOWER } as const;
    const opened = await createStarted(rig, request);
    const video = someVideo();
    const capture = await commit(rig, opened.link, video);
    // Rest, a target and a smile.
    expect(capture.step_count).toBe(3);
    await rig.services.acceptBytes(opened.link, capture.capture_id, 0, async () => video);
    await answer(opened.link, capture.capture_id, signed(passkey, claimsOf(opened, video)));
    await settle(rig, capture.capture_id, judgementOf({ ...match(featid), receipt: SOME_FACTS }));
    for (const read of [resultOf, receiptOf])
      expect(await read(rig, opened)).toMatchObject({ overall_result: 'pass', liveness_level: 'quick' });
  });

  it.each([
    ['passes', match],
    ['is a spoof', () => ({ liveness: { face: true, smile: true, spoof_result: false, overall: false } })],
  ] as const)('without a signature asks again at the full level, whether the face %s', async (_, judged) => {
    const featid = await enrol(new SoftwarePasskey());
    const request = { ...comparing(featid), device_binding: 'offer', ...LOWER } as const;
    const opened = await createStarted(rig, request);
    const { captureId } = await record(opened.link);
    await answer(opened.link, captureId, DECLINED);
    expect(await settle(rig, captureId, judgementOf(judged(featid)))).toBe('retried');
    expect(await rig.services.outcome(opened.link, 0)).toMatchObject({
      outcome: { status: 'retry', retry: { reason: 'device_missing' } },
    });
    const result = await take(opened, () => DECLINED, match(featid));
    expect(result).toMatchObject({
      overall_result: 'pass',
      liveness_level: 'standard',
      device_result: { status: 'new' },
    });
  });

  it.each([
    ['declines', () => DECLINED],
    [
      'brings a device of their own',
      (opened: Opened, video: Uint8Array) => made(new SoftwarePasskey(), claimsOf(opened, video)),
    ],
  ])('neither passes nor adds a device at the lower level without a signature, at the last try either, for somebody who %s', async (_, given) => {
    const featid = await enrol(new SoftwarePasskey());
    const request = {
      ...comparing(featid),
      device_binding: 'offer',
      allow_new_device: true,
      ...LOWER,
    } as const;
    const opened = await createStarted(rig, request);
    for (const retry of ['too_dark', 'too_dark'] as const) {
      const passed = await record(opened.link);
      await answer(opened.link, passed.captureId, DECLINED);
      await rig.database.db
        .updateTable('capture')
        .set({ level: 'quick' })
        .where('id', '=', passed.captureId)
        .execute();
      await settle(rig, passed.captureId, judgementOf({ retry }));
    }
    const last = await record(opened.link);
    await rig.database.db
      .updateTable('capture')
      .set({ level: 'quick' })
      .where('id', '=', last.captureId)
      .execute();
    await answer(opened.link, last.captureId, given(opened, last.video));
    await settle(rig, last.captureId, judgementOf(match(featid)));
    expect(await devicesOf(featid)).toHaveLength(1);
    expect(await resultOf(rig, opened)).toMatchObject({
      overall_result: 'fail',
      device_result: { status: 'new', credential_since: null },
      // Nor is anything made of a recording of which less was asked.
      liveness_result: { overall: true, liveness_featid: null },
      diagnostics: { reasons: ['device_not_bound'] },
    });
  });

  it('is refused without a comparison that asks for a device', async () => {
    const featid = await enrol(new SoftwarePasskey());
    for (const body of [
      { ...comparing(featid), liveness_level_when_bound: 'quick' as const },
      { ...ENROLMENT, liveness_level_when_bound: 'quick' as const },
    ])
      expect(await rig.services.create(rig.caller, { body })).toMatchObject({
        status: 'invalid',
        faults: [{ pointer: '/liveness_level_when_bound', code: 'not_allowed_value' }],
      });
  });

  it('is never higher than the level without the device', async () => {
    const featid = await enrol(new SoftwarePasskey());
    const create = (levels: object) =>
      rig.services.create(rig.caller, {
        body: { ...comparing(featid), device_binding: 'offer', ...levels },
      });
    for (const [without, bound] of [
      ['quick', 'standard'],
      ['quick', 'high'],
      ['standard', 'high'],
    ])
      expect(await create({ liveness_level: without, liveness_level_when_bound: bound })).toMatchObject({
        status: 'invalid',
        faults: [
          { pointer: '/liveness_level_when_bound', detail: `is higher than liveness_level, ${without}` },
        ],
      });
    const equal = { liveness_level: 'high', liveness_level_when_bound: 'high' };
    expect(await create(equal)).toMatchObject({ status: 'created' });
  });
});

it('binds once when a worker dies over a signed recording and others take it', async () => {
  const opened = await createStarted(rig, ENROLMENT);
  const { captureId, video } = await record(opened.link);
  await answer(opened.link, captureId, made(new SoftwarePasskey(), claimsOf(opened, video)));
  await beginJudgement(rig, captureId);
  const begun = [await beginJudgement(rig, captureId), await beginJudgement(rig, captureId)];
  const settled = await Promise.all(begun.map((each) => settleJudgement(rig.parts, each, judgementOf())));
  expect(settled.toSorted()).toEqual(['completed', 'superseded']);
  const result = await resultOf(rig, opened);
  expect(result.device_result?.status).toBe('bound');
  expect(await devicesOf(result.liveness_result!.liveness_featid!)).toHaveLength(1);
});

describe('at once', () => {
  /** Settles judgements of these recordings that all have begun, and resolves with what the device came to in each. */
  async function settleAtOnce(recorded: readonly { opened: Opened; captureId: string }[], featid: string) {
    const begun: Awaited<ReturnType<typeof beginJudgement>>[] = [];
    for (const { captureId } of recorded) begun.push(await beginJudgement(rig, captureId));
    const settled = await Promise.all(
      begun.map((each) => settleJudgement(rig.parts, each, judgementOf(match(featid)))),
    );
    expect(settled).toEqual(recorded.map(() => 'completed'));
    const results = await Promise.all(recorded.map(({ opened }) => resultOf(rig, opened)));
    return results.map(({ device_result }) => device_result?.status).toSorted();
  }

  /** Two recordings that compare with a FeatureID, each with its device's answer. */
  async function recordTwo(
    request: Parameters<typeof create>[1],
    answerOf: (opened: Opened, video: Uint8Array) => PasskeyAnswer,
  ) {
    const recordings = [];
    for (let count = 0; count < 2; count++) {
      const opened = await createStarted(rig, request);
      const { captureId, video } = await record(opened.link);
      await answer(opened.link, captureId, answerOf(opened, video));
      recordings.push({ opened, captureId });
    }
    return recordings;
  }

  /** A FeatureID with four devices, and the request that lets a person add another. */
  async function withFour() {
    const featid = await enrol(new SoftwarePasskey());
    const request = { device_binding: 'offer', allow_new_device: true } as const;
    for (let count = 1; count < 4; count++)
      await compare(
        featid,
        (opened, { video }) => made(new SoftwarePasskey(), claimsOf(opened, video)),
        request,
      );
    return { featid, request: { ...comparing(featid), ...request } };
  }

  /**
   * Lets two transactions do this, the second from when the first has, which ends once the second is done or waits.
   * A settlement takes its turn already for the FeatureIDs that it compares with; whoever comes without does so here.
   */
  async function overlapping(work: (trx: Trx) => Promise<boolean>): Promise<boolean[]> {
    const { db } = rig.database;
    let hasSecondEnded = false;
    const first = await db.transaction().execute(async (trx) => {
      const did = await work(trx);
      const second = db
        .transaction()
        .execute(work)
        .finally(() => {
          hasSecondEnded = true;
        });
      await expect.poll(async () => hasSecondEnded || (await waitsForLock())).toBe(true);
      return { did, second };
    });
    return [first.did, await first.second];
  }

  async function waitsForLock(): Promise<boolean> {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(rig.database.db);
    return rows.length > 0;
  }

  it('one count of a passkey binds one of two settlements', async () => {
    const passkey = new SoftwarePasskey();
    const featid = await enrol(passkey);
    const request = { ...comparing(featid), device_binding: 'require' } as const;
    const two = await recordTwo(request, (opened, video) =>
      signed(passkey, claimsOf(opened, video, { signCount: 1 })),
    );
    expect(await settleAtOnce(two, featid)).toEqual(['bound', 'failed']);
  });

  it('two new devices are added to a FeatureID that has four: one of them', async () => {
    const { featid, request } = await withFour();
    const two = await recordTwo(request, (opened, video) =>
      made(new SoftwarePasskey(), claimsOf(opened, video)),
    );
    expect(await settleAtOnce(two, featid)).toEqual(['failed', 'new']);
    expect(await devicesOf(featid)).toHaveLength(5);
  });

  it('one count is used in one of two transactions', async () => {
    const [device] = await devicesOf(await enrol(new SoftwarePasskey()));
    const use = { id: device!.device_id, signCount: 1 };
    expect(await overlapping((trx) => usePasskey(trx, use))).toEqual([true, false]);
  });

  it('a fifth passkey is inserted in one of two transactions', async () => {
    const { featid } = await withFour();
    const { accountId } = rig.caller;
    const key = { credentialId: 'AQID', publicKey: 'BAUG', transports: [], signCount: 0, backedUp: false };
    const insert = async (trx: Trx) => {
      const passkey = await rig.parts.passkeys.seal(accountId, key, new Date().toISOString());
      return insertPasskey(trx, parseFeatid(featid)!.id, passkey);
    };
    expect(await overlapping(insert)).toEqual([true, false]);
    expect(await devicesOf(featid)).toHaveLength(5);
  });
});

it('never binds in the sandbox', async () => {
  const body = { liveness_only: true, require_consent: false, device_binding: 'require' } as const;
  const reference = { ...body, customer_reference: 'sandbox:pass' };
  const made_ = await rig.services.create(rig.sandbox, { body: reference });
  if (made_.status !== 'created') throw new Error(JSON.stringify(made_));
  const read = await rig.services.read(rig.sandbox, made_.response.challenge_id);
  expect(read).toMatchObject({ result: { overall_result: 'pass', device_result: { status: 'none' } } });
});

describe('a device whose maker is to be trusted', () => {
  it('is bound with its maker’s word, and fails the check without', async () => {
    const maker = await issue({ isAuthority: true, name: 'Root' });
    const { certificate, key } = await issue({ issuer: maker });
    const passkeys = attested(rig.parts.passkeys, () => [maker.certificate]);
    const enrolled = async (vouch: (made: MadePasskey) => MadePasskey) => {
      const opened = await createStarted(rig, { ...ENROLMENT, device_binding: 'require' });
      const { captureId, video } = await record(opened.link);
      const plain = new SoftwarePasskey().make(claimsOf(opened, video));
      await answer(opened.link, captureId, { kind: 'made', made: vouch(plain) });
      await settle({ ...rig, parts: { ...rig.parts, passkeys } }, captureId, judgementOf());
      return resultOf(rig, opened);
    };
    expect(await enrolled((made) => packed(made, key, [certificate]))).toMatchObject({
      overall_result: 'pass',
      device_result: { status: 'bound' },
    });
    const silent = await enrolled((made) => made);
    expect(silent).toMatchObject({ overall_result: 'fail', device_result: { status: 'failed' } });
    expect(silent.liveness_result?.liveness_featid ?? null).toBeNull();
  });
});
