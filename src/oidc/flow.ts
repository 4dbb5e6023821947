// The interaction of a login: from the named person to a challenge, and from its result back to the library. The result
// is read here, on the server; the browser contributes only the cookie that identifies its login.
import type { AccountFace, ClientWords } from '../challenge/challenge.ts';
import type { Caller, ChallengeServices } from '../challenge/services.ts';
import { withNextRecording } from '../contract/next-recording.ts';
import type { ChallengeResult } from '../contract/result.ts';
import { parseFeatid } from '../featid/featid-text.ts';
import type { Featids } from '../featid/featids.ts';
import { type Login, type LoginStep, type Logins, newBrowserSecret } from './logins.ts';
import {
  type Assurance,
  assuranceOf,
  bindingOf,
  canMeet,
  type PassedCheck,
  wayPolicyOf,
} from './requirements.ts';
import type { Subject, Subjects } from './subjects.ts';
import type { OidcClient } from './tables/clients.ts';

/** Lifetime of a login's challenge, in seconds. */
const CHALLENGE_SECONDS = 900;

/** Where a login goes next. */
export type LoginTurn =
  /** To the capture page; `browser` is the value of its cookie. */
  | { readonly to: 'challenge'; readonly url: string; readonly browser: string }
  | {
      readonly to: 'client';
      readonly subject: Subject;
      readonly assurance: Assurance;
      /** When the check ended: `auth_time`. */
      readonly checkedAt: Date;
    }
  /** OAuth error codes. The description never tells why a check failed. */
  | {
      readonly to: 'refusal';
      readonly error: 'access_denied' | 'temporarily_unavailable' | 'unmet_authentication_requirements';
      readonly description: string;
    };

export interface FlowParts {
  readonly challenges: Pick<ChallengeServices, 'create' | 'read' | 'cancel'>;
  readonly featids: Pick<Featids, 'revoke'>;
  readonly subjects: Subjects;
  readonly logins: Logins;
  /** The account's texts, which the capture page shows where a client has none of its own. */
  readonly findAccount: (accountId: string) => Promise<AccountFace | undefined>;
}

interface Turn {
  readonly uid: string;
  readonly client: OidcClient;
  readonly login: Login;
  /** Where the capture page sends the browser when it is done: back to this interaction. */
  readonly returnUrl: string;
}

/** Advances a login by one turn. Idempotent: a second call gives the same answer. */
export async function takeTurn(parts: FlowParts, turn: Turn): Promise<LoginTurn> {
  const { client, login } = turn;
  if (!login.step) return firstStep(parts, turn);
  const caller = callerOf(client);
  const read = await parts.challenges.read(caller, login.step.challengeId);
  if (read.status === 'not_found') return denied('The check was erased.');
  const { result } = read;
  switch (result.status) {
    case 'completed':
      return login.step.kind === 'enrol'
        ? afterEnrolment(parts, turn, result)
        : afterVerification(parts, turn, result);
    case 'expired':
    case 'cancelled':
      return denied('The time for the check is over.');
    default:
      if (!hasDeclined(result)) return toChallenge(login.step);
      await parts.challenges.cancel(caller, login.step.challengeId);
      return denied('The person declined.');
  }
}

const callerOf = (client: OidcClient): Caller => ({
  accountId: client.accountId,
  actor: client.id,
  sandbox: client.settings.profile === 'sandbox',
});

const denied = (description: string): LoginTurn => ({ to: 'refusal', error: 'access_denied', description });

const UNMET: LoginTurn = {
  to: 'refusal',
  error: 'unmet_authentication_requirements',
  description: 'A face check cannot meet the requested acr or amr.',
};

const toChallenge = ({ challengeUrl: url, browser }: LoginStep): LoginTurn => ({
  to: 'challenge',
  url,
  browser,
});

async function firstStep(parts: FlowParts, turn: Turn): Promise<LoginTurn> {
  const { client, login } = turn;
  const { requirements } = login;
  const subject = await findSubject(parts, client, login);
  if (subject) return canMeet(requirements, 'verify') ? nextStep(parts, turn, 'verify', subject) : UNMET;
  if (!mayEnrol(turn)) return denied('The person is not known to this client.');
  const ends = canMeet(requirements, 'enrol') || canMeet(requirements, 'verify');
  return ends ? nextStep(parts, turn, 'enrol', null) : UNMET;
}

/** Whether the client enrols people, and can alone have named this one. */
const mayEnrol = ({ client, login }: Turn): boolean =>
  client.settings.enrolment === 'authenticated' && login.isAuthentic && login.person !== null;

function findSubject(parts: FlowParts, client: OidcClient, login: Login): Promise<Subject | null> {
  if (login.subjectId !== null) return parts.subjects.find(client.id, login.subjectId);
  return login.person ? parts.subjects.findByName(client, login.person) : Promise.resolve(null);
}

