// The tables of FeatureIDs as Kysely types; src/storage/migrations has their SQL.
import type { Generated, JSONColumnType } from 'kysely';
import type { FeatidSource } from '../../contract/picture.ts';
import type { CreatedAt } from '../../storage/postgres/column-types.ts';

export interface FeatidTable {
  id: string;
  account_id: string;
  challenge_id: string | null;
  pack: string;
  layout: number;
  source: FeatidSource;
  sealed_template: Buffer | null;
  created_at: CreatedAt;
  last_used_at: Date | null;
  revoked_at: Date | null;
  key_check: Buffer;
  failed_at: Generated<Date[]>;
  pauses: Generated<number>;
  paused_until: Date | null;
}

/** A picture that waits for a worker, or whose answer waits to be read (src/featid/pictures.ts). */
export interface PictureTable {
  id: string;
  account_id: string;
  actor: string;
  sealed_picture: Buffer;
  starts: Generated<number>;
  sealed_answer: Buffer | null;
  featid_id: string | null;
  created_at: CreatedAt;
}

export interface CompareToFeatidTable {
  featid_id: string;
  challenge_id: string;
}

interface FeatidDependentTable {
  id: string;
  featid_id: string;
  account_id: string;
  kind: string;
  audit_detail: JSONColumnType<object>;
}

declare module '../../storage/postgres/schema.ts' {
  interface Schema {
    featid: FeatidTable;
    featid_dependent: FeatidDependentTable;
    picture: PictureTable;
    compare_to_featid: CompareToFeatidTable;
  }
}
