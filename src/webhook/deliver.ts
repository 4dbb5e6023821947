// Makes one attempt for each claimed delivery: reads, signs and sends it, then records the attempt together with what
// follows. Nothing is written before there is an answer. If the process is killed in between, the lease expires and the
// delivery is sent again with the same webhook-id.
import type { Logger } from '../base/log.ts';
import type { ChallengeResult } from '../contract/result.ts';
import type { Custody, KeyHolder } from '../keys/account-keys.ts';
import type { WebhookSecrets } from '../keys/webhook-secrets.ts';
import type { RecordAttempt } from './attempt-recorder.ts';
import { openEndpoint } from './endpoint.ts';
import type { NextStep, RetrySchedule } from './schedule.ts';
import type { Message, Send, SentAttempt } from './sender.ts';
import type { AttemptRecord } from './tables/attempts.ts';
import type { DeliveryStore, StoredDelivery } from './tables/store.ts';

/** What the challenge room, which is above this one, makes for it. */
export interface PayloadSource {
  /** The result objects with fresh asset links, in order; `gone` if the challenge was erased or purged. */
  payloads(
    challenges: readonly { accountId: string; challengeId: string }[],
  ): Promise<({ status: 'ready'; result: ChallengeResult } | { status: 'gone' })[]>;
}

export interface DeliverParts {
  readonly store: Pick<DeliveryStore, 'cancel'>;
  readonly record: RecordAttempt;
  readonly custody: Custody;
  readonly payloads: PayloadSource;
  readonly secrets: Pick<WebhookSecrets, 'inForce'>;
  readonly send: Send;
  readonly schedule: RetrySchedule;
  readonly observe: DeliverObserver;
  readonly log: Logger;
}

/** Called for every attempt, for metrics. */
export type DeliverObserver = (attempt: Pick<SentAttempt, 'outcome'>) => void;

/** What became of a claimed delivery. */
export type DeliverOutcome =
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'attempted'; readonly attempt: SentAttempt; readonly next: NextStep };

/**
 * Returns one promise per delivery, in order. They reject only for our own faults (database, keys); the lease then
 * expires and the attempt is made again.
 */
export type Deliver = (claimed: readonly StoredDelivery[]) => Promise<DeliverOutcome>[];

export function createDeliver(parts: DeliverParts): Deliver {
  return (claimed) => {
    const reading = readBatch(parts, claimed);
    return claimed.map(async (delivery, index) => {
      const read = await reading.then(
        (batch) => batch[index]!,
        // An account whose keys cannot be opened delays only its own deliveries, not those claimed with them.
        async () => (await readBatch(parts, [delivery]))[0]!,
      );
      return attempt(parts, delivery, read);
    });
  };
}

/** What an attempt sends, and what signs it. */
interface DeliveryContent {
  /** JSON text; null if there is nothing to send. */
  readonly body: string | null;
  readonly secrets: readonly string[];
}

/**
 * Built anew for every attempt: asset links are fresh, an erased challenge sends nothing, a new secret signs at once.
 */
async function readBatch(
  parts: DeliverParts,
  claimed: readonly StoredDelivery[],
): Promise<DeliveryContent[]> {
  const accounts = [...new Set(claimed.map((delivery) => delivery.accountId))];
  const [bodies, ...inForce] = await Promise.all([
    readBodies(parts.payloads, claimed),
    ...accounts.map((accountId) => parts.secrets.inForce(accountId)),
  ]);
  const secrets = new Map(accounts.map((accountId, index) => [accountId, inForce[index]!]));
  return claimed.map(({ accountId }, index) => ({ body: bodies[index]!, secrets: secrets.get(accountId)! }));
}

/** The payload of each delivery as the JSON text to send; null if there is nothing to send. */
async function readBodies(
  payloads: PayloadSource,
  claimed: readonly StoredDelivery[],
): Promise<(string | null)[]> {
  const asked = claimed.flatMap(({ accountId, challengeId }) =>
    challengeId === null ? [] : [{ accountId, challengeId }],
  );
  const found = await payloads.payloads(asked);
  let next = 0;
  return claimed.map(({ challengeId }) => {
    const payload = challengeId === null ? undefined : found[next++];
    return payload?.status === 'ready' ? JSON.stringify(payload.result) : null;
  });
}

async function attempt(
  parts: DeliverParts,
  delivery: StoredDelivery,
  { body, secrets }: DeliveryContent,
): Promise<DeliverOutcome> {
  if (body === null) {
    await parts.store.cancel(delivery.id);
    return { kind: 'cancelled' };
  }
  const configuration = await openEndpoint(parts.custody, delivery);
  const message = { deliveryId: delivery.id, configuration, body, secrets };
  const sent = await sendUnlessGone(parts, delivery, message);
  if (!sent) {
    await parts.store.cancel(delivery.id);
    return { kind: 'cancelled' };
  }
  const next = parts.schedule(sent, delivery.scheduleStep);
  const record = await attemptRecord(parts.custody, delivery, sent);
  const finished = { deliveryId: delivery.id, step: delivery.scheduleStep, attempt: record, next };
  await parts.record({ ...finished, answered: sent.answered });
  const { outcome, responseStatus, durationMs } = sent;
  const ids = { deliveryId: delivery.id, challengeId: delivery.challengeId };
  parts.observe({ outcome });
  parts.log.info({ ...ids, outcome, responseStatus, durationMs, next: next.status }, 'webhook attempt');
  return { kind: 'attempted', attempt: sent, next };
}

class Gone extends Error {}

/** Null if the challenge was erased or cancelled while waiting for a token. */
async function sendUnlessGone(
  parts: Pick<DeliverParts, 'payloads' | 'send'>,
  delivery: StoredDelivery,
  message: Message,
): Promise<SentAttempt | null> {
  const confirm = async () => {
    const [body] = await readBodies(parts.payloads, [delivery]);
    if (body === null) throw new Gone();
  };
  try {
    return await parts.send({ ...message, confirm });
  } catch (error) {
    if (error instanceof Gone) return null;
    throw error;
  }
}

const EXCERPT_PURPOSE = 'delivery-excerpt';

/** The attempt in its stored form, with the excerpt sealed. */
export async function attemptRecord(
  custody: Custody,
  delivery: { id: string; holder: KeyHolder },
  sent: SentAttempt,
): Promise<AttemptRecord> {
  const { at, durationMs, responseStatus, outcome, excerpt } = sent;
  const plaintext = excerpt === null ? null : Buffer.from(excerpt);
  const sealedExcerpt =
    plaintext && (await custody.seal(delivery.holder, EXCERPT_PURPOSE, plaintext, delivery.id));
  return { at, durationMs, responseStatus, outcome, sealedExcerpt };
}

/** Unseals the excerpt of a stored attempt. */
export async function openExcerpt(
  custody: Custody,
  delivery: { id: string; holder: KeyHolder },
  sealed: Buffer | null,
): Promise<string | null> {
  if (sealed === null) return null;
  const plaintext = await custody.open(delivery.holder, EXCERPT_PURPOSE, sealed, delivery.id);
  return plaintext.toString('utf8');
}
