// Seals personal data under a key of its challenge, which an erasure destroys. Each kind of data has its own purpose
// and is bound to its place.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { Fault } from '../base/errors.ts';
import type { Custody, ErasableKey } from '../keys/account-keys.ts';
import type { NewKey } from '../passkeys/verify.ts';
import type {
  ChallengePlace,
  Consent,
  PageHints,
  PasskeyEvidence,
  SealedRequest,
  StoredResult,
  StoredTry,
} from './challenge.ts';

const PURPOSE = {
  request: 'challenge-request',
  result: 'challenge-result',
  consent: 'challenge-consent',
  reference: 'customer-reference',
  video: 'capture-video',
  hints: 'capture-hints',
  passkey: 'capture-passkey',
  madePasskey: 'challenge-passkey',
  try: 'capture-try',
  chunk: 'capture-chunk',
  frame: 'capture-frame',
} as const;

/** The key for the request, the result and the deliveries. */
export function detailsOf({
  accountId,
  detailsKey,
}: Pick<ChallengePlace, 'accountId' | 'detailsKey'>): ErasableKey {
  return { accountId, erasureKey: detailsKey };
}

/**
 * The key for recordings, including an upload in progress.
 * @throws Fault INVARIANT if the challenge no longer has one, because its recordings are past their retention
 */
export function recordingsOf({
  accountId,
  videoKey,
}: Pick<ChallengePlace, 'accountId' | 'videoKey'>): ErasableKey {
  if (!videoKey) throw new Fault('INVARIANT', 'the recordings of this challenge are gone');
  return { accountId, erasureKey: videoKey };
}

export function sealRequest(
  custody: Custody,
  place: ChallengePlace,
  request: SealedRequest,
): Promise<Buffer> {
  return custody.seal(detailsOf(place), PURPOSE.request, json(request), place.id);
}

export function openRequest(
  custody: Custody,
  challenge: ChallengePlace & { readonly sealedRequest: Uint8Array },
): Promise<SealedRequest> {
  return openJson(custody, challenge, PURPOSE.request, challenge.sealedRequest);
}

export function sealResult(custody: Custody, place: ChallengePlace, result: StoredResult): Promise<Buffer> {
  return custody.seal(detailsOf(place), PURPOSE.result, json(result), place.id);
}

export function openResult(
  custody: Custody,
  place: ChallengePlace,
  sealed: Uint8Array,
): Promise<StoredResult> {
  return openJson(custody, place, PURPOSE.result, sealed);
}

export function sealConsent(custody: Custody, place: ChallengePlace, consent: Consent): Promise<Buffer> {
  return custody.seal(detailsOf(place), PURPOSE.consent, json(consent), place.id);
}

export function openConsent(custody: Custody, place: ChallengePlace, sealed: Uint8Array): Promise<Consent> {
  return openJson(custody, place, PURPOSE.consent, sealed);
}

/** Seals page hints, bound to their capture. */
export function sealHints(
  custody: Custody,
  place: ChallengePlace,
  captureId: string,
  hints: PageHints,
): Promise<Buffer> {
  return custody.seal(detailsOf(place), PURPOSE.hints, json(hints), captureId);
}

export async function openHints(
  custody: Custody,
  place: ChallengePlace,
  capture: { readonly id: string; readonly sealedHints: Uint8Array | null },
): Promise<PageHints | null> {
  const { id, sealedHints } = capture;
  if (!sealedHints) return null;
  return openJson(custody, place, PURPOSE.hints, sealedHints, id);
}

/** Seals a device's answer, bound to its capture. */
export function sealPasskeyAnswer(
  custody: Custody,
  place: ChallengePlace,
  captureId: string,
  evidence: PasskeyEvidence,
): Promise<Buffer> {
  return custody.seal(detailsOf(place), PURPOSE.passkey, json(evidence), captureId);
}

