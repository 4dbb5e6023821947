// A receipt's text → its payload, if one of these keys signed it.
import { compactVerify, createLocalJWKSet, errors, type JSONWebKeySet } from 'jose';
import { Compile } from 'typebox/compile';
import { RECEIPT_ALGORITHM, RECEIPT_TYPE, Receipt } from '../contract/receipt.ts';

/** Largest text that is looked at. */
export const MAX_RECEIPT_BYTES = 1_000_000;

/** `unknown_key`: signed by none of these keys, or said to be; `other_form`: signed, and of a later version. */
export type OpenedReceipt =
  | { readonly status: 'opened'; readonly receipt: Receipt }
  | { readonly status: 'refused'; readonly because: 'altered' | 'unknown_key' | 'other_form' };

/** Verifies receipts by these keys. @throws TypeError where they are no JSON Web Key Set */
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

/** Base64url has several spellings of one value, and decoders take them all: only the one that was signed counts. */
function isCanonical(text: string): boolean {
  const parts = text.split('.');
  return (
    parts.length === 3 &&
    parts.every((part) => part !== '' && Buffer.from(part, 'base64url').toString('base64url') === part)
  );
}
