// FeatureIDs made from one picture (POST /v1/featids). Only workers load the networks, so a picture is queued, sealed
// under its own key, and the request waits for the answer. Only the template of the FeatureID is kept.
import { createHash } from 'node:crypto';
import { newId } from '../base/ids.ts';
import type { PictureFault, PictureFeatid, PictureQuality } from '../contract/picture.ts';
import type { Idempotency, MakeRecord, TransactedWork } from '../idempotency/idempotency.ts';
import type { Custody, ErasableKey } from '../keys/account-keys.ts';
import { newErasureKey } from '../keys/erasure-key.ts';
import { type Notifier, readUntil } from '../storage/postgres/coordination/notifier.ts';
import type { Featids } from './featids.ts';
import type { NewFeatidRow } from './tables/keys.ts';
import type { NewPicture, PictureStore, TakenPicture } from './tables/picture-store.ts';
import type { FaceTemplate } from './template.ts';

/** Path of the route, to which idempotency keys are scoped. */
const PATH = '/v1/featids';
const PURPOSE = { picture: 'featid-picture', answer: 'featid-picture-answer' } as const;
/** How long a request waits for a worker: half of a typical client timeout. */
const WAIT_MS = 20_000;
/** How many pictures may wait at once. Chosen: a worker reads about ten per second, and only after all captures. */
const MAX_WAITING = { ofAll: 64, ofAccount: 16 };
/** A picture that crashes its worker this many times counts as unreadable. */
const MAX_STARTS = 2;
/** No request waits this long, so an older picture was left behind by a process that died. */
const STALE_SECONDS = 120;
const STALE_BATCH = 100;

/** The result of reading a picture in a worker. */
export type ReadPicture =
  | { readonly status: 'made'; readonly template: FaceTemplate; readonly quality: PictureQuality }
  | { readonly status: 'refused'; readonly fault: PictureFault };

/** The sender of a picture. */
interface PictureSender {
  readonly accountId: string;
  readonly actor: string;
  readonly sandbox: boolean;
}

type Answer = { readonly made: PictureFeatid } | { readonly fault: PictureFault };

export type PictureOutcome =
  | { readonly status: 'made'; readonly featid: PictureFeatid; readonly replayed: boolean }
  | { readonly status: 'refused'; readonly fault: PictureFault; readonly replayed: boolean }
  /** No worker had time for it. */
  | { readonly status: 'saturated' }
  | { readonly status: 'in_flight' }
  | { readonly status: 'key_reused' };

/** Makes FeatureIDs from pictures for the API. */
export interface Pictures {
  /** Makes a FeatureID from a picture. Waits for a worker, but no longer than until `signal` aborts. */
  enrol(
    sender: PictureSender,
    picture: Uint8Array,
    options: { readonly idempotencyKey: string | null; readonly signal?: AbortSignal },
  ): Promise<PictureOutcome>;
}

interface PictureParts {
  readonly store: PictureStore;
  readonly custody: Custody;
  /** Wakes waiting requests, by the ids of their pictures. */
  readonly notifier: Pick<Notifier, 'subscribe'>;
  readonly idempotency: Pick<Idempotency, 'transacted'>;
  readonly featids: Pick<Featids, 'createForSandbox'>;
}

/** There is no answer to record; the client should send the request again. */
class Saturated extends Error {}

export function createPictures(parts: PictureParts): Pictures {
  return {
    async enrol(sender, picture, { idempotencyKey: key, signal }) {
      const { accountId } = sender;
      const sha256 = createHash('sha256').update(picture).digest('hex');
      try {
        const keyed = await parts.idempotency.transacted<Answer>(
          key === null ? null : { accountId, path: PATH, key, body: { sha256 } },
          {
            isCostly: true,
            run: (makeRecord) =>
              sender.sandbox
                ? enrolInSandbox(parts, sender, makeRecord)
                : enrolOne(parts, sender, picture, { makeRecord, signal }),
            bodyHolder: async () => accountId,
          },
        );
        if (keyed.status === 'in_flight' || keyed.status === 'key_reused') return keyed;
        const replayed = keyed.status === 'replay';
        const { answer } = keyed;
        return 'made' in answer
          ? { status: 'made', featid: answer.made, replayed }
          : { status: 'refused', fault: answer.fault, replayed };
      } catch (error) {
        if (error instanceof Saturated) return { status: 'saturated' };
        throw error;
      }
    },
  };
}

interface Enrolling {
  readonly makeRecord: MakeRecord<Answer> | null;
  readonly signal: AbortSignal | undefined;
}

