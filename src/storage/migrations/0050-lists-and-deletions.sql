-- Indexes for what was read by scanning whole tables. Each is built while nobody can write to its table: a large
-- deployment builds them beforehand, with CONCURRENTLY and under these names (docs/operations/upgrade.md).

-- Assets whose bytes are to be deleted: looked for every ten seconds.
create index if not exists asset_deleting on asset (id) where deleting;

-- Lists of an account, of every status or of one, between two times.
create index if not exists challenge_listing on challenge (account_id, status, created_at desc, id desc);
drop index challenge_listed;
-- The operator's lists by status, where few have it.
create index if not exists challenge_status on challenge (status, id desc) where status not in ('completed', 'expired');
create index if not exists delivery_status on delivery (status, id desc) where status <> 'delivered';
-- An account's deliveries, and what goes with an account.
create index if not exists delivery_account on delivery (account_id, id desc);
-- The unique index on (challenge_id, event, endpoint_index) begins with it.
drop index delivery_challenge;
