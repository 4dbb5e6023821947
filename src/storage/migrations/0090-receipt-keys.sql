-- Keys that sign receipts: Ed25519 seeds, wrapped by a master key as the accounts' keys are. One signs; the retired ones are
-- still published, so that receipts of theirs can be verified.
create table receipt_key (
  id text primary key,
  wrapped_key bytea not null,
  master_key_id text not null,
  created_at timestamptz not null default now(),
  -- null for the one that signs
  retired_at timestamptz
);
create unique index receipt_key_signing on receipt_key ((true)) where retired_at is null;
