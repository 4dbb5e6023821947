// The tables of the OpenID Provider as Kysely types; ../migrations has their SQL.
import type { JSONColumnType } from 'kysely';
import type { CreatedAt } from '../../storage/postgres/column-types.ts';
import type { ClientSettings } from './clients.ts';

declare module '../../storage/postgres/schema.ts' {
  interface Schema {
    oidc_client: {
      id: string;
      account_id: string;
      name: string;
      settings: JSONColumnType<ClientSettings>;
      secret_hash: Buffer | null;
      created_at: CreatedAt;
    };
    oidc_subject: {
      id: string;
      account_id: string;
      client_id: string;
      hint_tag: Buffer;
      is_enrolled_here: boolean;
      sealed_featid: Buffer;
      created_at: CreatedAt;
    };
    oidc_login: {
      interaction_hash: Buffer;
      client_id: string;
      sealed_login: Buffer;
      link_hash: Buffer | null;
      browser_hash: Buffer | null;
      expires_at: Date;
    };
    oidc_record: {
      model: string;
      id_hash: Buffer;
      sealed_payload: Buffer;
      uid_hash: Buffer | null;
      grant_hash: Buffer | null;
      client_id: string | null;
      consumed_at: Date | null;
      expires_at: Date;
    };
    oidc_signing_key: { id: string; sealed_key: Buffer; created_at: CreatedAt; signs_from: Date };
  }
}