async function enrolOne(
  parts: PictureParts,
  { accountId, actor }: PictureSender,
  picture: Uint8Array,
  { makeRecord, signal }: Enrolling,
): Promise<TransactedWork<Answer>> {
  const { store, custody } = parts;
  const holder = { accountId, erasureKey: newErasureKey() };
  const id = newId('picture');
  const sealedPicture = await custody.seal(holder, PURPOSE.picture, picture, id);
  const row: NewPicture = { id, actor, sealedPicture, ...holder };
  if (!(await store.submit(row, MAX_WAITING))) throw new Saturated();
  try {
    const sealed = await awaitAnswer(parts, id, signal);
    const answer = await openAnswer(custody, holder, id, sealed);
    const ended = await store.collect(id, makeRecord && (await makeRecord(answer, accountId)));
    if (ended === 'gone') throw new Saturated();
    if (ended === 'collected') return { status: 'committed', answer };
  } catch (error) {
    await store.withdraw(id).catch(() => {});
    throw error;
  }
  // Another request with this key came first. Its answer counts, and nobody gets this FeatureID.
  await store.withdraw(id);
  return { status: 'taken' };
}

async function awaitAnswer(
  { store, notifier }: Pick<PictureParts, 'store' | 'notifier'>,
  id: string,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const answer = await readUntil(
    { notifier, id, timeoutMs: WAIT_MS, signal },
    () => store.readAnswer(id),
    (found) => found !== null,
  );
  if (!answer) throw new Saturated();
  return answer;
}

/** What the worker's task needs. */
export interface ReadingParts {
  readonly store: PictureStore;
  readonly custody: Custody;
  readonly featids: Pick<Featids, 'create'>;
  /** src/evaluation with the loaded models. */
  readonly read: (picture: Uint8Array) => Promise<ReadPicture>;
}

/**
 * Reads one queued picture and answers it. Earlier starts count towards the limit. Resolves with the reason why no
 * FeatureID was made, or null.
 */
export async function readQueuedPicture(
  parts: ReadingParts,
  id: string,
): Promise<PictureFault | 'withdrawn' | null> {
  const taken = await parts.store.take(id);
  if (!taken) return 'withdrawn';
  const read = await readTaken(parts, taken);
  if (read.status === 'refused') {
    await answerPicture(parts, taken, { answer: { fault: read.fault }, row: null });
    return read.fault;
  }
  const { accountId } = taken;
  const { template, quality } = read;
  const made = await parts.featids.create({ accountId, challengeId: null, template, source: 'image' });
  const answer = { made: { featid: made.featid, source: 'image', quality } } as const;
  await answerPicture(parts, taken, { answer, row: made.row });
  return null;
}

async function readTaken({ custody, read }: ReadingParts, taken: TakenPicture): Promise<ReadPicture> {
  if (taken.starts > MAX_STARTS) return { status: 'refused', fault: 'picture_damaged' };
  return read(await custody.open(taken, PURPOSE.picture, taken.sealedPicture, taken.id));
}

/** Nothing was examined or measured. */
const SANDBOX_QUALITY: PictureQuality = { flaws: [], eye_distance_px: 0 };

/** A sandbox key's picture is not examined, so no worker is needed. */
async function enrolInSandbox(
  { store, featids }: PictureParts,
  { accountId, actor }: PictureSender,
  makeRecord: MakeRecord<Answer> | null,
): Promise<TransactedWork<Answer>> {
  const { featid, row } = await featids.createForSandbox({ accountId, challengeId: null, source: 'image' });
  const answer = { made: { featid, source: 'image', quality: SANDBOX_QUALITY, sandbox: true } } as const;
  const record = makeRecord && (await makeRecord(answer, accountId));
  return (await store.enrol(row, actor, record)) ? { status: 'committed', answer } : { status: 'taken' };
}

/** The answer holds the FeatureID's string, so it is sealed like the picture and erased with it. */
async function answerPicture(
  { store, custody }: Pick<PictureParts, 'store' | 'custody'>,
  picture: NewPicture,
  { answer, row }: { answer: Answer; row: NewFeatidRow | null },
): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(answer));
  const sealedAnswer = await custody.seal(picture, PURPOSE.answer, bytes, picture.id);
  await store.answer(picture.id, { sealedAnswer, featid: row });
}

async function openAnswer(
  custody: Custody,
  holder: ErasableKey,
  id: string,
  sealed: Buffer,
): Promise<Answer> {
  return JSON.parse((await custody.open(holder, PURPOSE.answer, sealed, id)).toString('utf8'));
}

/**
 * Erases pictures whose request ended without collecting them, for example because its process was killed, and
 * FeatureIDs that nobody received.
 */
export function withdrawStalePictures(store: PictureStore): Promise<number> {
  return store.withdrawOlderThan(STALE_SECONDS, STALE_BATCH);
}
