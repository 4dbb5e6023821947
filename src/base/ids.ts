// Identifiers: prefixed and time-ordered (TypeID, a UUIDv7 in base32).
import { randomUUID } from 'node:crypto';
import { fromUUID, typeid } from 'typeid-js';

/** Prefixes of the identifiers that leave the service or are stored in the database. */
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
  device: 'dev',
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

/** Creates an identifier such as `ch_01m7xwff3ffagard667w6t1g6g`. Ids of one kind sort by creation time. */
export const newId = (kind: IdKind): string => newIdOf(ID_PREFIXES[kind]);

/** Creates an identifier with a prefix of a room's own, which no other kind may have. */
export const newIdOf = (prefix: string): string => typeid(prefix).toString();

/** An identifier that does not tell when it was made. */
export const randomId = (kind: IdKind): string => fromUUID(randomUUID(), ID_PREFIXES[kind]).toString();
