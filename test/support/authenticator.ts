// A WebAuthn authenticator in software, for tests of what the service accepts: it makes and signs whatever it is told to,
// lies included. The page's own tests use the browser's virtual one.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
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
  /** COSE algorithm of the key; another than ES256 (-7) is only claimed. */
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
  readonly #point: { readonly x: Buffer; readonly y: Buffer };

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = privateKey;
    const { x, y } = publicKey.export({ format: 'jwk' });
    this.#point = { x: Buffer.from(x!, 'base64url'), y: Buffer.from(y!, 'base64url') };
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
    const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), this.#privateKey);
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
    const { x, y } = this.#point;
    return new Map<number, number | Uint8Array>([
      [1, 2],
      [3, algorithm],
      [-1, 1],
      [-2, Uint8Array.from(x)],
      [-3, Uint8Array.from(point ?? y)],
    ]);
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
