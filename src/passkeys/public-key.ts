// Whether the public key of a new passkey is what its algorithm says. With attestation `none` nothing else looks at it
// before it first signs, and one that can never sign would bind a FeatureID for good.
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { cose, decodeCredentialPublicKey, isoBase64URL } from '@simplewebauthn/server/helpers';

/** COSE algorithms that a passkey may have: EdDSA, ES256, RS256. */
export const ALGORITHMS = [-8, -7, -257];

/** RSA below 2048 bits may be factored; above 4096, only verifying takes longer. */
const RSA_BITS = { least: 2048, most: 4096 };

const { COSEKEYS } = cose;
const text = (bytes: Uint8Array | undefined): string => isoBase64URL.fromBuffer(Uint8Array.from(bytes ?? []));

/**
 * Whether this is a key of one of these algorithms that the platform takes: of P-256 a point on the curve, of RSA a modulus
 * of these sizes.
 * @param publicKey COSE_Key (RFC 9052, 7)
 * @throws whatever decoder or platform make of bytes that are none
 */
export function isUsable(publicKey: Uint8Array): boolean {
  const jwk = jwkOf(decodeCredentialPublicKey(Uint8Array.from(publicKey)));
  if (jwk === null) return false;
  const { modulusLength: bits } = createPublicKey({ format: 'jwk', key: jwk }).asymmetricKeyDetails ?? {};
  return bits === undefined || (bits >= RSA_BITS.least && bits <= RSA_BITS.most);
}

function jwkOf(key: ReturnType<typeof decodeCredentialPublicKey>): JsonWebKey | null {
  const algorithm = key.get(COSEKEYS.alg);
  if (cose.isCOSEPublicKeyOKP(key) && algorithm === -8 && key.get(COSEKEYS.crv) === cose.COSECRV.ED25519)
    return { kty: 'OKP', crv: 'Ed25519', x: text(key.get(COSEKEYS.x)) };
  if (cose.isCOSEPublicKeyEC2(key) && algorithm === -7 && key.get(COSEKEYS.crv) === cose.COSECRV.P256)
    return { kty: 'EC', crv: 'P-256', x: text(key.get(COSEKEYS.x)), y: text(key.get(COSEKEYS.y)) };
  if (cose.isCOSEPublicKeyRSA(key) && algorithm === -257)
    return { kty: 'RSA', n: text(key.get(COSEKEYS.n)), e: text(key.get(COSEKEYS.e)) };
  return null;
}
