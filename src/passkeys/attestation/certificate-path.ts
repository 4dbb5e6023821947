// Whether certificates lead to one that the operator trusts. The library would do this too, but follow the addresses in
// them to lists of revoked ones (docs/decisions/0017).
import type { X509Certificate } from 'node:crypto';

/**
 * Whether a trusted authority issued the first certificate, directly or through the others in their order (RFC 5280, 6.1).
 * What authorities say of the names, policies and lengths of paths below them is not looked at: only one that is trusted
 * could break it.
 * @param anchors roots, or authorities below them
 */
export function isTrusted(
  certificates: readonly X509Certificate[],
  anchors: readonly X509Certificate[],
  now: Date,
): boolean {
  // An authority vouches for devices; it is none.
  if (certificates[0]?.ca !== false) return false;
  for (const [i, certificate] of certificates.entries()) {
    if (!isValidAt(certificate, now)) return false;
    if (anchors.some((anchor) => isIssuedBy(certificate, anchor) && isValidAt(anchor, now))) return true;
    const issuer = certificates[i + 1];
    if (!issuer || !isIssuedBy(certificate, issuer)) return false;
  }
  return false;
}

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);

const isValidAt = ({ validFrom, validTo }: X509Certificate, now: Date): boolean =>
  new Date(validFrom) <= now && now <= new Date(validTo);
