// What the page asks a device for by WebAuthn, and what it makes of the answer. The authenticator is the test's;
// Chromium's own: test/slow/web/passkeys.test.ts.
import { createHash } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { Compile } from 'typebox/compile';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SliceAnnouncement } from '../../src/contract/capture-page.ts';
import { PasskeyAnswer, type PasskeyAsk } from '../../src/contract/device.ts';
import { createAskedDevice } from '../../web/capture/flow/asked-device.ts';
import type { PageEvent } from '../../web/capture/flow/screens.ts';
import { passkeyChallenge } from '../../web/capture/passkey/challenge.ts';
import { passkeySupport } from '../../web/capture/passkey/support.ts';

const ask: PasskeyAsk = {
  challenge_id: 'chg_1',
  rp_id: 'check.example',
  rp_name: 'Harbour Bank',
  required: false,
  known: [
    { id: 'AQID', transports: ['internal', 'hybrid'] },
    { id: 'BAUG', transports: [] },
  ],
  new_user_id: 'dXNlcg',
};
/** These passkeys as the browser gets them: with how each is reached, `hybrid` by the code for a phone. */
const described = [
  { id: Uint8Array.of(1, 2, 3).buffer, type: 'public-key', transports: ['internal', 'hybrid'] },
  { id: Uint8Array.of(4, 5, 6).buffer, type: 'public-key', transports: undefined },
];
const slices = ['one', 'two', 'three'].map(
  (text) => ({ sha256: createHash('sha256').update(text).digest('hex') }) as SliceAnnouncement,
);
const bytes = (...values: number[]) => Uint8Array.from(values).buffer;
const text = (buffer: BufferSource) => Buffer.from(buffer as ArrayBuffer).toString('utf8');

/** The contract's rule, in other words than the page's. */
function expectedChallenge(): Buffer {
  const hash = (...parts: (Buffer | string)[]) =>
    parts.reduce((sum, part) => sum.update(part), createHash('sha256')).digest();
  const [one, two, three] = slices.map(({ sha256 }) => Buffer.from(sha256, 'hex'));
  return hash('chg_1', hash(hash(hash(one!), two!), three!));
}

const signature = {
  id: 'AQID',
  rawId: bytes(1, 2, 3),
  type: 'public-key',
  authenticatorAttachment: 'platform',
  response: {
    clientDataJSON: bytes(1),
    authenticatorData: bytes(2),
    signature: bytes(3),
    userHandle: bytes(4),
  },
  getClientExtensionResults: () => ({ credProps: { rk: true } }),
};
const newKey = {
  id: 'CAgI',
  rawId: bytes(8, 8, 8),
  type: 'public-key',
  response: {
    clientDataJSON: bytes(1),
    attestationObject: bytes(2),
    getTransports: () => ['internal'],
    getPublicKeyAlgorithm: () => -7,
    getPublicKey: () => bytes(9),
    getAuthenticatorData: () => bytes(9),
  },
  getClientExtensionResults: () => ({}),
};

type Options = { publicKey: Record<string, unknown>; signal: AbortSignal };

/** A page whose browser answers like this; `attestation`: what the server wrote into it. */
function open(answer: (options: Options) => Promise<unknown>, attestation = 'none') {
  const told: PageEvent[] = [];
  const asked: Options[] = [];
  const disowned: unknown[] = [];
  const take = (options: Options) => {
    asked.push(options);
    return answer(options);
  };
  const signalUnknownCredential = async (key: unknown) => void disowned.push(key);
  vi.stubGlobal('navigator', { credentials: { get: take, create: take } });
  vi.stubGlobal(
    'PublicKeyCredential',
    Object.assign(() => {}, { signalUnknownCredential }),
  );
  vi.stubGlobal('location', { hostname: 'check.example' });
  vi.stubGlobal('document', { documentElement: { dataset: { attestation } } });
  const device = createAskedDevice({ slices: async () => slices }, (event) => told.push(event));
  device.prepare(ask);
  return { device, told, asked, disowned };
}

const refusal = (name: string) => () => Promise.reject(new DOMException('by the test', name));

afterEach(() => vi.unstubAllGlobals());

it('the challenge is what the contract says: of this challenge and these bytes', async () => {
  expect(Buffer.from(await passkeyChallenge('chg_1', slices))).toEqual(expectedChallenge());
  const swapped = [slices[1]!, slices[0]!, slices[2]!];
  expect(Buffer.from(await passkeyChallenge('chg_1', swapped))).not.toEqual(expectedChallenge());
});

