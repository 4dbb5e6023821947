// Checks what a person's device answered (WebAuthn Level 3, 7.1 and 7.2). Its bytes are hostile: whatever a check throws
// counts as "does not hold".
import {
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type WebAuthnCredential,
} from '@simplewebauthn/server';
import {
  decodeAttestationObject,
  decodeClientDataJSON,
  isoBase64URL,
  parseAuthenticatorData,
} from '@simplewebauthn/server/helpers';
import type { MadePasskey, PasskeySignature } from '../contract/device.ts';
import { ALGORITHMS, isUsable } from './public-key.ts';

/** Who asks, and for what the device signs. */
export interface Expected {
  /** Origin of the capture page. */
  readonly origin: string;
  readonly rpId: string;
  /** 32 bytes. */
  readonly challenge: Uint8Array;
}

/** The public part of a passkey. Nothing in it is secret. */
export interface PasskeyKey {
  readonly credentialId: string;
  /** COSE, base64url. */
  readonly publicKey: string;
  readonly transports: readonly string[];
}

/** What an answer that holds tells. */
interface Shown {
  readonly signCount: number;
  /** Whether the passkey may leave the device, by its own word: backup eligible (WebAuthn 6.1.3), which never changes. */
  readonly backedUp: boolean;
}

export type NewKey = PasskeyKey & Shown;

/** A passkey, and what was shown of it when it was made. */
export type OwnedKey = PasskeyKey & Pick<Shown, 'backedUp'>;

/** What a device says of itself in a new passkey (WebAuthn 6.5). */
type Attestation = ReturnType<typeof decodeAttestationObject>;

/** Whether an attestation is one that the operator wants. Its signature is verified after that. */
export type WantsAttestation = (attestation: Attestation) => boolean;

/**
 * The new passkey; null if the answer does not hold. That its maker has the private key is proved by no one before it
 * first signs: attestation `none` has no signature.
 */
export async function verifyNewKey(
  made: MadePasskey,
  expected: Expected,
  wants: WantsAttestation = isWithoutCertificates,
): Promise<NewKey | null> {
  return orNull(async () => {
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(made.response.attestationObject));
    const { credentialPublicKey } = parseAuthenticatorData(attestation.get('authData'));
    if (!credentialPublicKey || !(await isUsable(credentialPublicKey)) || !wants(attestation)) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...made, clientExtensionResults: {} } as Parameters<
        typeof verifyRegistrationResponse
      >[0]['response'],
      supportedAlgorithmIDs: ALGORITHMS,
      ...verifying(expected),
    });
    if (!verified) return null;
    const { credential, credentialDeviceType } = registrationInfo;
    const publicKey = isoBase64URL.fromBuffer(credential.publicKey);
    const { id: credentialId, counter: signCount, transports = [] } = credential;
    // Under the id in the answer the browser will find it again.
    if (credentialId !== made.id) return null;
    return { credentialId, publicKey, transports, signCount, backedUp: mayLeave(credentialDeviceType) };
  });
}

/**
 * What the signature shows; null if it does not hold, or is not this key's. Whether the count went back is for those to
 * say who know the one before (sign-count.ts).
 */
export async function verifySignature(
  signed: PasskeySignature,
  key: OwnedKey,
  expected: Expected,
): Promise<Shown | null> {
  return orNull(async () => {
    const { topOrigin } = decodeClientDataJSON(signed.response.clientDataJSON);
    const { verified, authenticationInfo: shown } = await verifyAuthenticationResponse({
      response: { ...signed, clientExtensionResults: {} },
      credential: credentialOf(key),
      // Which pages may frame the check is the operator's to say (FRAME_ANCESTORS), and enforced by browsers.
      ...(topOrigin !== undefined && { expectedTopOrigin: topOrigin }),
      ...verifying(expected),
    });
    if (!verified || shown.credentialID !== key.credentialId) return null;
    const backedUp = mayLeave(shown.credentialDeviceType);
    return backedUp === key.backedUp ? { signCount: shown.newCounter, backedUp } : null;
  });
}

const mayLeave = (type: 'singleDevice' | 'multiDevice'): boolean => type === 'multiDevice';

const verifying = ({ origin, rpId, challenge }: Expected) => ({
  expectedChallenge: isoBase64URL.fromBuffer(Uint8Array.from(challenge)),
  expectedOrigin: origin,
  expectedRPID: rpId,
  requireUserVerification: true,
});

/** The library is not to compare the count: 0 stands for no earlier one. */
const credentialOf = ({ credentialId, publicKey }: PasskeyKey): WebAuthnCredential => ({
  id: credentialId,
  publicKey: isoBase64URL.toBuffer(publicKey),
  counter: 0,
});

/**
 * Browsers give none unless they are asked. The library would follow the addresses in them, to lists of revoked ones.
 */
function isWithoutCertificates(attestation: Attestation): boolean {
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}

async function orNull<T>(check: () => Promise<T | null>): Promise<T | null> {
  try {
    return await check();
  } catch {
    return null;
  }
}
