// The table of passkeys as Kysely types; src/storage/migrations has its SQL.
export interface PasskeyTable {
  id: string;
  account_id: string;
  sealed_passkey: Buffer;
  sign_count: number;
}

declare module '../../storage/postgres/schema.ts' {
  interface Schema {
    passkey: PasskeyTable;
  }
}
