// What this room seals under the account's key: each kind has its purpose and is bound to its place.
import { createHash } from 'node:crypto';
import { canonicalJson } from '../base/canonical-json.ts';
import type { Challenge, SealedRequest, StoredResult } from './challenge.ts';
import type { Custody } from './ports.ts';
import type { IdempotencyScope } from './store.ts';

const PURPOSE = {
  request: 'challenge-request',
  result: 'challenge-result',
  chunk: 'capture-chunk',
  answer: 'created-challenge',
  frame: 'capture-frame',
} as const;

/** The place of a challenge that is sealed before its row exists, or read from it. */
type Place = Pick<Challenge, 'id' | 'accountId'>;

export function sealRequest(custody: Custody, place: Place, request: SealedRequest): Promise<Buffer> {
  return custody.seal(place.accountId, PURPOSE.request, json(request), place.id);
}

export async function openRequest(
  custody: Custody,
  place: Place,
  sealed: Uint8Array,
): Promise<SealedRequest> {
  return JSON.parse(
    (await custody.open(place.accountId, PURPOSE.request, sealed, place.id)).toString('utf8'),
  );
}

export function sealResult(custody: Custody, place: Place, result: StoredResult): Promise<Buffer> {
  return custody.seal(place.accountId, PURPOSE.result, json(result), place.id);
}

export async function openResult(custody: Custody, place: Place, sealed: Uint8Array): Promise<StoredResult> {
  return JSON.parse((await custody.open(place.accountId, PURPOSE.result, sealed, place.id)).toString('utf8'));
}

/** A chunk is bound to its capture and offset: chunks cannot be swapped. */
export function sealChunk(
  custody: Custody,
  accountId: string,
  captureId: string,
  offset: number,
  bytes: Uint8Array,
): Promise<Buffer> {
  return custody.seal(accountId, PURPOSE.chunk, bytes, `${captureId}\n${offset}`);
}

export function openChunk(
  custody: Custody,
  accountId: string,
  captureId: string,
  offset: number,
  sealed: Uint8Array,
): Promise<Buffer> {
  return custody.open(accountId, PURPOSE.chunk, sealed, `${captureId}\n${offset}`);
}

/** A created challenge's answer, for replay. `expires_at` is reckoned from the row's time. */
export interface KeptResponse {
  readonly challenge_id: string;
  readonly challenge_url: string;
  readonly expires_in_seconds: number;
}

export function sealAnswer(custody: Custody, scope: IdempotencyScope, answer: KeptResponse): Promise<Buffer> {
  return custody.seal(scope.accountId, PURPOSE.answer, json(answer), `${scope.path}\n${scope.key}`);
}

export async function openAnswer(
  custody: Custody,
  scope: IdempotencyScope,
  sealed: Uint8Array,
): Promise<KeptResponse> {
  const place = `${scope.path}\n${scope.key}`;
  return JSON.parse((await custody.open(scope.accountId, PURPOSE.answer, sealed, place)).toString('utf8'));
}

/** HMAC of a body under the account's key; bodies that say the same in another order of keys are the same. */
export function fingerprintBody(custody: Custody, accountId: string, body: unknown): Promise<Buffer> {
  return custody.fingerprint(accountId, PURPOSE.answer, Buffer.from(canonicalJson(body)));
}

/** HMAC of one frame's hash under the account's key: without that key nobody can try out which picture it was. */
export function fingerprintFrame(custody: Custody, accountId: string, print: Uint8Array): Promise<Buffer> {
  return custody.fingerprint(accountId, PURPOSE.frame, print);
}

/** How secrets of 256 bits (link, device) are stored: their entropy needs no salt. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
