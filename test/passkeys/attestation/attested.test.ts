import { createPrivateKey, type KeyObject, randomBytes, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { generate } from 'selfsigned';
import { afterAll, describe, expect, it } from 'vitest';
import type { MadePasskey } from '../../../src/contract/device.ts';
import { attested } from '../../../src/passkeys/attestation/attested.ts';
import { readTrustAnchors } from '../../../src/passkeys/attestation/trust-anchors.ts';
import type { Passkeys, Signed } from '../../../src/passkeys/passkeys.ts';
import { verifyNewKey } from '../../../src/passkeys/verify.ts';
import { type Claims, SoftwarePasskey } from '../../support/authenticator.ts';
import { packed } from '../attestation-object.ts';

const expected = { origin: 'https://faces.example', rpId: 'faces.example', challenge: randomBytes(32) };
const honest: Claims = { ...expected, userVerified: true, signCount: 1, backedUp: false, algorithm: -7 };
const SIGNED: Signed = { challengeId: 'chal_1', head: new Uint8Array(32) };

/** An authority, or what it issued to a device. */
interface Issued {
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

async function issue({ issuer, isAuthority = false, days = [-1, 1], name = 'Maker' }: Kind): Promise<Issued> {
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

const root = await issue({ isAuthority: true, name: 'Root' });
const intermediate = await issue({ issuer: root, isAuthority: true, name: 'Intermediate' });
const device = await issue({ issuer: root, name: 'Device' });

const passkeys = attested<Pick<Passkeys, 'verifyNew'>>(
  { verifyNew: (made) => verifyNewKey(made, expected) },
  [root.certificate],
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

  it('is refused in a format whose certificates name addresses that would be called', async () => {
    const made = new SoftwarePasskey().make(honest);
    for (const format of ['android-key', 'android-safetynet', 'none', 'compound'])
      expect(await verified(packed(made, device.key, certificates(device), format))).toBeNull();
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

describe('the file of makers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'likeness-makers-'));
  const path = join(folder, 'makers.pem');
  afterAll(() => rmSync(folder, { recursive: true }));

  it('may have several, with words between them', () => {
    writeFileSync(path, `# Maker\r\n${root.pem}\r\n# another\r\n${intermediate.pem}`);
    expect(readTrustAnchors(path).map(({ raw }) => raw)).toEqual([
      root.certificate.raw,
      intermediate.certificate.raw,
    ]);
  });

  it('is refused by the variable’s name if it is missing, has none, or one that is damaged', () => {
    const refused = () => expect(() => readTrustAnchors(path)).toThrowError(/PASSKEY_ATTESTATION/);
    for (const text of ['', 'nothing', root.pem.replace(/[A-Za-z0-9]{8}/g, 'AAAAAAAA')]) {
      writeFileSync(path, text);
      refused();
    }
    rmSync(path);
    refused();
  });
});
