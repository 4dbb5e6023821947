// A WebAuthn authenticator in software, for tests of what the service accepts: it makes and signs whatever it is told to,
// lies included. The page's own tests use the browser's virtual one.
import {
  createHash,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { MadePasskey, PasskeySignature } from '../../src/contract/device.ts';

/** What a device claims in one answer; each may be wrong. */
export interface Claims {
  readonly challenge: Uint8Array;
  readonly origin: string;
  readonly rpId: string;
  readonly userVerified: boolean;
  readonly signCount: number;
  /** Whether the passkey may leave the device; it has not yet. */
  readonly backedUp: boolean;
  /** COSE algorithm of the key: ES256 (-7), unless it is of another kind. Another one is only claimed. */
  readonly algorithm: number;
  /** The second coordinate of the public key's point; default: the right one. */
  readonly point?: Buffer;
  /** The page that frames the one that asks; default: none does. */
  readonly topOrigin?: string;
  /** `webauthn.create` or `webauthn.get`; default: the right one. */
  readonly type?: string;
  /** Attestation statement; default: none. */
  readonly attestation?: { readonly format: string; readonly statement: Map<string, unknown> };
}

const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest();
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** One passkey of one device. */
export class SoftwarePasskey {
  readonly id = randomBytes(16);
  readonly #privateKey: KeyObject;
  readonly #publicKey: JsonWebKey;

  constructor({ privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })) {
    this.#privateKey = privateKey;
    this.#publicKey = publicKey.export({ format: 'jwk' });
  }

  get credentialId(): string {
    return text(this.id);
  }

  make(claims: Claims): MadePasskey {
    const { attestation = { format: 'none', statement: new Map() } } = claims;
    const authData = Buffer.concat([
      authenticatorData(claims, true),
      Buffer.alloc(16),
      Buffer.from([0, this.id.length]),
      this.id,
      Buffer.from(isoCBOR.encode(this.#coseKey(claims))),
    ]);
    const object = new Map<string, unknown>([
      ['fmt', attestation.format],
      ['attStmt', attestation.statement],
      ['authData', Uint8Array.from(authData)],
    ]);
    return this.#credential({
      clientDataJSON: text(clientData(claims, 'webauthn.create')),
      attestationObject: text(isoCBOR.encode(object as Parameters<typeof isoCBOR.encode>[0])),
      transports: ['internal'],
    });
  }

  sign(claims: Claims): PasskeySignature {
    const data = clientData(claims, 'webauthn.get');
    const authData = authenticatorData(claims, false);
    const digest = this.#publicKey.kty === 'OKP' ? null : 'sha256';
    const signature = sign(digest, Buffer.concat([authData, sha256(data)]), this.#privateKey);
    return this.#credential({
      clientDataJSON: text(data),
      authenticatorData: text(authData),
      signature: text(signature),
    });
  }

  #credential<Response>(response: Response) {
    return { id: this.credentialId, rawId: this.credentialId, type: 'public-key', response } as const;
  }

  #coseKey({ algorithm, point }: Claims) {
    const { kty, x, y, n, e } = this.#publicKey;
    const bytes = (member: string | undefined) => Uint8Array.from(Buffer.from(member!, 'base64url'));
    const members: Record<string, [number, number | Uint8Array][]> = {
      OKP: [
        [1, 1],
        [-1, 6],
        [-2, bytes(x ?? '')],
      ],
      EC: [
        [1, 2],
        [-1, 1],
        [-2, bytes(x ?? '')],
        [-3, point ? Uint8Array.from(point) : bytes(y ?? '')],
      ],
      RSA: [
        [1, 3],
        [-1, bytes(n ?? '')],
        [-2, bytes(e ?? '')],
      ],
    };
    return new Map<number, number | Uint8Array>([[3, algorithm], ...members[kty!]!]);
  }
}

function clientData({ type, challenge, origin, topOrigin }: Claims, ownType: string): Buffer {
  const framed = topOrigin === undefined ? { crossOrigin: false } : { crossOrigin: true, topOrigin };
  const data = { type: type ?? ownType, challenge: text(challenge), origin, ...framed };
  return Buffer.from(JSON.stringify(data));
}

/** Flags by WebAuthn 6.1: user present, user verified, backup eligible, attested credential data. */
function authenticatorData({ rpId, userVerified, backedUp, signCount }: Claims, isNew: boolean): Buffer {
  const flags = 0x01 | (userVerified ? 0x04 : 0) | (backedUp ? 0x08 : 0) | (isNew ? 0x40 : 0);
  const count = Buffer.alloc(4);
  count.writeUInt32BE(signCount);
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
}
