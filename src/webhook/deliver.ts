// One delivery, one attempt: the deliver job calls this. Read, sign, send, then record the attempt together with what
// follows. Nothing is written before the answer is there: a process killed in between leaves the job to be run again,
// with the same webhook-id.
import type { Logger } from '../base/log.ts';
import { openEndpoint } from './endpoint.ts';
import type { EndpointGate } from './endpoint-gate.ts';
import type {
  AttemptRecord,
  Custody,
  DeliveryStore,
  NextStep,
  PayloadSource,
  SigningSecrets,
  StoredDelivery,
} from './ports.ts';
import { nextStep } from './schedule.ts';
import type { Send, SentAttempt } from './sender.ts';

export interface DeliverParts {
  readonly store: DeliveryStore;
  readonly custody: Custody;
  readonly payloads: PayloadSource;
  readonly secrets: SigningSecrets;
  readonly send: Send;
  readonly gate: EndpointGate;
  readonly log: Logger;
  /** In [0, 1), for the jitter. */
  readonly random: () => number;
}

/** What a run of the job did. */
export type DeliverOutcome =
  /** Erased, finished, or not due: its own job is still to come. */
  | { readonly kind: 'nothingToDo' }
  | { readonly kind: 'deferred'; readonly delayMs: number }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'attempted'; readonly attempt: SentAttempt; readonly next: NextStep };

export type Deliver = (deliveryId: string) => Promise<DeliverOutcome>;

/**
 * Makes the deliver service. It throws for faults of our own (database, keys) only: the job is then run again; an
 * attempt that was made but could not be recorded is made again.
 */
export function createDeliver(parts: DeliverParts): Deliver {
  return async (deliveryId) => {
    const loaded = await parts.store.load(deliveryId);
    if (loaded?.delivery.status !== 'pending' || !loaded.due) return { kind: 'nothingToDo' };
    const { delivery } = loaded;
    const admission = parts.gate.enter(delivery.endpointHash.toString('base64'));
    if (admission.kind === 'full') {
      await parts.store.defer(deliveryId, admission.deferMs);
      return { kind: 'deferred', delayMs: admission.deferMs };
    }
    try {
      return await attempt(parts, delivery);
    } finally {
      admission.leave();
    }
  };
}

async function attempt(parts: DeliverParts, delivery: StoredDelivery): Promise<DeliverOutcome> {
  const body = await bodyOf(parts.payloads, delivery);
  if (body === null) {
    await parts.store.cancel(delivery.id);
    return { kind: 'cancelled' };
  }
  const sent = await parts.send({
    deliveryId: delivery.id,
    configuration: await openEndpoint(parts.custody, delivery),
    body,
    secrets: await parts.secrets.inForce(delivery.accountId),
  });
  const next = nextStep(sent, delivery.scheduleStep, parts.random());
  const record = await attemptRecord(parts.custody, delivery, sent);
  await parts.store.recordAttempt(delivery.id, delivery.scheduleStep, record, next);
  const { outcome, responseStatus, durationMs } = sent;
  parts.log.info(
    { deliveryId: delivery.id, outcome, responseStatus, durationMs, next: next.status },
    'webhook attempt',
  );
  return { kind: 'attempted', attempt: sent, next };
}

/** Built anew for every attempt: asset links are fresh, and an erased challenge sends nothing. */
async function bodyOf(payloads: PayloadSource, delivery: StoredDelivery): Promise<string | null> {
  if (delivery.challengeId === null) return null;
  const payload = await payloads.payload(delivery.accountId, delivery.challengeId);
  return payload.status === 'ready' ? JSON.stringify(payload.result) : null;
}

const EXCERPT_PURPOSE = 'delivery-excerpt';

/** The attempt as it is stored. */
export async function attemptRecord(
  custody: Custody,
  delivery: { id: string; accountId: string },
  sent: SentAttempt,
): Promise<AttemptRecord> {
  const { at, durationMs, responseStatus, outcome, excerpt } = sent;
  const plaintext = excerpt === null ? null : Buffer.from(excerpt);
  const sealedExcerpt =
    plaintext && (await custody.seal(delivery.accountId, EXCERPT_PURPOSE, plaintext, delivery.id));
  return { at, durationMs, responseStatus, outcome, sealedExcerpt };
}

/** The excerpt of a stored attempt, opened. */
export async function openExcerpt(
  custody: Custody,
  delivery: { id: string; accountId: string },
  sealed: Buffer | null,
): Promise<string | null> {
  if (sealed === null) return null;
  const plaintext = await custody.open(delivery.accountId, EXCERPT_PURPOSE, sealed, delivery.id);
  return plaintext.toString('utf8');
}