async function nextStep(
  parts: FlowParts,
  turn: Turn,
  kind: LoginStep['kind'],
  subject: Subject | null,
): Promise<LoginTurn> {
  const { uid, client, login } = turn;
  const caller = callerOf(client);
  const isLast = kind === 'verify' || canMeet(login.requirements, 'enrol');
  const returnUrl = isLast ? turn.returnUrl : withNextRecording(turn.returnUrl);
  const binding = bindingOf(login.requirements, client.settings.device_binding);
  const policy = wayPolicyOf(login.requirements, kind, binding);
  const reference =
    subject?.checks ?? (login.person && (await parts.subjects.checksOf(client, login.person)));
  const created = await parts.challenges.create(caller, {
    body: {
      ...(reference !== null && { customer_reference: reference }),
      liveness_only: subject === null,
      ...(subject && { compare_to_featids: [subject.featid] }),
      device_binding: binding,
      // A device is enrolled as a person is: only where the client alone can have named its owner.
      allow_new_device: binding === 'offer' && subject !== null && mayEnrol(turn),
      expires_in_seconds: CHALLENGE_SECONDS,
      flow_behaviour: { exit_redirect_url: returnUrl, ...(policy && { accessible_way: policy }) },
    },
    ...(await wordsOf(parts, client)),
  });
  if (created.status !== 'created') {
    const isTemporary = created.status === 'paused' || created.status === 'limit_reached';
    if (!isTemporary) return denied('The person cannot be checked.');
    return { to: 'refusal', error: 'temporarily_unavailable', description: 'Try again later.' };
  }
  const { challenge_id: challengeId, challenge_url: challengeUrl } = created.response;
  const step = { kind, challengeId, challengeUrl, browser: newBrowserSecret() };
  if (await parts.logins.advance(uid, login, step)) return toChallenge(step);
  // Another request of the same browser was faster: use its challenge.
  await parts.challenges.cancel(caller, challengeId);
  const now = await parts.logins.find(uid);
  return now?.step ? toChallenge(now.step) : denied('The time for the login is over.');
}

async function wordsOf(parts: FlowParts, client: OidcClient): Promise<{ words?: ClientWords }> {
  const { display_name, purpose, privacy_url, consent_text } = client.settings;
  if ([display_name, purpose, privacy_url, consent_text].every((own) => own === null)) return {};
  const account = await parts.findAccount(client.accountId);
  return {
    words: {
      displayName: display_name ?? account?.displayName ?? client.name,
      purpose: purpose ?? account?.purpose ?? null,
      privacyUrl: privacy_url ?? account?.privacyUrl ?? null,
      consentText: consent_text,
    },
  };
}

async function afterEnrolment(parts: FlowParts, turn: Turn, result: ChallengeResult): Promise<LoginTurn> {
  const { client, login } = turn;
  const featid = result.liveness_result?.liveness_featid ?? null;
  if (result.overall_result !== 'pass' || featid === null) return denied('The check was not passed.');
  const { person } = login;
  const featidId = parseFeatid(featid)?.id;
  if (!person || featidId === undefined) return denied('The person cannot be enrolled.');
  const known = await parts.subjects.findByName(client, person);
  if (known?.featid !== featid) {
    const input = { client, person, featid, featidId, isEnrolledHere: true, actor: client.id };
    const added = known ? 'taken' : await parts.subjects.add(input);
    if (added === 'gone') return denied('The check was erased.');
    if (added === 'taken') {
      // Somebody was enrolled under this name in the meantime, so this face must match theirs.
      await parts.featids.revoke(client.accountId, featid, client.id);
      const first = await parts.subjects.findByName(client, person);
      return first ? nextStep(parts, turn, 'verify', first) : denied('The person cannot be enrolled.');
    }
  }
  const subject = await parts.subjects.findByName(client, person);
  if (!subject) return denied('The check was erased.');
  // The request may require a comparison. If so, verify the person who was enrolled just now.
  const assurance = assuranceOf(login.requirements, passedCheck('enrol', result));
  if (!assurance) return nextStep(parts, turn, 'verify', subject);
  return { to: 'client', subject, assurance, checkedAt: checkedAt(result) };
}

async function afterVerification(parts: FlowParts, turn: Turn, result: ChallengeResult): Promise<LoginTurn> {
  const { client, login } = turn;
  const subject = await findSubject(parts, client, login);
  if (!subject) return denied('The person is no longer known to this client.');
  // Compare with the current FeatureID: an operator may have linked the name to another one since.
  const match = result.match_result;
  const compared = match && 'compared_to_featids' in match ? match.compared_to_featids : [];
  const matched = compared.some((each) => each.featid === subject.featid && each.result === 'pass');
  if (result.overall_result !== 'pass' || !matched) return denied('The check was not passed.');
  const assurance = assuranceOf(login.requirements, passedCheck('verify', result));
  if (!assurance) return UNMET;
  return { to: 'client', subject, assurance, checkedAt: checkedAt(result) };
}

/** Whether declining was the person's last consent decision. They are then sent back to the client at once. */
function hasDeclined(result: ChallengeResult): boolean {
  const names = result.events.map(({ name }) => name);
  const last = names.findLast((name) => name === 'consent_given' || name === 'consent_declined');
  return last === 'consent_declined';
}

const passedCheck = (kind: PassedCheck['kind'], result: ChallengeResult): PassedCheck => ({
  kind,
  way: result.diagnostics.accessible_way ?? null,
  key: keyOf(result),
});

/** A key counts as kept by its device only if the device says so. */
function keyOf({ device_result: device }: ChallengeResult): PassedCheck['key'] {
  if (device?.status !== 'bound') return null;
  return device.backed_up === false ? 'hwk' : 'swk';
}

const checkedAt = (result: ChallengeResult): Date => {
  const done = result.events.findLast(({ name }) => name === 'evaluation_completed');
  return new Date(done?.timestamp ?? result.initiated_at ?? result.created_at);
};
