// Identifiers: prefixed and time-ordered (TypeID, a UUIDv7 in base32).
import { typeid } from 'typeid-js';

/** Prefixes of every identifier that leaves the service or is stored in the database. */
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

/** Creates an identifier such as `ch_01m7xwff3ffagard667w6t1g6g`. Ids of one kind sort by creation time. */
export function newId(kind: IdKind): string {
  return typeid(ID_PREFIXES[kind]).toString();
}
