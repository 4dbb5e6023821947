// Deliveries and their receivers, as the console lists them and sends them again.
import { type Static, Type } from 'typebox';
import { closed, Id } from './field-types.ts';
import type { DeliveryStatus } from './states.ts';

export interface ConsoleDelivery {
  readonly delivery_id: string;
  readonly challenge_id: string | null;
  readonly account_id: string;
  readonly account_name: string;
  readonly event: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly last_outcome: string | null;
  /** HTTP status of the last attempt; null if there was none. */
  readonly last_status: number | null;
  readonly created_at: string;
  readonly next_attempt_at: string | null;
  /** Address of the receiver, without a query. */
  readonly endpoint: string;
  /** Names the receiver in a search: see {@link ConsoleEndpoint.receiver}. */
  readonly receiver: string;
}

/** A receiver in the newest deliveries, and in the newest that are pending or have failed. */
export interface ConsoleEndpoint {
  /** Names the receiver in the address of a search for its deliveries: `?receiver=…`. */
  readonly receiver: string;
  /** Its address without a query, or the beginning of its hash if the delivery that names it is gone. */
  readonly endpoint: string;
  readonly account_id: string;
  readonly account_name: string;
  readonly delivered: number;
  readonly pending: number;
  readonly failed: number;
  /** Of the last attempts of these deliveries. */
  readonly median_ms: number | null;
  readonly last_outcome: string | null;
  readonly last_status: number | null;
}

/** How far back a search looks. */
export interface ConsoleSearched {
  /** Of the newest deliveries, and of the newest of each undelivered status, for receivers. */
  readonly receivers_of: number;
  /** Of the newest undelivered ones of either status, for an error. */
  readonly errors_of: number;
  /** Most receivers that are listed. */
  readonly receivers: number;
}

/** Receivers, and how far back they and errors are looked for. */
export interface ConsoleEndpoints {
  readonly data: readonly ConsoleEndpoint[];
  readonly searched: ConsoleSearched;
}

/** Most deliveries that one call sends again. */
export const MAX_REDELIVERED = 200;

export const RedeliverRequest = Type.Object(
  {
    delivery_ids: Type.Array(Id('msg'), { minItems: 1, maxItems: MAX_REDELIVERED, uniqueItems: true }),
  },
  closed,
);
export type RedeliverRequest = Static<typeof RedeliverRequest>;

export interface Redelivered {
  /** How many are due again now. */
  readonly requeued: number;
  /** A test event, a cancelled delivery, or one that is gone. */
  readonly refused: readonly {
    readonly delivery_id: string;
    readonly reason: 'not_found' | 'not_repeatable';
  }[];
}
