// The certificates of authenticators' makers that the operator trusts (PASSKEY_ATTESTATION).
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Fault } from '../../base/errors.ts';

const BEGIN = /(?=-----BEGIN CERTIFICATE-----)/;

/**
 * Reads a PEM file. What stands before its first certificate is a remark.
 * @throws Fault CONFIG_INVALID if it cannot be read, has no certificate, a damaged one, or one of no authority
 */
export function readTrustAnchors(path: string): X509Certificate[] {
  const [, ...texts] = `\n${readText(path)}`.split(BEGIN);
  if (texts.length === 0) throw invalid(path, 'has no certificate in PEM');
  return texts.map((text, i) => {
    const anchor = certificateIn(text);
    if (!anchor) throw invalid(path, `certificate ${i + 1} is damaged`);
    if (!anchor.ca) throw invalid(path, `certificate ${i + 1} is not an authority's, which issues others`);
    return anchor;
  });
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw invalid(path, `cannot be read (${(cause as NodeJS.ErrnoException).code})`);
  }
}

function certificateIn(text: string): X509Certificate | null {
  try {
    return new X509Certificate(text);
  } catch {
    return null;
  }
}

const invalid = (path: string, why: string): Fault =>
  new Fault('CONFIG_INVALID', `PASSKEY_ATTESTATION, ${path}: ${why}`);
