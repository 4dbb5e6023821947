// Whether the public key of a new passkey is what its algorithm says. With attestation `none` nothing else looks at it
// before it first signs, and one that can never sign would bind a FeatureID for good.
import { cose, isoCBOR, isoUint8Array, verifySignature } from '@simplewebauthn/server/helpers';

/** COSE algorithms that a passkey may have: EdDSA, ES256, RS256. */
export const ALGORITHMS = [-8, -7, -257];

/** RSA below 2048 bits may be factored; above 4096, only verifying takes longer. */
const RSA_BYTES = { least: 256, most: 512 };

/** r = s = 1 in DER, as ECDSA has them; to the other algorithms it is any bytes. */
const ANY_SIGNATURE = isoUint8Array.fromHex('3006020101020101');

const { COSECRV, COSEKEYS, COSEKTY } = cose;

/**
 * Whether this is a key of one of these algorithms that the platform takes: of P-256 a point on the curve, of RSA a modulus
 * of these sizes. The library is to verify nothing with a key before: where one has a number in place of bytes, it takes
 * the number for their length.
 * @param publicKey COSE_Key (RFC 9052, 7)
 * @throws whatever decoder or platform make of bytes that are none
 */
export async function isUsable(publicKey: Uint8Array): Promise<boolean> {
  const bytes = Uint8Array.from(publicKey);
  if (!isSupported(isoCBOR.decodeFirst<ReadonlyMap<number, unknown>>(bytes))) return false;
  // It cannot hold. But first the platform takes the key, or throws.
  await verifySignature({ credentialPublicKey: bytes, signature: ANY_SIGNATURE, data: bytes });
  return true;
}

function isSupported(key: ReadonlyMap<number, unknown>): boolean {
  const algorithm = key.get(COSEKEYS.alg);
  const curve = key.get(COSEKEYS.crv);
  const areBytes = (...members: number[]) => members.every((each) => key.get(each) instanceof Uint8Array);
  switch (key.get(COSEKEYS.kty)) {
    case COSEKTY.OKP:
      return algorithm === -8 && curve === COSECRV.ED25519 && areBytes(COSEKEYS.x);
    case COSEKTY.EC2:
      return algorithm === -7 && curve === COSECRV.P256 && areBytes(COSEKEYS.x, COSEKEYS.y);
    case COSEKTY.RSA: {
      if (algorithm !== -257 || !areBytes(COSEKEYS.n, COSEKEYS.e)) return false;
      const modulus = key.get(COSEKEYS.n) as Uint8Array;
      // RFC 8230, 4: without leading zeros.
      return modulus[0] !== 0 && modulus.length >= RSA_BYTES.least && modulus.length <= RSA_BYTES.most;
    }
    default:
      return false;
  }
}
