// What the device is asked for, in the words of WebAuthn.
import type {
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { KnownPasskey, PasskeyAsk } from '../../../src/contract/device.ts';

/** Long enough to find the phone that scans the browser's code. Chosen, not measured. */
const TIMEOUT_MS = 120_000;

/** EdDSA, ES256 and RS256: what authenticators make. */
const ALGORITHMS = [-8, -7, -257] as const;

/** @param challenge base64url */
export function signingOptions(
  { rp_id, known }: PasskeyAsk,
  challenge: string,
): PublicKeyCredentialRequestOptionsJSON {
  return {
    challenge,
    rpId: rp_id,
    allowCredentials: known.map(described),
    userVerification: 'required',
    timeout: TIMEOUT_MS,
  };
}

const described = ({ id, transports }: KnownPasskey) => ({
  id,
  type: 'public-key' as const,
  // Without any, the browser looks everywhere.
  ...(transports.length > 0 && { transports: transports as AuthenticatorTransport[] }),
});

/**
 * A passkey is never named after a person: whoever looks at the device's list learns only where it belongs.
 * @param userId handle of the new passkey, base64url
 * @param challenge base64url
 * @param attestation what the operator wants of the device's maker (PASSKEY_ATTESTATION)
 */
export function makingOptions(
  { rp_id, rp_name, known }: PasskeyAsk,
  userId: string,
  challenge: string,
  attestation: AttestationConveyancePreference,
): PublicKeyCredentialCreationOptionsJSON {
  return {
    challenge,
    rp: { id: rp_id, name: rp_name },
    user: { id: userId, name: rp_name, displayName: rp_name },
    // A device that has one signs with it.
    excludeCredentials: known.map(described),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    attestation,
    timeout: TIMEOUT_MS,
  };
}
