// Attestation `direct`: a new passkey must come with its maker's word for the device (WebAuthn Level 3, 6.5), which leads
// to a certificate that the operator trusts (PASSKEY_ATTESTATION).
import { X509Certificate } from 'node:crypto';
import { SettingsService } from '@simplewebauthn/server';
import type { Passkeys } from '../passkeys.ts';
import type { WantsAttestation } from '../verify.ts';
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
  let wants: WantsAttestation | null = null;
  return {
    ...passkeys,
    verifyNew: async (made, signed) => {
      wants ??= wantsThoseBelow(readAnchors());
      return passkeys.verifyNew(made, signed, wants);
    },
  };
}

/** Wants an attestation of these formats that one of the anchors issued. */
function wantsThoseBelow(anchors: readonly X509Certificate[]): WantsAttestation {
  return (attestation) => {
    if (!FORMATS.some((format) => format === attestation.get('fmt'))) return false;
    const certificates = (attestation.get('attStmt').get('x5c') ?? []).map(readCertificate);
    return isTrusted(certificates, anchors, new Date());
  };
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
