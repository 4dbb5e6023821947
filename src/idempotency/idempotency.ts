// Idempotency keys: the first answer to a key is recorded and replayed (docs/decisions/0021-idempotency.md). Work that
// fits into one transaction writes its record in it; work that spans more than one claims its key first.
import { timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../base/canonical-json.ts';
import { Fault } from '../base/errors.ts';
import type { Custody, KeyHolder } from '../keys/account-keys.ts';
import type { IdempotencyScope, IdempotencyStore, NewIdempotencyRecord } from './tables/store.ts';

/** How long an answer is replayed. */
export const RECORD_LIFE_MS = 24 * 60 * 60 * 1000;
/** Longer than any request may take: four times the longest, a test webhook. Chosen, not measured. */
export const CLAIM_LIFE_MS = 60 * 1000;

const PURPOSE = 'idempotency-record';

export interface KeyedRequest extends IdempotencyScope {
  /** JSON. Bodies that differ only in the order of their members count as the same. */
  readonly body: unknown;
}

/** The outcome of a request with an idempotency key. */
export type Keyed<T> =
  | { readonly status: 'first'; readonly answer: T }
  /** `recordedAt`: the time of the transaction that wrote or claimed the record. */
  | { readonly status: 'replay'; readonly answer: T; readonly recordedAt: Date }
  /** The first request with this key is still in progress. */
  | { readonly status: 'in_flight' }
  /** The key was used with another body. */
  | { readonly status: 'key_reused' };

/** Work that spans more than one transaction. */
export interface ClaimingWork<T> {
  /** If it throws, nothing is recorded. */
  run(): Promise<T>;
  /** Whether this answer is recorded. */
  isFinal(answer: T): boolean;
  /** The challenge that the answer is about: the answer is sealed under its key and erased with it. Null: none. */
  readonly challengeId: string | null;
}

/**
 * Makes the record to be written in the work's transaction.
 * @param bodyHolder whose key fingerprints the body: once it is destroyed, nobody can test guesses of the body
 */
export type MakeRecord<T> = (answer: T, bodyHolder: KeyHolder) => Promise<NewIdempotencyRecord>;

export type TransactedWork<T> =
  /** The record is written. */
  | { readonly status: 'committed'; readonly answer: T }
  /** Nothing was written: a record was in force, or another request was writing one. */
  | { readonly status: 'taken' }
  /** The work wrote nothing; only the record of this answer remains to be written. */
  | { readonly status: 'refused'; readonly answer: T };

/** Work that consists of one transaction. */
export interface TransactingWork<T> {
  /**
   * Whether it costs so much that an earlier answer is looked for first. Otherwise that is looked for when the record
   * cannot be written: nearly every key is new, and its request does without a look-up.
   */
  readonly isCostly: boolean;
  /** If it throws, nothing is recorded. `makeRecord` is null for a request without a key. */
  run(makeRecord: MakeRecord<T> | null): Promise<TransactedWork<T>>;
  /**
   * Whose key fingerprinted the body of a recorded answer. Null if it is destroyed: any body then counts as the same.
   */
  bodyHolder(answer: T): Promise<KeyHolder | null>;
}

/** Runs work once per key; the work of a request without one (null) always runs. */
export interface Idempotency {
  /** Claims the key, runs the work, records the answer. The claim of a dead process expires after a minute. */
  claimed<T>(request: KeyedRequest | null, work: ClaimingWork<T>): Promise<Keyed<T>>;
  /** Runs the work and writes the record in the work's own transaction: either both are written, or neither. */
  transacted<T>(request: KeyedRequest | null, work: TransactingWork<T>): Promise<Keyed<T>>;
  /** Deletes expired records; resolves with the count. */
  deleteExpired(): Promise<number>;
}

/** Makes the service. Answers are JSON; they are sealed and bound to account, path and key. */
export function createIdempotency(parts: { store: IdempotencyStore; custody: Custody }): Idempotency {
  const { store } = parts;
  const records = createRecords(parts);

  return {
    async claimed<T>(request: KeyedRequest | null, work: ClaimingWork<T>): Promise<Keyed<T>> {
      if (!request) return { status: 'first', answer: await work.run() };
      const find = () => records.find<T>(request, async () => request.accountId);
      const earlier = await find();
      if (earlier) return earlier;
      const claim = await store.claim({
        scope: scopeOf(request),
        fingerprint: await records.fingerprint(request, request.accountId),
        challengeId: work.challengeId,
        lifeMs: CLAIM_LIFE_MS,
      });
      if (!claim) return (await find()) ?? { status: 'in_flight' };
      try {
        const answer = await work.run();
        if (work.isFinal(answer)) {
          await store.complete(claim, await records.seal(request, claim.holder, answer), RECORD_LIFE_MS);
        } else await store.release(claim);
        return { status: 'first', answer };
      } catch (error) {
        // The cause of the failure may make the release fail too; the claim then expires.
        await store.release(claim).catch(() => {});
        throw error;
      }
    },

    async transacted<T>(request: KeyedRequest | null, work: TransactingWork<T>): Promise<Keyed<T>> {
      if (!request) return firstOf(await work.run(null));
      const find = () => records.find<T>(request, (answer) => work.bodyHolder(answer));
      const earlier = work.isCostly ? await find() : null;
      if (earlier) return earlier;
      const done = await work.run((answer, bodyHolder) => records.make(request, answer, bodyHolder));
      if (done.status === 'committed') return { status: 'first', answer: done.answer };
      if (done.status === 'refused') {
        const record = await records.make(request, done.answer, request.accountId);
        if (await store.insert(record)) return { status: 'first', answer: done.answer };
      }
      // Another request with this key was faster: its answer counts. If there is none yet, it is still in progress.
      return (await find()) ?? { status: 'in_flight' };
    },

    deleteExpired: () => store.deleteExpired(),
  };
}

/** Makes, seals and finds the records of answers. */
function createRecords({ store, custody }: { store: IdempotencyStore; custody: Custody }) {
  const fingerprint = (request: KeyedRequest, holder: KeyHolder): Promise<Buffer> =>
    custody.fingerprint(holder, PURPOSE, Buffer.from(canonicalJson(request.body ?? null)));

  const seal = (request: KeyedRequest, holder: KeyHolder, answer: unknown): Promise<Buffer> =>
    custody.seal(holder, PURPOSE, Buffer.from(JSON.stringify(answer)), placeOf(request));

  const make = async (request: KeyedRequest, answer: unknown, bodyHolder: KeyHolder) => ({
    scope: scopeOf(request),
    fingerprint: await fingerprint(request, bodyHolder),
    sealedAnswer: await seal(request, request.accountId, answer),
    lifeMs: RECORD_LIFE_MS,
  });

  /** The outcome according to a record in force; null if there is none. */
  const find = async <T>(
    request: KeyedRequest,
    bodyHolder: (answer: T) => Promise<KeyHolder | null>,
  ): Promise<Keyed<T> | null> => {
    const record = await store.find(scopeOf(request));
    if (!record) return null;
    if (!record.sealedAnswer) return { status: 'in_flight' };
    const opened = await custody.open(record.holder, PURPOSE, record.sealedAnswer, placeOf(request));
    const answer = JSON.parse(opened.toString('utf8')) as T;
    const holder = await bodyHolder(answer);
    if (holder && !timingSafeEqual(record.fingerprint, await fingerprint(request, holder))) {
      return { status: 'key_reused' };
    }
    return { status: 'replay', answer, recordedAt: record.createdAt };
  };

  return { fingerprint, seal, make, find };
}

/** @throws Fault INVARIANT if work without a key reports that its key was taken */
function firstOf<T>(done: TransactedWork<T>): Keyed<T> {
  if (done.status === 'taken')
    throw new Fault('INVARIANT', 'work without an idempotency key reported its key as taken');
  return { status: 'first', answer: done.answer };
}

const scopeOf = ({ accountId, path, key }: KeyedRequest): IdempotencyScope => ({ accountId, path, key });

/** Binds a sealed answer to its path and key; the sealing key binds it to the account. */
const placeOf = ({ path, key }: KeyedRequest): string => `${path}\n${key}`;
