// Attestation objects as a device may make them, lies included, for the passkeys of the software authenticator.
import { createHash, type KeyObject, sign, type X509Certificate } from 'node:crypto';
import { decodeAttestationObject, isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
import type { MadePasskey } from '../../src/contract/device.ts';

export type Encodable = Parameters<typeof isoCBOR.encode>[0];

/** Where the key begins (WebAuthn 6.5.1): after RP ID hash, flags, count, AAGUID, and an id of 16 bytes. */
export const KEY_AT = 32 + 1 + 4 + 16 + 2 + 16;

export const authDataOf = ({ response }: MadePasskey): Uint8Array =>
  decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject)).get('authData');

/** The new passkey with another attestation object; without a statement, of the format `none`. */
export function withAttestation(
  made: MadePasskey,
  authData: Uint8Array,
  statement?: Map<string, Encodable>,
  format = statement ? 'packed' : 'none',
): MadePasskey {
  const object = new Map<string, Encodable>([
    ['fmt', format],
    ['attStmt', statement ?? new Map()],
    ['authData', Uint8Array.from(authData)],
  ]);
  const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(object));
  return { ...made, response: { ...made.response, attestationObject } };
}

/** The new passkey as its device signs it with this key: with these certificates, or by itself. */
export function packed(
  made: MadePasskey,
  key: KeyObject,
  certificates: readonly Pick<X509Certificate, 'raw'>[] = [],
  format = 'packed',
): MadePasskey {
  const authData = authDataOf(made);
  const data = createHash('sha256').update(isoBase64URL.toBuffer(made.response.clientDataJSON)).digest();
  const statement = new Map<string, Encodable>([
    ['alg', -7],
    ['sig', Uint8Array.from(sign('sha256', Buffer.concat([authData, data]), key))],
  ]);
  if (certificates.length > 0)
    statement.set(
      'x5c',
      certificates.map(({ raw }) => Uint8Array.from(raw)),
    );
  return withAttestation(made, authData, statement, format);
}
