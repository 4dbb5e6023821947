// Verifies a receipt's signature and returns its payload.
import type { JSONWebKeySet } from 'jose';
import { Compile } from 'typebox/compile';
import { RECEIPT_TYPE, Receipt } from '../contract/receipt.ts';
import { signedOpener } from './open-signed.ts';

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
  const schema = Compile(Receipt);
  const open = signedOpener<Receipt>(keys, RECEIPT_TYPE, (payload) => schema.Check(payload));
  return async (text) => {
    const opened = await open(text);
    return opened.status === 'opened' ? { status: 'opened', receipt: opened.payload } : opened;
  };
}
