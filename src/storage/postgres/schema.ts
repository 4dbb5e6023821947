// The tables as Kysely types. Each room adds its own to `Schema` in its tables/schema.ts; here are those of this
// folder. They mirror the SQL of the rooms' migrations and must be edited together with them.
import type { Generated, JSONColumnType } from 'kysely';
import type { CreatedAt } from './column-types.ts';

interface AssetStoreTable {
  is_only: Generated<boolean>;
  mark: string;
  placed: Generated<boolean>;
}

interface AuditTable {
  id: Generated<number>;
  at: CreatedAt;
  actor: string;
  action: string;
  account_id: string | null;
  subject: string | null;
  detail: JSONColumnType<object> | null;
  is_erasure: Generated<boolean>;
}

interface ServiceAbsenceTable {
  from_at: Date;
  to_at: Date;
}

interface ServicePresenceTable {
  is_only: Generated<boolean>;
  at: Date;
}

interface TaskTurnTable {
  task: string;
  due_at: Generated<Date>;
  holder: string | null;
  held_until: Date | null;
}

/** Every table of the service. `jsonb` columns are written as JSON text and read as objects. */
export interface Schema {
  asset_store: AssetStoreTable;
  audit: AuditTable;
  service_absence: ServiceAbsenceTable;
  service_presence: ServicePresenceTable;
  task_turn: TaskTurnTable;
}
