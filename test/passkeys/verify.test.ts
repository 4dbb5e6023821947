import { createPrivateKey, generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import { isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
import fc from 'fast-check';
import { generate } from 'selfsigned';
import { describe, expect, it } from 'vitest';
import { isUsable } from '../../src/passkeys/public-key.ts';
import { type NewKey, verifyNewKey, verifySignature } from '../../src/passkeys/verify.ts';
import { type Claims, SoftwarePasskey } from '../support/authenticator.ts';
import { accepted, everyByteFlippedIn, isRefused, turnOneBit } from '../support/tamper.ts';
import { authDataOf, type Encodable, KEY_AT, packed, withAttestation } from './attestation-object.ts';

const expected = { origin: 'https://faces.example', rpId: 'faces.example', challenge: randomBytes(32) };
const honest: Claims = { ...expected, userVerified: true, signCount: 1, backedUp: false, algorithm: -7 };

/** What the same key is worth as a lie: each must be refused in every answer. */
const LIES: readonly [string, Partial<Claims>][] = [
  ['another challenge', { challenge: randomBytes(32) }],
  ['another origin', { origin: 'https://faces.example.evil.example' }],
  ['the origin without its port', { origin: 'https://faces.example:8443' }],
  ['another RP ID', { rpId: 'example' }],
  ['no user verification', { userVerified: false }],
];

async function enrolled(passkey: SoftwarePasskey): Promise<NewKey> {
  const key = await verifyNewKey(passkey.make(honest), expected);
  if (!key) throw new Error('the honest passkey was refused');
  return key;
}

describe('a new passkey', () => {
  it('is accepted, with what the device says of it', async () => {
    const passkey = new SoftwarePasskey();
    expect(await verifyNewKey(passkey.make({ ...honest, backedUp: true }), expected)).toEqual({
      credentialId: passkey.credentialId,
      publicKey: expect.stringMatching(/^[\w-]+$/),
      transports: ['internal'],
      signCount: 1,
      backedUp: true,
    });
  });

  it.each([
    ...LIES,
    ['the type of a signature', { type: 'webauthn.get' }],
    ['an algorithm that was not asked for', { algorithm: -65_535 }],
    ['an algorithm of another kind of key', { algorithm: -257 }],
    ['an algorithm of another curve', { algorithm: -8 }],
    ['a point that is not on its curve', { point: Buffer.alloc(32, 1) }],
    ['an attestation of another kind', { attestation: { format: 'tpm', statement: new Map() } }],
  ] as [string, Partial<Claims>][])('is refused with %s', async (_, lie) => {
    expect(await verifyNewKey(new SoftwarePasskey().make({ ...honest, ...lie }), expected)).toBeNull();
  });
});

it('a new passkey is refused under another id than its own', async () => {
  const made = new SoftwarePasskey().make(honest);
  const { credentialId } = new SoftwarePasskey();
  expect(await verifyNewKey({ ...made, id: credentialId, rawId: credentialId }, expected)).toBeNull();
});

describe('a new passkey with an attestation of the format `packed`', () => {
  it('is accepted where its own key signed that, and no other', async () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const made = new SoftwarePasskey(pair).make(honest);
    expect(await verifyNewKey(packed(made, pair.privateKey), expected)).toMatchObject({ signCount: 1 });
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(await verifyNewKey(packed(made, other.privateKey), expected)).toBeNull();
  });

  it('is refused with any byte of it flipped', async () => {
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const made = packed(new SoftwarePasskey(pair).make(honest), pair.privateKey);
    const verified = (attestationObject: string) =>
      verifyNewKey({ ...made, response: { ...made.response, attestationObject } }, expected);
    const { attestationObject: own } = made.response;
    expect(await verified(own)).not.toBeNull();
    expect(await accepted(everyByteFlippedIn(own), (each) => isRefused(() => verified(each)))).toEqual([]);
  });

  it('is refused with a certificate, whose lists of revoked ones would be fetched', async () => {
    const subject = { CN: 'Device', OU: 'Authenticator Attestation', O: 'Maker', C: 'DE' };
    const { cert, private: key } = await generate(
      Object.entries(subject).map(([shortName, value]) => ({ shortName, value })),
      { keyType: 'ec', extensions: [{ name: 'basicConstraints', cA: false }] },
    );
    const made = new SoftwarePasskey().make(honest);
    expect(
      await verifyNewKey(packed(made, createPrivateKey(key), [new X509Certificate(cert)]), expected),
    ).toBeNull();
  });
});

describe('a passkey', () => {
  const KINDS = [
    ['ES256', -7, generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['EdDSA', -8, generateKeyPairSync('ed25519')],
    ['RS256 of 2048 bits', -257, generateKeyPairSync('rsa', { modulusLength: 2048 })],
  ] as const;

  it.each(KINDS)('is accepted and signs; nothing else passes for what it signed: %s', async (...kind) => {
    const [, algorithm, pair] = kind;
    const passkey = new SoftwarePasskey(pair);
    const key = await verifyNewKey(passkey.make({ ...honest, algorithm }), expected);
    expect(key).toMatchObject({ credentialId: passkey.credentialId });
    const signed = passkey.sign(honest);
    const shown = (changes: Partial<typeof signed.response>) =>
      verifySignature({ ...signed, response: { ...signed.response, ...changes } }, key!, expected);
    const same = await shown({});
    expect(same).not.toBeNull();
    for (const member of ['signature', 'authenticatorData', 'clientDataJSON'] as const) {
      const altered = everyByteFlippedIn(signed.response[member]);
      expect(await accepted(altered, (each) => isRefused(() => shown({ [member]: each })))).toEqual([]);
    }
    const own = Buffer.from(signed.response.signature, 'base64url');
    await fc.assert(
      fc.asyncProperty(turnOneBit(own), async (bytes) => {
        // The library reads tag and length of the ASN.1 around the two numbers of ES256 leniently: it is the same
        // signature of the same bytes, spelled otherwise.
        const isSpelling = algorithm === -7 && bytes.subarray(2).equals(own.subarray(2));
        const given = await shown({ signature: bytes.toString('base64url') });
        expect(isSpelling ? [null, same] : [null]).toContainEqual(given);
      }),
    );
  });

  it('is refused where its modulus is too short', async () => {
    const passkey = new SoftwarePasskey(generateKeyPairSync('rsa', { modulusLength: 1024 }));
    expect(await verifyNewKey(passkey.make({ ...honest, algorithm: -257 }), expected)).toBeNull();
  });

  it('has a modulus of 2048 to 4096 bits, without zeros before it', async () => {
    const isUsableOf = (...modulus: Buffer[]) => {
      const n = Uint8Array.from(Buffer.concat(modulus));
      return isUsable(
        isoCBOR.encode(
          new Map<number, Encodable>([
            [1, 3],
            [3, -257],
            [-1, n],
            [-2, Uint8Array.of(1, 0, 1)],
          ]),
        ),
      );
    };
    const odd = (bytes: number) => Buffer.alloc(bytes, 0xff);
    expect(await isUsableOf(odd(256))).toBe(true);
    expect(await isUsableOf(odd(512))).toBe(true);
    expect(await isUsableOf(odd(255))).toBe(false);
    expect(await isUsableOf(odd(513))).toBe(false);
    expect(await isUsableOf(Buffer.alloc(128), odd(128))).toBe(false);
  });
});

describe('a signature', () => {
  it('is accepted from its own passkey, whatever its count', async () => {
    const passkey = new SoftwarePasskey();
    const key = await enrolled(passkey);
    const signed = passkey.sign({ ...honest, signCount: 0 });
    expect(await verifySignature(signed, key, expected)).toEqual({ signCount: 0, backedUp: false });
  });

  it('is refused from a device that says otherwise than before whether the passkey may leave it', async () => {
    const passkey = new SoftwarePasskey();
    const key = await enrolled(passkey);
    expect(await verifySignature(passkey.sign({ ...honest, backedUp: true }), key, expected)).toBeNull();
  });

  it('is accepted in a page that another one frames, as a new passkey is', async () => {
    const passkey = new SoftwarePasskey();
    const framed = { ...honest, topOrigin: 'https://shop.example' };
    const key = await verifyNewKey(passkey.make(framed), expected);
    expect(await verifySignature(passkey.sign(framed), key!, expected)).not.toBeNull();
  });

  it.each([...LIES, ['the type of a new passkey', { type: 'webauthn.create' }]] as [
    string,
    Partial<Claims>,
  ][])('is refused with %s', async (_, lie) => {
    const passkey = new SoftwarePasskey();
    const key = await enrolled(passkey);
    expect(await verifySignature(passkey.sign({ ...honest, ...lie }), key, expected)).toBeNull();
  });

  it('is refused from another passkey, also under the name of the first', async () => {
    const key = await enrolled(new SoftwarePasskey());
    const other = new SoftwarePasskey().sign(honest);
    expect(await verifySignature(other, key, expected)).toBeNull();
    const renamed = { ...other, id: key.credentialId, rawId: key.credentialId };
    expect(await verifySignature(renamed, key, expected)).toBeNull();
  });
});

describe('a passkey of a domain above the host', () => {
  const above = { ...expected, rpId: 'example', origin: 'https://faces.example' };

  it('is accepted from the page of the service, and from no other page of the domain', async () => {
    const passkey = new SoftwarePasskey();
    const key = await verifyNewKey(passkey.make({ ...honest, ...above }), above);
    expect(await verifySignature(passkey.sign({ ...honest, ...above }), key!, above)).not.toBeNull();
    const elsewhere = { ...honest, ...above, origin: 'https://shop.example' };
    expect(await verifyNewKey(new SoftwarePasskey().make(elsewhere), above)).toBeNull();
    expect(await verifySignature(passkey.sign(elsewhere), key!, above)).toBeNull();
    const ofTheHost = { ...honest, ...above, rpId: 'faces.example' };
    expect(await verifySignature(passkey.sign(ofTheHost), key!, above)).toBeNull();
  });
});

/** CBOR of any shape: nested as deep as its size allows, long strings, lengths that promise what does not follow. */
const cbor = fc.oneof(
  fc.nat({ max: 12_000 }).map((depth) => Buffer.alloc(depth + 1, 0x81)),
  fc.nat({ max: 12_000 }).map((depth) => Buffer.concat([Buffer.alloc(2 * depth, 'a1'), Buffer.of(0)])),
  fc
    .nat({ max: 11_000 })
    .map((size) => Buffer.concat([Buffer.of(0x59, size >> 8, size & 255), Buffer.alloc(size)])),
  fc
    .constantFrom('5b7fffffffffffffff', '9b7fffffffffffffff', 'bb00000000ffffffff', '5f', '9f', 'bf')
    .map((hex) => Buffer.from(hex, 'hex')),
);

const value: fc.Arbitrary<Encodable> = fc.oneof(
  fc.integer(),
  fc.string(),
  fc.constantFrom(true, null),
  fc.uint8Array({ maxLength: 80 }),
  fc.array(fc.integer()),
);

/** What is not quite this key, or nothing like it. */
function noKeyLike(key: ReadonlyMap<number, Encodable>): fc.Arbitrary<Uint8Array> {
  const member = fc.constantFrom(...key.keys());
  const changed = fc
    .tuple(member, value)
    .filter(([name, other]) => other !== key.get(name))
    .map(([name, other]) => new Map(key).set(name, other));
  const incomplete = member.map((name) => new Map([...key].filter(([other]) => other !== name)));
  const other = fc.array(fc.tuple(fc.integer({ min: -4, max: 4 }), value)).map((entries) => new Map(entries));
  return fc.oneof(
    fc.oneof(changed, incomplete, other, value).map((each) => isoCBOR.encode(each)),
    fc.uint8Array({ maxLength: 400 }),
    // The key itself, and more than that.
    fc.uint8Array({ minLength: 1 }).map((more) => Buffer.concat([isoCBOR.encode(new Map(key)), more])),
  );
}

describe('bytes of an attacker', () => {
  const bytes = fc.uint8Array({ maxLength: 400 }).map((each) => Buffer.from(each).toString('base64url'));

  it('are refused as CBOR that is deep, long or unfinished', async () => {
    const { response, ...made } = new SoftwarePasskey().make(honest);
    await fc.assert(
      fc.asyncProperty(cbor, async (bytes) => {
        const attestationObject = bytes.toString('base64url');
        expect(
          await verifyNewKey({ ...made, response: { ...response, attestationObject } }, expected),
        ).toBeNull();
      }),
      { numRuns: 60 },
    );
  });

  it('are refused as the key of a new passkey that is honest otherwise', async () => {
    const made = new SoftwarePasskey().make(honest);
    const before = authDataOf(made).slice(0, KEY_AT);
    const key = isoCBOR.decodeFirst<Map<number, Encodable>>(Uint8Array.from(authDataOf(made).slice(KEY_AT)));
    const withKey = (bytes: Uint8Array, statement?: Map<string, Encodable>) =>
      withAttestation(made, Buffer.concat([before, bytes]), statement);
    // The key itself attests to it: it verifies before it is known to be one.
    const byItself = new Map<string, Encodable>([
      ['alg', -7],
      ['sig', Uint8Array.from(Buffer.from('3006020101020101', 'hex'))],
    ]);
    expect(await verifyNewKey(withKey(isoCBOR.encode(key)), expected)).not.toBeNull();
    await fc.assert(
      fc.asyncProperty(fc.oneof(cbor, noKeyLike(key)), async (bytes) => {
        expect(await verifyNewKey(withKey(bytes), expected)).toBeNull();
        expect(await verifyNewKey(withKey(bytes, byItself), expected)).toBeNull();
      }),
      { numRuns: 400, examples: [[isoCBOR.encode(new Map(key).set(-2, 2 ** 31 - 1))]] },
    );
  });

  it('are refused as any part of an attestation', async () => {
    const made = new SoftwarePasskey().make(honest);
    const authData = authDataOf(made);
    const length = fc.constant(2 ** 31 - 1);
    const statement = fc
      .dictionary(fc.constantFrom('alg', 'sig', 'x5c', 'ver'), fc.oneof(length, value))
      .map((members) => new Map(Object.entries(members)));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(statement, length, value),
        fc.oneof(fc.constant(authData), length, value),
        async (statement, authData) => {
          const object = new Map<string, Encodable>([
            ['fmt', 'packed'],
            ['attStmt', statement],
            ['authData', authData as Encodable],
          ]);
          const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(object));
          const response = { ...made.response, attestationObject };
          expect(await verifyNewKey({ ...made, response }, expected)).toBeNull();
        },
      ),
      { numRuns: 400 },
    );
  });

  it('are refused, and nothing is thrown', async () => {
    const passkey = new SoftwarePasskey();
    const key = await enrolled(passkey);
    const made = passkey.make(honest);
    const signed = passkey.sign(honest);
    await fc.assert(
      fc.asyncProperty(bytes, bytes, async (one, other) => {
        const response = { ...made.response, attestationObject: one };
        expect(await verifyNewKey({ ...made, response }, expected)).toBeNull();
        const forged = { ...signed.response, authenticatorData: one, signature: other };
        expect(await verifySignature({ ...signed, response: forged }, key, expected)).toBeNull();
        const unread = { ...signed.response, clientDataJSON: one };
        expect(await verifySignature({ ...signed, response: unread }, key, expected)).toBeNull();
      }),
      { numRuns: 60 },
    );
  });
});
