-- Every challenge has keys of its own, without which nothing that was sealed for it opens. They lie in tables that hold
-- nothing else and are small enough to be rewritten: an erasure deletes the row, moves the others of its bucket to the
-- bucket's other side and cuts the emptied side off (docs/decisions/0014-erasure-keys.md).

-- A bucket of keys has two sides, tables of their own: one is filled, the other is empty but while keys move.
create table key_bucket (
  family text not null,
  bucket smallint not null,
  side smallint not null default 0,       -- where new keys go: slot = 2 × bucket + side
  erasures bigint not null default 0,     -- times that keys were deleted here
  shredded bigint not null default 0,     -- up to which of them the bytes are gone from the disk
  due_at timestamptz,                     -- when the bytes have to be gone; null: they are
  primary key (family, bucket)
);
create index key_bucket_due on key_bucket (due_at) where due_at is not null;

create table challenge_key (
  slot smallint not null,
  challenge_id text not null,
  details_key bytea not null,             -- request, result, consent, deliveries, logo
  video_key bytea,                        -- upload and video, best frame; renewed by each rejection, gone with the video
  reference_tag bytea,                    -- HMAC of customer_reference: found by it, and destroyed with the keys
  primary key (slot, challenge_id)
) partition by list (slot);
-- A row is short: without this each of the tables below would have a second one for long values.
alter table challenge_key
  alter column challenge_id set storage plain,
  alter column details_key set storage plain,
  alter column video_key set storage plain,
  alter column reference_tag set storage plain;
create index challenge_key_reference on challenge_key (reference_tag, challenge_id) where reference_tag is not null;

do $$ begin
  for slot in 0..63 loop
    execute format('create table challenge_key_%s partition of challenge_key for values in (%s)', slot, slot);
  end loop;
end $$;
-- Statistics would be copies of keys, in a table that nobody rewrites.
alter table challenge_key
  alter column details_key set statistics 0,
  alter column video_key set statistics 0,
  alter column reference_tag set statistics 0;
insert into key_bucket (family, bucket) select 'challenge', bucket from generate_series(0, 31) as bucket;

-- What stood in clear is sealed from now on. Challenges from before are sealed anew at the next start, under keys of
-- their own (src/composition/upgrade), from these tables.
create table challenge_to_reseal as
  select id as challenge_id, customer_reference, flow, consent from challenge;
alter table challenge_to_reseal add primary key (challenge_id);
create table capture_to_reseal as
  select id as capture_id, challenge_id, sha256, hints from capture where sha256 is not null;
alter table capture_to_reseal add primary key (capture_id);
create index capture_to_reseal_challenge on capture_to_reseal (challenge_id);
do $$ begin
  if not exists (select from challenge_to_reseal) then
    drop table challenge_to_reseal, capture_to_reseal;
  end if;
end $$;

alter table challenge
  drop column customer_reference,
  drop column flow,
  add column consent_given_at timestamptz,
  add column sealed_consent bytea,        -- {text_version, text_sha256, language}
  alter column sealed_request set not null;
update challenge set consent_given_at = (consent ->> 'given_at')::timestamptz where consent is not null;
alter table challenge drop column consent;

alter table capture
  drop column sha256,
  drop column hints,
  add column video_mac bytea,             -- HMAC, under the challenge's key, of the SHA-256 that the page committed to
  add column sealed_hints bytea;          -- what the page said about itself; never believed

-- Kept for a day, and sealed under the account's key: from now on they go with their challenge's.
update idempotency set fingerprint = '' where path = '/v1/create-challenge';
delete from idempotency where path like '/v1/challenges/%' or path like '/v1/deliveries/%';
