// The certificates of authenticators' makers that the operator trusts (PASSKEY_ATTESTATION).
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Fault } from '../../base/errors.ts';

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Reads a PEM file.
 * @throws Fault CONFIG_INVALID if it cannot be read, or has no certificate
 */
export function readTrustAnchors(path: string): X509Certificate[] {
  let anchors: X509Certificate[];
  try {
    anchors = (readFileSync(path, 'utf8').match(PEM) ?? []).map((pem) => new X509Certificate(pem));
  } catch (cause) {
    throw new Fault('CONFIG_INVALID', 'PASSKEY_ATTESTATION: the file of certificates cannot be read', {
      cause,
    });
  }
  if (anchors.length > 0) return anchors;
  throw new Fault('CONFIG_INVALID', 'PASSKEY_ATTESTATION: the file has no certificate in PEM');
}