export async function openPasskeyAnswer(
  custody: Custody,
  place: ChallengePlace,
  { id, sealedPasskeyAnswer }: { readonly id: string; readonly sealedPasskeyAnswer: Uint8Array | null },
): Promise<PasskeyEvidence | null> {
  return sealedPasskeyAnswer && openJson(custody, place, PURPOSE.passkey, sealedPasskeyAnswer, id);
}

export function sealMadePasskey(custody: Custody, place: ChallengePlace, key: NewKey): Promise<Buffer> {
  return custody.seal(detailsOf(place), PURPOSE.madePasskey, json(key), place.id);
}

export async function openMadePasskey(
  custody: Custody,
  challenge: ChallengePlace & { readonly sealedMadePasskey: Uint8Array | null },
): Promise<NewKey | null> {
  const { sealedMadePasskey: sealed } = challenge;
  return sealed && openJson(custody, challenge, PURPOSE.madePasskey, sealed);
}

/** Seals a try, bound to its capture. It is compressed, from some 25 KB of figures to 5 KB. */
export function sealTry(
  custody: Custody,
  place: ChallengePlace,
  captureId: string,
  judged: StoredTry,
): Promise<Buffer> {
  return custody.seal(detailsOf(place), PURPOSE.try, deflateRawSync(json(judged)), captureId);
}

export async function openTry(
  custody: Custody,
  place: ChallengePlace,
  { id, sealedTry }: { readonly id: string; readonly sealedTry: Uint8Array | null },
): Promise<StoredTry | null> {
  if (!sealedTry) return null;
  const packed = await custody.open(detailsOf(place), PURPOSE.try, sealedTry, id);
  return JSON.parse(inflateRawSync(packed).toString('utf8'));
}

/** Seals a chunk, bound to its capture and offset, so that chunks cannot be swapped. */
export function sealChunk(
  custody: Custody,
  place: ChallengePlace,
  captureId: string,
  offset: number,
  bytes: Uint8Array,
): Promise<Buffer> {
  return custody.seal(recordingsOf(place), PURPOSE.chunk, bytes, `${captureId}\n${offset}`);
}

export function openChunk(
  custody: Custody,
  place: ChallengePlace,
  captureId: string,
  offset: number,
  sealed: Uint8Array,
): Promise<Buffer> {
  return custody.open(recordingsOf(place), PURPOSE.chunk, sealed, `${captureId}\n${offset}`);
}

/**
 * A MAC that is stored in place of a slice's hash: once the challenge is erased, nobody who has the video can match it
 * to the stored value. Chained, so that it also covers the slices before it.
 * @param before the MAC of the slice before it; null for the first
 */
export function macOfSlice(
  custody: Custody,
  place: ChallengePlace,
  before: Uint8Array | null,
  sha256: Uint8Array,
): Promise<Buffer> {
  return custody.fingerprint(
    detailsOf(place),
    PURPOSE.video,
    Buffer.concat(before ? [before, sha256] : [sha256]),
  );
}

/** Bytes kept of each tag: enough that no two of a billion references collide. */
const TAG_BYTES = 16;

/**
 * The tag that finds a challenge by its customer_reference: an HMAC under the account's key. It is stored beside the
 * challenge's keys and destroyed with them.
 */
export async function tagOfReference(
  custody: Custody,
  accountId: string,
  reference: string,
): Promise<Buffer> {
  const tag = await custody.fingerprint(accountId, PURPOSE.reference, Buffer.from(reference));
  return tag.subarray(0, TAG_BYTES);
}

/**
 * HMAC of one frame's hash under the account's key: without that key, nobody can find out by guessing which picture it
 * was.
 */
export function fingerprintFrame(custody: Custody, accountId: string, print: Uint8Array): Promise<Buffer> {
  return custody.fingerprint(accountId, PURPOSE.frame, print);
}

async function openJson<T>(
  custody: Custody,
  place: ChallengePlace,
  purpose: string,
  sealed: Uint8Array,
  boundTo = place.id,
): Promise<T> {
  return JSON.parse((await custody.open(detailsOf(place), purpose, sealed, boundTo)).toString('utf8'));
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