describe('the device', () => {
  it('is asked to sign with one of the known passkeys, and to look at the person', async () => {
    const { device, told, asked } = open(async () => signature);
    await device.use(ask, 'sign');
    const { challenge, allowCredentials, ...others } = asked[0]!.publicKey;
    expect(Buffer.from(challenge as ArrayBuffer)).toEqual(expectedChallenge());
    expect(allowCredentials).toEqual(described);
    expect(others).toEqual({ rpId: 'check.example', userVerification: 'required', timeout: 120_000 });
    expect(told).toEqual([
      {
        type: 'device_answered',
        answer: {
          kind: 'signed',
          signed: {
            id: 'AQID',
            rawId: 'AQID',
            type: 'public-key',
            response: { clientDataJSON: 'AQ', authenticatorData: 'Ag', signature: 'Aw', userHandle: 'BA' },
          },
        },
      },
    ]);
  });

  it('is asked to make a passkey that names nobody', async () => {
    const { device, told, asked } = open(async () => newKey);
    await device.use(ask, 'make');
    const { challenge, user, ...others } = asked[0]!.publicKey;
    expect(Buffer.from(challenge as ArrayBuffer)).toEqual(expectedChallenge());
    const { id, ...named } = user as { id: BufferSource };
    expect(text(id)).toBe('user');
    expect(named).toEqual({ name: 'Harbour Bank', displayName: 'Harbour Bank' });
    expect(others).toEqual({
      rp: { id: 'check.example', name: 'Harbour Bank' },
      excludeCredentials: described,
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      attestation: 'none',
      timeout: 120_000,
    });
    expect(told).toHaveLength(1);
  });

  it('is asked who made it where the operator wants to know, and told to be another one if it does not say', async () => {
    const made = (format: string) => async () => {
      const attestationObject = Uint8Array.from(
        isoCBOR.encode(
          new Map<string, string | number>([
            ['fmt', format],
            ['attStmt', 0],
            ['authData', 0],
          ]),
        ),
      ).buffer;
      return { ...newKey, response: { ...newKey.response, attestationObject } };
    };
    const silent = open(made('none'), 'direct');
    await silent.device.use(ask, 'make');
    expect(silent.asked[0]!.publicKey).toMatchObject({ attestation: 'direct' });
    expect(silent.told).toEqual([{ type: 'device_failed', why: 'unattested' }]);
    expect(silent.disowned).toEqual([{ rpId: 'check.example', credentialId: 'CAgI' }]);
    for (const { device, told, disowned } of [open(made('packed'), 'direct'), open(made('none'))]) {
      await device.use(ask, 'make');
      expect(told).toMatchObject([{ type: 'device_answered' }]);
      expect(disowned).toEqual([]);
    }
  });

  it('sends what the contract takes, and nothing else', async () => {
    const schema = Compile(PasskeyAnswer);
    for (const [way, credential] of [
      ['sign', signature],
      ['make', newKey],
    ] as const) {
      const { device, told } = open(async () => credential);
      await device.use(ask, way);
      const [event] = told;
      if (event?.type !== 'device_answered') throw new Error('not answered');
      expect(schema.Check(event.answer)).toBe(true);
    }
  });

  it.each([
    ['NotAllowedError', 'cancelled'],
    ['InvalidStateError', 'cancelled'],
    ['NotSupportedError', 'unavailable'],
    ['SecurityError', 'unavailable'],
    ['ConstraintError', 'unavailable'],
    ['UnknownError', 'cancelled'],
    ['NotReadableError', 'cancelled'],
  ] as const)('after a %s is %s', async (name, why) => {
    for (const way of ['sign', 'make'] as const) {
      const { device, told } = open(refusal(name));
      await device.use(ask, way);
      expect(told).toEqual([{ type: 'device_failed', why }]);
    }
  });

  it('is not asked at all once the person has gone on while the page was getting ready', async () => {
    const { device, told, asked } = open(async () => signature);
    const using = device.use(ask, 'sign');
    device.stop();
    await using;
    expect([told, asked]).toEqual([[], []]);
  });

  it('is asked no longer once the person has gone on, and a passkey that it made all the same is disowned', async () => {
    let answer = (_: unknown) => {};
    const late = open(() => new Promise((resolve) => (answer = resolve)));
    const using = late.device.use(ask, 'make');
    await vi.waitFor(() => expect(late.asked).toHaveLength(1));
    late.device.stop();
    await vi.waitFor(() => expect(late.asked[0]!.signal.aborted).toBe(true));
    answer(newKey);
    await using;
    expect(late.told).toEqual([]);
    expect(late.disowned).toEqual([{ rpId: 'check.example', credentialId: 'CAgI' }]);
  });
});

describe('what a browser can ask for', () => {
  const windowWith = (has: boolean, allowed?: string) =>
    ({
      ...(has && { PublicKeyCredential: () => {} }),
      document:
        allowed === undefined ? {} : { featurePolicy: { allowsFeature: (name: string) => name === allowed } },
    }) as unknown as Window;

  it.each([
    ['nothing without passkeys', windowWith(false), { sign: false, make: false }],
    ['both with them', windowWith(true), { sign: true, make: true }],
    ['what its frame allows', windowWith(true, 'publickey-credentials-get'), { sign: true, make: false }],
    ['nothing in a frame that allows none', windowWith(true, 'camera'), { sign: false, make: false }],
  ])('%s', (_what, window, support) => {
    expect(passkeySupport(window)).toEqual(support);
  });
});
