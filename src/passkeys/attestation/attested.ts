// Attestation `direct`: a new passkey must come with its maker's word for the device (WebAuthn Level 3, 6.5), which leads
// to a certificate that the operator trusts (PASSKEY_ATTESTATION).
import { X509Certificate } from 'node:crypto';
import { SettingsService, verifyRegistrationResponse } from '@simplewebauthn/server';
import {
  decodeAttestationObject,
  decodeClientDataJSON,
  isoBase64URL,
  isoCBOR,
} from '@simplewebauthn/server/helpers';
import type { MadePasskey } from '../../contract/device.ts';
import type { Passkeys } from '../passkeys.ts';
import { ALGORITHMS } from '../public-key.ts';
import { isTrusted } from './certificate-path.ts';

/**
 * Of the formats with certificates, those that the library verifies without calling addresses in them, and whose devices
 * verify their users.
 */
const FORMATS = ['apple', 'packed', 'tpm'] as const;

// The path is checked here; with roots of its own, the library would call those addresses.
for (const identifier of FORMATS) SettingsService.setRootCertificates({ identifier, certificates: [] });

/**
 * These passkeys, where a new one holds only with an attestation that leads to one of the anchors.
 * @param readAnchors asked once, for the first new passkey: commands that verify none need no file
 */
export function attested<Own extends Pick<Passkeys, 'verifyNew'>>(
  passkeys: Own,
  readAnchors: () => readonly X509Certificate[],
): Own {
  let anchors: readonly X509Certificate[] | null = null;
  return {
    ...passkeys,
    verifyNew: async (made, signed) => {
      anchors ??= readAnchors();
      const bare = await withoutAttestation(made, anchors);
      return bare && passkeys.verifyNew(bare, signed);
    },
  };
}

/**
 * The new passkey as it is with attestation `none`; null if its attestation does not hold. Everything else about it is
 * left to whoever verifies that one.
 */
async function withoutAttestation(
  made: MadePasskey,
  anchors: readonly X509Certificate[],
): Promise<MadePasskey | null> {
  try {
    const { attestationObject, clientDataJSON } = made.response;
    const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
    if (!FORMATS.some((format) => format === attestation.get('fmt'))) return null;
    const certificates = (attestation.get('attStmt').get('x5c') ?? []).map(readCertificate);
    if (!isTrusted(certificates, anchors, new Date())) return null;
    const { verified } = await verifyRegistrationResponse({
      response: { ...made, clientExtensionResults: {} } as Parameters<
        typeof verifyRegistrationResponse
      >[0]['response'],
      supportedAlgorithmIDs: ALGORITHMS,
      expectedChallenge: () => true,
      expectedOrigin: decodeClientDataJSON(clientDataJSON).origin,
      requireUserVerification: false,
    });
    return verified ? bareOf(made, attestation.get('authData')) : null;
  } catch {
    return null;
  }
}

/**
 * Reads a certificate as the library does. Node.js prefers a PEM text wherever it finds one in the bytes: an attacker could
 * put the maker's own certificate into an extension of theirs.
 * @throws Error if these bytes are anything but one certificate in DER
 */
function readCertificate(der: unknown): X509Certificate {
  if (!(der instanceof Uint8Array)) throw new Error('a certificate is bytes');
  const certificate = new X509Certificate(der);
  if (!certificate.raw.equals(der)) throw new Error('more than a certificate in DER');
  return certificate;
}

function bareOf(made: MadePasskey, authData: Uint8Array): MadePasskey {
  const bare = new Map<string, Parameters<typeof isoCBOR.encode>[0]>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', Uint8Array.from(authData)],
  ]);
  const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(bare));
  return { ...made, response: { ...made.response, attestationObject } };
}
