// Verifies the signature of what the receipts' keys signed, and returns its payload.
import { compactVerify, createLocalJWKSet, errors, type JSONWebKeySet } from 'jose';
import { RECEIPT_ALGORITHM } from '../contract/receipt.ts';

/**
 * `unknown_key`: signed, or claimed to be signed, by none of these keys. `other_form`: signed, but not in a known
 * format.
 */
export type OpenedSigned<Payload> =
  | { readonly status: 'opened'; readonly payload: Payload }
  | { readonly status: 'refused'; readonly because: 'altered' | 'unknown_key' | 'other_form' };

/**
 * Returns a function that verifies a JWS of this `typ`. `isForm` tells whether its payload is of a known form.
 * @throws TypeError if the keys are not a JSON Web Key Set
 */
export function signedOpener<Payload>(
  keys: JSONWebKeySet,
  typ: string,
  isForm: (payload: unknown) => boolean,
): (text: string) => Promise<OpenedSigned<Payload>> {
  const keySet = createLocalJWKSet(keys);
  const options = { algorithms: [RECEIPT_ALGORITHM] };
  return async (text) => {
    if (!isCanonical(text)) return { status: 'refused', because: 'altered' };
    try {
      const { payload: bytes, protectedHeader } = await compactVerify(text, keySet, options);
      const payload: unknown = JSON.parse(new TextDecoder().decode(bytes));
      return protectedHeader.typ === typ && isForm(payload)
        ? { status: 'opened', payload: payload as Payload }
        : { status: 'refused', because: 'other_form' };
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      const unknown = error instanceof errors.JWKSNoMatchingKey;
      return { status: 'refused', because: unknown ? 'unknown_key' : 'altered' };
    }
  };
}

/** Base64url can encode a value in several ways, and decoders accept them all. Only the canonical encoding is valid. */
function isCanonical(text: string): boolean {
  const parts = text.split('.');
  return (
    parts.length === 3 &&
    parts.every((part) => part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part)
  );
}
