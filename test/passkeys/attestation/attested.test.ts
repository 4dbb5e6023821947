import 'reflect-metadata';
import { createHash, KeyObject, randomBytes, sign, webcrypto, X509Certificate } from 'node:crypto';
import {
  BasicConstraintsExtension,
  CRLDistributionPointsExtension,
  Extension,
  X509Certificate as PeculiarCertificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { MadePasskey } from '../../../src/contract/device.ts';
import { attested } from '../../../src/passkeys/attestation/attested.ts';
import type { Passkeys, Signed } from '../../../src/passkeys/passkeys.ts';
import { verifyNewKey } from '../../../src/passkeys/verify.ts';
import { type Claims, SoftwarePasskey } from '../../support/authenticator.ts';
import { authDataOf, type Encodable, KEY_AT, packed, withAttestation } from '../attestation-object.ts';
import { type Issued, issue } from './authority.ts';

const expected = { origin: 'https://faces.example', rpId: 'faces.example', challenge: randomBytes(32) };
const honest: Claims = { ...expected, userVerified: true, signCount: 1, backedUp: false, algorithm: -7 };
const SIGNED: Signed = { challengeId: 'chal_1', head: new Uint8Array(32) };

const root = await issue({ isAuthority: true, name: 'Root' });
const intermediate = await issue({ issuer: root, isAuthority: true, name: 'Intermediate' });
const device = await issue({ issuer: root, name: 'Device' });

const passkeys = attested<Pick<Passkeys, 'verifyNew'>>(
  { verifyNew: (made, _signed, wants) => verifyNewKey(made, expected, wants) },
  () => [root.certificate],
);
const verified = (made: MadePasskey) => passkeys.verifyNew(made, SIGNED);
const certificates = (...issued: Issued[]) => issued.map(({ certificate }) => certificate);

describe('a new passkey whose maker is to vouch for it', () => {
  it('is accepted with an attestation that leads to a trusted certificate, as one without would be', async () => {
    const made = new SoftwarePasskey().make(honest);
    expect(await verified(packed(made, device.key, certificates(device)))).toEqual(
      await verifyNewKey(made, expected),
    );
    const below = await issue({ issuer: intermediate, name: 'Device' });
    expect(await verified(packed(made, below.key, certificates(below, intermediate)))).not.toBeNull();
    expect(await verified(packed(made, below.key, certificates(below, intermediate, root)))).not.toBeNull();
  });

  it('is refused without one', async () => {
    const pair = new SoftwarePasskey();
    expect(await verified(pair.make(honest))).toBeNull();
    expect(await verified(packed(pair.make(honest), device.key))).toBeNull();
  });

  it('is refused where everything else about it does not hold', async () => {
    for (const lie of [
      { challenge: randomBytes(32) },
      { origin: 'https://evil.example' },
      { userVerified: false },
    ]) {
      const made = new SoftwarePasskey().make({ ...honest, ...lie });
      expect(await verified(packed(made, device.key, certificates(device)))).toBeNull();
    }
  });

  it.each<[string, () => Promise<[Issued, ...Issued[]]>]>([
    [
      'an authority that is not trusted',
      async () => [await issue({ issuer: await issue({ isAuthority: true, name: 'Root' }) })],
    ],
    ['itself', async () => [await issue({})]],
    ['a device, which is no authority', async () => [await issue({ issuer: device }), device]],
    ['an authority that is left out', async () => [await issue({ issuer: intermediate })]],
    [
      'an authority that is over',
      async () => {
        const over = await issue({ issuer: root, isAuthority: true, days: [-3, -1] });
        return [await issue({ issuer: over }), over];
      },
    ],
  ])('is refused with a certificate that was issued by %s', async (_, issued) => {
    const [leaf, ...others] = await issued();
    const made = new SoftwarePasskey().make(honest);
    expect(await verified(packed(made, leaf.key, certificates(leaf, ...others)))).toBeNull();
  });

  it('is refused with a certificate that is over, or not valid yet', async () => {
    for (const days of [
      [-3, -1],
      [1, 3],
    ] as const) {
      const leaf = await issue({ issuer: root, days });
      expect(
        await verified(packed(new SoftwarePasskey().make(honest), leaf.key, certificates(leaf))),
      ).toBeNull();
    }
  });

  it('is refused if another key signed it than its certificate’s', async () => {
    const made = new SoftwarePasskey().make(honest);
    expect(await verified(packed(made, root.key, certificates(device)))).toBeNull();
  });

  it('is refused in a format that is not asked for, though it is verified well', async () => {
    const passkey = new SoftwarePasskey();
    const made = passkey.make(honest);
    const authData = authDataOf(made);
    const clientData = createHash('sha256')
      .update(isoBase64URL.toBuffer(made.response.clientDataJSON))
      .digest();
    const key = isoCBOR.decodeFirst<Map<number, Uint8Array>>(Uint8Array.from(authData.slice(KEY_AT)));
    const point = Buffer.concat([Buffer.of(4), key.get(-2)!, key.get(-3)!]);
    const vouched = Buffer.concat([Buffer.of(0), authData.slice(0, 32), clientData, passkey.id, point]);
    const statement = new Map<string, Encodable>([
      ['sig', Uint8Array.from(sign('sha256', vouched, device.key))],
      ['x5c', [Uint8Array.from(device.certificate.raw)]],
    ]);
    const inU2f = withAttestation(made, authData, statement, 'fido-u2f');
    expect(await verifyNewKey(made, expected)).not.toBeNull();
    expect(await verified(inU2f)).toBeNull();
    for (const format of ['android-key', 'android-safetynet', 'none', 'compound'])
      expect(await verified(packed(made, device.key, certificates(device), format))).toBeNull();
  });

  it('is refused where the maker’s certificate stands as PEM inside the attacker’s own', async () => {
    const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
      'sign',
      'verify',
    ]);
    const forged = (pem: string) =>
      X509CertificateGenerator.createSelfSigned({
        name: 'C=DE,O=Maker,OU=Authenticator Attestation,CN=Device',
        notBefore: new Date(Date.now() - 86_400_000),
        notAfter: new Date(Date.now() + 86_400_000),
        signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
        keys,
        extensions: [
          new BasicConstraintsExtension(false),
          // DER of an OCTET STRING is not asked for of an extension that nobody knows.
          new Extension('1.2.3.4', false, new TextEncoder().encode(`\n${pem}\n`)),
        ],
      });
    const key = KeyObject.from(keys.privateKey);
    const made = new SoftwarePasskey().make(honest);
    for (const { pem } of [root, device]) {
      const der = Buffer.from((await forged(pem)).rawData);
      // What makes it an attack: Node.js reads the maker's certificate out of it.
      expect(new X509Certificate(der).raw).toEqual(new X509Certificate(pem).raw);
      expect(await verified(packed(made, key, [{ raw: der }]))).toBeNull();
    }
  });

  it('is refused with anything behind its certificate, with an authority’s own, and with none', async () => {
    const made = new SoftwarePasskey().make(honest);
    const behind = Buffer.concat([device.certificate.raw, Buffer.from(`\n${root.pem}`)]);
    expect(await verified(packed(made, device.key, [{ raw: behind }]))).toBeNull();
    expect(await verified(packed(made, root.key, certificates(root)))).toBeNull();
    const statement = new Map<string, Encodable>([['x5c', ['text', new Map(), 1]]]);
    expect(await verified(withAttestation(made, authDataOf(made), statement))).toBeNull();
  });

  it('is verified without a call to the addresses in its certificates', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('nothing leaves'));
    try {
      const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
        'sign',
        'verify',
      ]);
      const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' };
      const signingKey = await webcrypto.subtle.importKey(
        'pkcs8',
        root.key.export({ type: 'pkcs8', format: 'der' }),
        { name: 'ECDSA', namedCurve: 'P-256' },
        false,
        ['sign'],
      );
      const leaf = await X509CertificateGenerator.create({
        subject: 'C=DE,O=Maker,OU=Authenticator Attestation,CN=Device',
        issuer: new PeculiarCertificate(root.pem).subject,
        notBefore: new Date(Date.now() - 86_400_000),
        notAfter: new Date(Date.now() + 86_400_000),
        publicKey: keys.publicKey,
        signingKey,
        signingAlgorithm,
        extensions: [
          new BasicConstraintsExtension(false),
          new CRLDistributionPointsExtension(['http://maker.example/revoked.crl']),
        ],
      });
      const made = new SoftwarePasskey().make(honest);
      const der = Buffer.from(leaf.rawData);
      expect(await verified(packed(made, KeyObject.from(keys.privateKey), [{ raw: der }]))).not.toBeNull();
      expect(fetched).not.toHaveBeenCalled();
    } finally {
      fetched.mockRestore();
    }
  });

  it('is refused once the trusted certificate is over', async () => {
    const over = await issue({ isAuthority: true, days: [-3, -1], name: 'Over' });
    const leaf = await issue({ issuer: over });
    const { verifyNew } = attested<Pick<Passkeys, 'verifyNew'>>(
      { verifyNew: (made, _signed, wants) => verifyNewKey(made, expected, wants) },
      () => [over.certificate],
    );
    expect(
      await verifyNew(packed(new SoftwarePasskey().make(honest), leaf.key, certificates(leaf)), SIGNED),
    ).toBeNull();
  });

  it('is refused, and nothing is thrown, whatever byte of the certificate is changed', async () => {
    const made = packed(new SoftwarePasskey().make(honest), device.key, certificates(device));
    const object = Buffer.from(made.response.attestationObject, 'base64url');
    const { raw } = device.certificate;
    const from = object.indexOf(raw);
    await fc.assert(
      fc.asyncProperty(fc.nat(raw.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        expect(await verified(changedAt(made, from + at, by))).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  it('is refused, or still the same, whatever byte of its attestation is changed', async () => {
    const made = packed(new SoftwarePasskey().make(honest), device.key, certificates(device));
    const same = await verified(made);
    const { length } = Buffer.from(made.response.attestationObject, 'base64url');
    await fc.assert(
      fc.asyncProperty(fc.nat(length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        // The library reads the frames of signature and map leniently.
        expect([null, same]).toContainEqual(await verified(changedAt(made, at, by)));
      }),
      { numRuns: 300 },
    );
  });
});

/** The new passkey with one byte of its attestation changed. */
function changedAt(made: MadePasskey, at: number, by: number): MadePasskey {
  const changed = Buffer.from(made.response.attestationObject, 'base64url');
  changed[at]! ^= by;
  const response = { ...made.response, attestationObject: changed.toString('base64url') };
  return { ...made, response };
}
