// What the page asks the person's device for after a recording.
import { MAX_DEVICES, type PasskeyAsk } from '../../contract/device.ts';
import { countByFeatid, knownPasskey, type OpenPasskey } from '../../passkeys/passkeys.ts';
import type { AccountFace, Capture, Challenge } from '../challenge.ts';
import type { ChallengeParts } from '../parts.ts';
import { openMadePasskey, openRequest } from '../seals.ts';

type Parts = Pick<ChallengeParts, 'custody' | 'passkeys'>;

/** A challenge whose device may be asked, and who asks. */
interface Asking {
  readonly challenge: Challenge;
  readonly account: AccountFace;
}

/** What to ask in a recording of this challenge; null if there is nothing that a device could answer. */
export async function passkeyAskOf(
  { custody, passkeys }: Parts,
  { challenge, account }: Asking,
): Promise<PasskeyAsk | null> {
  const { request, sandbox } = challenge;
  if (request.device_binding === 'off' || sandbox) return null;
  const ask = await askNow({ custody, passkeys }, { challenge, account });
  return ask.known.length === 0 && ask.new_user_id === null ? null : ask;
}

/** What can be asked now, which may be nothing. */
async function askNow({ custody, passkeys }: Parts, { challenge, account }: Asking): Promise<PasskeyAsk> {
  const { request, id } = challenge;
  const [made, compared, { flow, compare_to_featids }] = await Promise.all([
    openMadePasskey(custody, challenge),
    passkeys.ofChallenge(id),
    openRequest(custody, challenge),
  ]);
  const known = [...(made ? [made] : []), ...compared].map(knownPasskey);
  const mayMake = made === null && mayMakePasskey(challenge) && hasRoom(compared, compare_to_featids);
  return {
    challenge_id: id,
    rp_id: passkeys.rpId,
    rp_name: flow.words?.displayName ?? account.displayName,
    required: request.device_binding === 'require',
    known,
    new_user_id: mayMake ? passkeys.newUserId() : null,
  };
}

/** Whether a passkey that is made here can be kept: not where every compared FeatureID has as many as it may have. */
function hasRoom(compared: readonly OpenPasskey[], featids: readonly string[]): boolean {
  const full = [...countByFeatid(compared).values()].filter((count) => count >= MAX_DEVICES).length;
  return featids.length === 0 || full < new Set(featids).size;
}

/** Whether the client lets this challenge add a passkey: at every enrolment, and where it allows new devices. */
export const mayMakePasskey = ({ request }: Pick<Challenge, 'request'>): boolean =>
  request.liveness_only || request.allow_new_device;

/** Whether the device is still to answer. */
export const waitsForPasskey = ({
  asksPasskey,
  sealedPasskeyAnswer,
}: Pick<Capture, 'asksPasskey' | 'sealedPasskeyAnswer'>): boolean =>
  asksPasskey && sealedPasskeyAnswer === null;

/**
 * The ask of a capture that still waits for its answer; null if it does not. If its passkeys were revoked meanwhile,
 * there is nothing in the ask, and the page answers that: without an answer, the upload would never be complete.
 */
export const openAskOf = async (
  parts: Parts,
  asking: Asking,
  capture: Capture,
): Promise<PasskeyAsk | null> => (waitsForPasskey(capture) ? askNow(parts, asking) : null);
