// A deployment for the tests of `likeness assurance`: judged challenges, and everything that no report may hold.
import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { StoredTry } from '../../src/challenge/challenge.ts';
import type { CreateChallengeRequest } from '../../src/contract/challenge-request.ts';
import { parseFeatid } from '../../src/featid/featid-text.ts';
import { insertFeatid } from '../../src/featid/tables/keys.ts';
import type { FaceTemplate } from '../../src/featid/template.ts';
import {
  commit,
  createStarted,
  judgementOf,
  type Rig,
  resultOf,
  settle,
  sliceOf,
  someTemplate,
  submit,
} from '../challenge/challenge-rig.ts';
import { Phone } from '../support/phone.ts';
import type { Secrets } from '../support/secret-search.ts';

const canary = (what: string) => `${what}${randomBytes(12).toString('hex')}`;
const CANARIES = {
  'console password': canary('console'),
  'console second factor': 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  'store password': canary('store'),
  'customer reference': canary('reference'),
  'account name': canary('account'),
  'display name': canary('display'),
  'webhook path': canary('hook'),
  'webhook credential': canary('token'),
  'OAuth client id': canary('client'),
  'OAuth client secret': canary('oauth'),
  'exit address': canary('exit'),
  recording: randomBytes(1500),
  'picture bytes': randomBytes(64),
} as const;

/** The rig's deployment, with every secret that a configuration can hold. */
export function environmentOf(rig: Rig): Record<string, string> {
  return {
    ...rig.foundation.environment,
    S3_ENDPOINT: `https://key:${CANARIES['store password']}@s3.example`,
    CONSOLE_PASSWORD: CANARIES['console password'],
    CONSOLE_TOTP_SECRET: CANARIES['console second factor'],
    LOG_LEVEL: 'silent',
  };
}

function triedOf(brightness: number, face_size: number): StoredTry {
  const cue = (name: string, value: number) =>
    ({ cue: name, status: 'passed', value, threshold: 1, reason: null }) as const;
  return {
    liveness: { face: true, smile: true, spoof_result: true, overall: true },
    reasons: [],
    cues: [cue('brightness', brightness), cue('face_size', face_size), cue('cut', 3)],
    timings_ms: {},
    durationMs: 1,
    moments: [],
  };
}

const spelled = (name: string, { embedding }: FaceTemplate): Secrets => ({
  [`${name}, bytes`]: Buffer.from(Float32Array.from(embedding).buffer).subarray(0, 48),
  [`${name}, text`]: [...embedding.slice(0, 4)].join(','),
});

function requestOf(): Partial<CreateChallengeRequest> {
  // The service refuses addresses with a user name and password; this is how people pass credentials instead.
  const hook = `https://hooks.example/${CANARIES['webhook path']}?token=${CANARIES['webhook credential']}`;
  const oauth = {
    oauth_endpoint_url: 'https://hooks.example/token',
    client_id: CANARIES['OAuth client id'],
    client_secret: CANARIES['OAuth client secret'],
  };
  return {
    customer_reference: CANARIES['customer reference'],
    device_binding: 'offer',
    flow_behaviour: { exit_redirect_url: `https://shop.example/${CANARIES['exit address']}` },
    notifications: {
      complete: [
        {
          type: 'https',
          properties: { endpoint_url: hook, authentication: { type: 'oauth', properties: oauth } },
        },
      ],
    },
  };
}

/** A FeatureID of a picture, as the worker makes it. */
async function addPicture(rig: Rig, template: FaceTemplate): Promise<string> {
  const { accountId } = rig.caller;
  const of = { accountId, challengeId: null, template: { ...template, frames: 1 }, source: 'image' } as const;
  const { featid, row } = await rig.featids.create(of);
  await rig.database.db.transaction().execute((trx) => insertFeatid(trx, row));
  return featid;
}

/** Judges a challenge that binds a device, and one that compares with a picture; returns what no report may hold. */
export async function fill(rig: Rig): Promise<Secrets> {
  const [template, pictured] = [someTemplate(), someTemplate()];
  const { accounts } = rig.foundation;
  const made = await accounts.create(
    { name: CANARIES['account name'], displayName: CANARIES['display name'] },
    'operator',
  );
  if (made.status !== 'created') throw new Error(made.status);
  const first = await createStarted(rig, requestOf());
  const { capture_id: capture, passkey: ask } = await commit(rig, first.link, CANARIES.recording);
  await rig.services.acceptBytes(first.link, capture, 0, async () => CANARIES.recording);
  const slices = [{ announcement: sliceOf(CANARIES.recording), from: 0 }];
  const answer = new Phone().answer(ask!, { origin: rig.foundation.config.baseUrl, slices });
  await rig.services.answerPasskey(first.link, capture, answer);
  const passing = { template, bestFrame: CANARIES['picture bytes'], tried: triedOf(120, 80) };
  await settle(rig, capture, judgementOf(passing));
  const picture = await addPicture(rig, pictured);
  const second = await createStarted(rig, { liveness_only: false, compare_to_featids: [picture] });
  const dark = { template: null, retry: 'too_dark', tried: triedOf(31, 40) } as const;
  await settle(rig, await submit(rig, second.link), judgementOf(dark));
  const compared = {
    featid: picture,
    featidId: parseFeatid(picture)!.id,
    source: 'image',
    score: 0.9,
    result: 'pass',
    likeness_features: {},
  } as const;
  const matching = judgementOf({ reasons: ['smile_missing'], compared: [compared] });
  await settle(rig, await submit(rig, second.link), matching);
  const result = await resultOf(rig, first);
  // What is to be found nowhere is there.
  expect(result.customer_reference).toBe(CANARIES['customer reference']);
  const featid = result.liveness_result!.liveness_featid!;
  const [device] = await rig.parts.passkeys.ofFeatids(rig.caller.accountId, [parseFeatid(featid)!.id]);
  return {
    ...CANARIES,
    recording: CANARIES.recording.subarray(0, 48),
    'database password': new URL(rig.foundation.environment.DATABASE_URL!).password,
    'master key': Buffer.from(rig.foundation.environment.MASTER_KEY!, 'base64'),
    'API key': made.apiKey.key,
    'webhook secret': made.webhookSecret,
    'challenge id': first.challengeId,
    'capture id': capture,
    'account id': rig.caller.accountId,
    'link token': first.link.token,
    'device token': first.link.device!,
    'device id': device!.id,
    'credential id': Buffer.from(device!.credentialId, 'base64url'),
    'public key': Buffer.from(device!.publicKey, 'base64url'),
    FeatureID: featid,
    'FeatureID of a picture': picture,
    ...spelled('template', template),
    ...spelled('template of a picture', pictured),
  };
}
