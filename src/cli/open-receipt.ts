// Verifies a receipt's signature and returns its payload.
import { compactVerify, createLocalJWKSet, errors, type JSONWebKeySet } from 'jose';
import { Compile } from 'typebox/compile';
import { RECEIPT_ALGORITHM, RECEIPT_TYPE, Receipt } from '../contract/receipt.ts';

/** Largest text to examine. */
export const MAX_RECEIPT_BYTES = 1_000_000;

/**
 * `unknown_key`: signed, or claimed to be signed, by none of these keys. `other_form`: signed, but not in a known
 * format.
 */
export type OpenedReceipt =
  | { readonly status: 'opened'; readonly receipt: Receipt }
  | { readonly status: 'refused'; readonly because: 'altered' | 'unknown_key' | 'other_form' };

/** Returns a function that verifies receipts with these keys. @throws TypeError if they are not a JSON Web Key Set */
export function receiptOpener(keys: JSONWebKeySet): (text: string) => Promise<OpenedReceipt> {
  const keySet = createLocalJWKSet(keys);
  const schema = Compile(Receipt);
  const options = { algorithms: [RECEIPT_ALGORITHM] };
  return async (text) => {
    if (!isCanonical(text)) return { status: 'refused', because: 'altered' };
    try {
      const { payload, protectedHeader } = await compactVerify(text, keySet, options);
      const receipt: unknown = JSON.parse(new TextDecoder().decode(payload));
      const isReceipt = protectedHeader.typ === RECEIPT_TYPE && schema.Check(receipt);
      return isReceipt
        ? { status: 'opened', receipt: receipt as Receipt }
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
