-- A complete upload is turned into an asset by one run at a time, in whatever process: it holds a lease. A run that dies
-- leaves the lease to run out, and another begins.
alter table capture add column finish_lease_until timestamptz;

-- Whose capture it is; null for those that were over before this column was.
alter table capture add column account_id text;
update capture set account_id = h.account_id from challenge h
  where h.id = capture.challenge_id and capture.state in ('issued', 'committed', 'submitted');
-- What an account's uploads under way are about to store.
create index capture_committed on capture (account_id) include (size_bytes) where state = 'committed';

-- Bytes of an account in the asset store, as a sum of changes: appended, so that nobody waits for a row that everybody
-- changes, and folded together now and then. No reference to the account: the assets of one that goes are counted out
-- after it.
create table stored_bytes (
  id bigint generated always as identity primary key,
  account_id text not null,
  bytes bigint not null
);
create index stored_bytes_account on stored_bytes (account_id) include (bytes);
create function count_stored_bytes() returns trigger language plpgsql as $$
begin
  insert into stored_bytes (account_id, bytes)
    select account_id, sum(size_bytes::bigint) * case tg_op when 'INSERT' then 1 else -1 end
    from changed group by account_id;
  return null;
end $$;
create trigger asset_stored after insert on asset referencing new table as changed
  for each statement execute function count_stored_bytes();
create trigger asset_removed after delete on asset referencing old table as changed
  for each statement execute function count_stored_bytes();
insert into stored_bytes (account_id, bytes) select account_id, sum(size_bytes::bigint) from asset group by account_id;

-- The mark that stands in this database's asset store too: without it there, the store is another one, or an empty
-- mount point. `placed`: it has been written there.
create table asset_store (
  is_only boolean primary key default true check (is_only),
  mark text not null,
  placed boolean not null default false
);
