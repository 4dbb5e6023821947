// Verifies a receipt's signature and returns its payload.
import type { JSONWebKeySet } from 'jose';
import { Compile } from 'typebox/compile';
import { RECEIPT_TYPE, Receipt } from '../contract/receipt.ts';
import { type OpenedSigned, signedOpener } from './open-signed.ts';

/** Largest text to examine. */
export const MAX_RECEIPT_BYTES = 1_000_000;

/** Returns a function that verifies receipts with these keys. @throws TypeError if they are not a JSON Web Key Set */
export function receiptOpener(keys: JSONWebKeySet): (text: string) => Promise<OpenedSigned<Receipt>> {
  const schema = Compile(Receipt);
  return signedOpener<Receipt>(keys, RECEIPT_TYPE, (payload) => schema.Check(payload));
}
