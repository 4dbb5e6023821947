-- Deliveries are taken straight from their table: a lease while an attempt is under way, receivers in turn.
alter table delivery
  add column lease_until timestamptz,            -- an attempt is under way; if nobody records it, due again then
  add column leases smallint not null default 0; -- since the last recorded attempt: crashes and faults of our own
drop index delivery_pending;
create index delivery_due on delivery (endpoint_hash, greatest(next_attempt_at, lease_until)) where status = 'pending';
create index delivery_leased on delivery (endpoint_hash) where lease_until is not null;
