// Authorities and their certificates for devices, as a maker of authenticators has them.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { generate } from 'selfsigned';

/** An authority, or what it issued to a device. */
export interface Issued {
  readonly certificate: X509Certificate;
  readonly pem: string;
  readonly key: KeyObject;
  readonly keyPem: string;
}

interface Kind {
  /** Default: itself. */
  readonly issuer?: Issued;
  /** Default: a device. */
  readonly isAuthority?: boolean;
  /** Days from now on which it begins and ends. */
  readonly days?: readonly [number, number];
  readonly name?: string;
}

export async function issue({
  issuer,
  isAuthority = false,
  days = [-1, 1],
  name = 'Maker',
}: Kind): Promise<Issued> {
  const subject = { CN: name, OU: 'Authenticator Attestation', O: 'Maker', C: 'DE' };
  const [from, to] = days.map((day) => new Date(Date.now() + day * 86_400_000));
  const { cert: pem, private: keyPem } = await generate(
    Object.entries(subject).map(([shortName, value]) => ({ shortName, value })),
    {
      keyType: 'ec',
      algorithm: 'sha256',
      notBeforeDate: from!,
      notAfterDate: to!,
      extensions: [{ name: 'basicConstraints', cA: isAuthority, critical: true }],
      ...(issuer && { ca: { key: issuer.keyPem, cert: issuer.pem } }),
    },
  );
  return { certificate: new X509Certificate(pem), pem, key: createPrivateKey(keyPem), keyPem };
}
