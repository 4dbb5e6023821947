// Identifiers: prefixed and time-ordered (TypeID, a UUIDv7 in base32), and unguessable secrets.
import { typeid } from 'typeid-js';
import { fewRandomBytes } from './random.ts';

/** Prefixes of every identifier that leaves the service or stands in the database. */
export const ID_PREFIXES = {
  account: 'acct',
  apiKey: 'key',
  webhookSecret: 'whs',
  challenge: 'ch',
  capture: 'cap',
  asset: 'ast',
  picture: 'pic',
  delivery: 'msg',
  operatorSession: 'ops',
  receiptKey: 'rck',
  oidcClient: 'oc',
  oidcKey: 'ok',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

/** Makes a new identifier such as `ch_01m7xwff3ffagard667w6t1g6g`: ids of one kind sort by time of creation. */
export function newId(kind: IdKind): string {
  return typeid(ID_PREFIXES[kind]).toString();
}

/** A random secret, base64url without padding. `bytes` × 8 bits of entropy. */
export function randomSecret(bytes: number): string {
  return fewRandomBytes(bytes).toString('base64url');
}
