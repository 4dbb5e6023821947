// The tables of deliveries as Kysely types; src/storage/migrations has their SQL.
import type { Generated } from 'kysely';
import type { DeliveryEvent } from '../../contract/delivery.ts';
import type { CreatedAt } from '../../storage/postgres/column-types.ts';

export interface DeliveryTable {
  id: string;
  account_id: string;
  challenge_id: string | null;
  event: DeliveryEvent;
  endpoint_index: number;
  sealed_endpoint: Buffer;
  endpoint_hash: Buffer;
  address_hash: Buffer;
  status: Generated<'pending' | 'delivered' | 'failed' | 'cancelled'>;
  attempts: Generated<number>;
  schedule_step: Generated<number>;
  next_attempt_at: Date | null;
  lease_until: Date | null;
  leases: Generated<number>;
  created_at: CreatedAt;
  finished_at: Date | null;
}

export interface DeliveryAttemptTable {
  id: Generated<number>;
  delivery_id: string;
  at: Date;
  duration_ms: number;
  response_status: number | null;
  outcome: string;
  sealed_excerpt: Buffer | null;
}

interface WebhookReceiverTable {
  endpoint_hash: Buffer;
  account_id: string;
  answered_at: Date | null;
  failures: Generated<number>;
  probe_at: Date | null;
  changed_at: Generated<Date>;
}

declare module '../../storage/postgres/schema.ts' {
  interface Schema {
    delivery: DeliveryTable;
    delivery_attempt: DeliveryAttemptTable;
    webhook_receiver: WebhookReceiverTable;
  }
}
