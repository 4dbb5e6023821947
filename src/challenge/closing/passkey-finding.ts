// What the person's device showed beside a recording: its answer is verified here and nowhere else, against the bytes that
// were judged.

import { countByFeatid, type OpenPasskey } from '../../passkeys/passkeys.ts';
import { hasRisen } from '../../passkeys/sign-count.ts';
import type { NewKey } from '../../passkeys/verify.ts';
import { mayMakePasskey } from '../capturing/passkey-ask.ts';
import type { Capture, Challenge, PasskeyEvidence } from '../challenge.ts';
import type { SettlementParts } from '../parts.ts';
import { openMadePasskey, openPasskeyAnswer } from '../seals.ts';

/** What the device showed. */
export type PasskeyFinding = {
  /** How many passkeys the compared FeatureIDs have, by the id of those that have any. */
  readonly devices: ReadonlyMap<string, number>;
} & (
  | { readonly status: 'none' | 'unavailable' | 'failed' }
  /** One of those passkeys signed the recording. */
  | {
      readonly status: 'signed';
      readonly passkey: OpenPasskey;
      readonly signCount: number;
      readonly backedUp: boolean;
    }
  /** A passkey that was made in this challenge signed it. */
  | { readonly status: 'made'; readonly key: NewKey }
);

interface Judged {
  readonly capture: Capture;
  readonly challenge: Challenge;
}

/** Reads and verifies the device's answer; null if the challenge has nothing to do with devices. */
export async function findPasskey(
  parts: Pick<SettlementParts, 'custody' | 'passkeys'>,
  { capture, challenge }: Judged,
): Promise<PasskeyFinding | null> {
  if (challenge.request.device_binding === 'off') return null;
  const known = await parts.passkeys.ofChallenge(challenge.id);
  const devices = countByFeatid(known);
  const evidence = await openPasskeyAnswer(parts.custody, challenge, capture);
  if (!evidence) return { status: 'none', devices };
  return { devices, ...(await verified(parts, challenge, known, evidence)) };
}

async function verified(
  parts: Pick<SettlementParts, 'custody' | 'passkeys'>,
  challenge: Challenge,
  known: readonly OpenPasskey[],
  { answer, head }: PasskeyEvidence,
) {
  const signed = { challengeId: challenge.id, head: Buffer.from(head ?? '', 'base64url') };
  const { kind, made, signed: signature } = answer;
  if (kind === 'unavailable') return { status: 'unavailable' } as const;
  if (kind === 'declined') return { status: 'none' } as const;
  if (kind === 'made') {
    const key = made && mayMakePasskey(challenge) && (await parts.passkeys.verifyNew(made, signed));
    // Its id must be its own (WebAuthn 7.1), as far as they are known here.
    const isNew = key && !known.some(({ credentialId }) => credentialId === key.credentialId);
    return isNew ? ({ status: 'made', key } as const) : FAILED;
  }
  if (!signature) return FAILED;
  const pending = await openMadePasskey(parts.custody, challenge);
  if (pending?.credentialId === signature.id) {
    const shown = await parts.passkeys.verify(signature, pending, signed);
    return shown && hasRisen(pending.signCount, shown.signCount)
      ? ({ status: 'made', key: { ...pending, ...shown } } as const)
      : FAILED;
  }
  const passkey = known.find(({ credentialId }) => credentialId === signature.id);
  const shown = passkey && (await parts.passkeys.verify(signature, passkey, signed));
  return shown ? ({ status: 'signed', passkey, ...shown } as const) : FAILED;
}

const FAILED = { status: 'failed' } as const;
