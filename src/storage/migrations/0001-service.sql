-- The schema of the service, a section for each room of src. The login's has a file of its own, as it is a room that others do
-- not know; the job queue keeps its own tables, in `graphile_worker`.
--
-- Columns named sealed_* hold authenticated ciphertext (src/keys): client secrets, FeatureID strings, results and biometric
-- data never stand in a table in the clear. Columns named *_hash hold SHA-256 of a secret that only its holder has.


-- Accounts and their keys (src/keys)

create table account (
  id text primary key,
  name text not null unique,
  display_name text not null,
  privacy_url text,
  purpose text,
  -- The sandbox of an account is an account of its own beside it: nothing that is made with its `lk_test_…` keys is known to
  -- the live one, or the other way round.
  sandbox_of text unique references account on delete cascade,
  wrapped_key bytea not null,
  master_key_id text not null,
  created_at timestamptz not null default now()
);

create table api_key (
  id text primary key,
  account_id text not null references account on delete cascade,
  hash bytea not null unique,
  hint text not null,
  sandbox boolean not null default false,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
-- An account's keys, to list them.
create index api_key_account on api_key (account_id);

-- Keys that sign receipts: Ed25519 seeds, wrapped by a master key as the accounts' keys are. One signs; the retired ones are
-- still published, so that receipts of theirs can be verified.
create table receipt_key (
  id text primary key,
  wrapped_key bytea not null,
  master_key_id text not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz                -- null for the one that signs
);
create unique index receipt_key_signing on receipt_key ((true)) where retired_at is null;

-- Keys of the service itself, which seal what belongs to no account.
create table service_key (
  id text primary key,                  -- a holder's name (src/keys/service-holder.ts)
  wrapped_key bytea not null,
  master_key_id text not null
);

-- Statistics would be copies of wrapped keys, and outlive a rotation of the master key.
alter table account alter column wrapped_key set statistics 0;
alter table receipt_key alter column wrapped_key set statistics 0;
alter table service_key alter column wrapped_key set statistics 0;


-- Challenges (src/challenge)

create table challenge (
  id text primary key,
  account_id text not null references account on delete cascade,
  sandbox boolean not null default false,
  status text not null default 'created'
    check (status in ('created', 'initiated', 'processing', 'completed', 'expired', 'cancelled')),
  closed_reason text check (closed_reason in ('completed', 'expired', 'cancelled')),
  public_request jsonb not null,        -- of the request, what is no secret and tells of nobody: a new field is no new column
  sealed_request bytea not null,
  link_hash bytea not null unique,
  device_token_hash bytea,              -- the first device that tapped start
  logo_tried_at timestamptz,            -- the server's last fetch of the logo
  tries_used integer not null default 0, -- scripts drawn
  consent_given_at timestamptz,
  sealed_consent bytea,                 -- {text_version, text_sha256, language}
  overall_result text check (overall_result in ('pass', 'fail')),
  sealed_made_passkey bytea,            -- of a try that was sent back: made once for all of them
  sealed_result bytea,                  -- liveness_result, match_result, diagnostics, cues
  created_at timestamptz not null default now(),
  initiated_at timestamptz,
  expires_at timestamptz not null,
  closed_at timestamptz,
  check ((status in ('completed', 'expired', 'cancelled')) = (closed_reason is not null)),
  check ((status in ('completed', 'expired', 'cancelled')) = (closed_at is not null))
);
-- What expires next.
create index challenge_due on challenge (expires_at) where status in ('created', 'initiated');
-- What retention erases next.
create index challenge_closed on challenge (closed_at) where closed_at is not null;
-- Lists of an account, of every status or of one, between two times.
create index challenge_listing on challenge (account_id, status, created_at desc, id desc);
-- The console's lists over all accounts, newest first: without these they pass over everything newer that is not asked for.
create index challenge_by_status on challenge (status, id desc);
create index challenge_by_result on challenge (overall_result, id desc) where overall_result is not null;
create index challenge_judged on challenge (id desc) where status = 'completed' and not sandbox;
create index challenge_judged_in_sandbox on challenge (id desc) where status = 'completed' and sandbox;
-- The console counts days: everything that it counts by is in the index, so that no row is read.
create index challenge_counted on challenge (created_at) include (status, overall_result) where not sandbox;
create index challenge_counted_in_sandbox on challenge (created_at) include (status, overall_result) where sandbox;

create table challenge_event (
  id bigint generated always as identity primary key,
  challenge_id text not null references challenge on delete cascade,
  name text not null,
  at timestamptz not null default clock_timestamp(),
  detail jsonb                          -- stable codes only, nothing personal
);
-- The events of a challenge as they came, and what goes with it.
create index challenge_event_challenge on challenge_event (challenge_id, id);

create table capture (
  id text primary key,
  challenge_id text not null references challenge on delete cascade,
  account_id text not null,             -- whose it is; no reference, as it goes with its challenge
  attempt integer not null,
  state text not null check (state in ('issued', 'committed', 'submitted', 'judged', 'rejected', 'abandoned')),

  -- The script as drawn, and as the person performed it: it waits for them, so when each prompt was shown comes with the commit.
  level text not null,                  -- that it was drawn at
  script jsonb not null,
  performed_script jsonb,               -- null until committed
  handed_out_ms integer[] not null default '{}', -- when each step was handed out, in milliseconds from issued_at
  restarted boolean not null default false, -- given up for another one before its time was over
  try_returned boolean not null default false, -- the service lost it, so its try counts no longer

  issued_at timestamptz not null default now(),
  commit_deadline timestamptz not null,
  committed_at timestamptz,
  upload_deadline timestamptz,

  -- The recording travels as it is made: in slices, each announced before its bytes come.
  slices jsonb not null default '[]',
  size_bytes integer,
  mime_type text,
  received_bytes integer not null default 0,
  chunks integer not null default 0,    -- in which they came
  -- A complete upload is turned into an asset by one run at a time: one that dies leaves its lease to run out.
  finish_lease_until timestamptz,
  asset_id text,
  submitted_at timestamptz,

  judgement_starts integer not null default 0,
  taken_by bigint,                      -- the job that judges it
  judge_after timestamptz,              -- not before; after a judgement that broke off
  fault_since timestamptz,              -- the first fault that was not the video's, as a store that was away
  -- How many prints of its frames another capture had when it was compared; null before. Kept, so that a capture that is
  -- judged again is not compared with those that came after it.
  shared_prints smallint,
  sealed_hints bytea,                   -- what the page said about itself; never believed
  -- The device's part: whether it is asked for a signature of the recording, its answer, and with that, once every byte is
  -- there, the head of the slices' chain.
  asks_passkey boolean not null default false,
  sealed_passkey_answer bytea,
  sealed_try bytea,                     -- the judgement of this try, with its curves, for the console
  rejected_reason text,
  unique (challenge_id, attempt)
);
-- Ciphertext does not compress.
alter table capture alter column sealed_try set storage external;
create unique index capture_one_open on capture (challenge_id) where state in ('issued', 'committed', 'submitted');
-- What an account's uploads under way are about to store.
create index capture_committed on capture (account_id) include (size_bytes) where state = 'committed';
-- An account's next capture to judge, and how many wait.
create index capture_waiting on capture (account_id, submitted_at, id) where state = 'submitted';

-- Bytes of an upload under way; gone as soon as the whole is an asset.
create table capture_chunk (
  capture_id text not null references capture on delete cascade,
  position integer not null,
  sealed_bytes bytea not null,
  primary key (capture_id, position)
);


-- Assets and how much of them there is (src/storage/assets)

create table asset (
  id text primary key,
  account_id text not null references account on delete cascade,
  -- no cascade: an asset row outlives its challenge until the bytes are gone from the store
  challenge_id text references challenge on delete set null,
  kind text not null check (kind in ('liveness_video', 'best_frame', 'logo')),
  mime_type text not null,
  size_bytes integer not null,
  sealed_key bytea not null,            -- the asset's own key, under the challenge's
  created_at timestamptz not null default now(),
  delete_after timestamptz,
  deleting boolean not null default false
);
-- What a challenge shows, what its end discards or dates, and what loses it when it goes.
create index asset_challenge on asset (challenge_id);
-- What retention deletes next.
create index asset_due on asset (delete_after) where delete_after is not null;
-- The console counts what is held.
create index asset_held on asset (kind) include (size_bytes);
-- Whose bytes are to be deleted: looked for every ten seconds.
create index asset_deleting on asset (id) where deleting;

-- Bytes of an account in the asset store, as a sum of changes: appended, so that nobody waits for a row that everybody
-- changes, and folded together now and then. No reference to the account: the assets of one that goes are counted out
-- after it.
create table stored_bytes (
  id bigint generated always as identity primary key,
  account_id text not null,
  bytes bigint not null
);
-- The sum of an account.
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

-- The mark that stands in this database's asset store too: without it there, the store is another one, or an empty
-- mount point. `placed`: it has been written there.
create table asset_store (
  is_only boolean primary key default true check (is_only),
  mark text not null,
  placed boolean not null default false
);


-- Prints of frames, by which a video is known again when it is sent a second time
-- (docs/decisions/0026-a-window-for-prints.md)

-- HMACs, under the account's key, of hashes of a few frames (src/evaluation/liveness/sequence-prints.ts): no picture and
-- nothing of a face can be had from them. A print needs no account beside it: its key says whose it is. Deleted some days
-- after the commit, in batches, or with the capture.
create table frame_print (
  capture_id text not null references capture on delete cascade,
  print bytea not null,
  committed_at timestamptz not null     -- as its capture's
);
-- Which captures have one of these prints.
create index frame_print_print on frame_print (print);
-- What goes with a capture.
create index frame_print_capture on frame_print (capture_id);
-- What is past its days.
create index frame_print_time on frame_print (committed_at);


-- FeatureIDs (src/featid)

create table featid (
  id text primary key,
  account_id text not null references account on delete cascade,
  challenge_id text,                    -- the challenge that made it; kept when that row is purged by retention
  source text not null,                 -- liveness_video, image
  pack text not null,
  layout smallint not null,
  sealed_template bytea,                -- null: revoked, the row is a tombstone
  -- derived from both keys: tells the holder of the string from a guesser when the template is gone
  key_check bytea not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  -- failures since the last pause, oldest first; those older than the window no longer count
  failed_at timestamptz[] not null default '{}',
  pauses smallint not null default 0,   -- in a row: each is longer than the one before
  paused_until timestamptz,
  check ((revoked_at is null) = (sealed_template is not null))
);
-- Ciphertext does not compress.
alter table featid alter column sealed_template set storage external;
-- An account's FeatureIDs by pack (`likeness featids`).
create index featid_account on featid (account_id);
-- Those that go with a challenge that is erased.
create index featid_challenge on featid (challenge_id);
-- The oldest template, for the console.
create index featid_created on featid (created_at) where revoked_at is null;
-- What retention revokes next, and which tombstones it deletes.
create index featid_last_use on featid ((coalesce(last_used_at, created_at))) where revoked_at is null;
create index featid_tombstone on featid (revoked_at) where revoked_at is not null;

-- Rows of other rooms that go with a FeatureID. Each is sealed under an erasure key of its own, and refers to this table with
-- `on delete cascade`: whoever erases a FeatureID need not know what depends on it.
create table featid_dependent (
  id text primary key,
  featid_id text not null references featid on delete cascade,
  account_id text not null references account on delete cascade,
  kind text not null,                   -- in the audit log: `<kind>.erased`
  audit_detail jsonb not null
);
-- What goes with a FeatureID.
create index featid_dependent_featid on featid_dependent (featid_id);

-- Passkeys of FeatureIDs (src/passkeys). Nothing here tells when one was made or used: that would tell which challenge did.
create table passkey (
  id text primary key references featid_dependent on delete cascade,
  account_id text not null references account on delete cascade,
  sealed_passkey bytea not null,        -- credential, public key, since when; under an erasure key of its own
  sign_count bigint not null            -- of the device's last signature
);

-- Which FeatureIDs an open challenge names, so that retention leaves them alone.
create table compare_to_featid (
  featid_id text not null references featid on delete cascade,
  challenge_id text not null references challenge on delete cascade,
  primary key (featid_id, challenge_id)
);
-- Those that a challenge names, released when it closes.
create index compare_to_featid_challenge on compare_to_featid (challenge_id);

-- Pictures of which FeatureIDs are to be made, that wait for a worker to read them.
create table picture (
  id text primary key,
  account_id text not null references account on delete cascade,
  actor text not null,                  -- who sent it, for the audit log
  sealed_picture bytea not null,        -- under an erasure key of its own
  starts smallint not null default 0,   -- times that a worker began to read it
  sealed_answer bytea,                  -- under the same key
  featid_id text,                       -- made of it, until its string has been handed out
  created_at timestamptz not null default now()
);
-- Pictures are compressed and ciphertext does not compress.
alter table picture alter column sealed_picture set storage external;
-- What a process that died left behind.
create index picture_age on picture (created_at);


-- Erasure keys (src/keys/tables, docs/decisions/0014-erasure-keys.md)

-- Every challenge, FeatureID, picture and dependent has a key of its own, without which nothing that was sealed for it
-- opens. Keys are in tables that contain nothing else and are rewritten to get a deleted one off the disk.

-- A bucket has two sides, each a table: one takes new keys, and the other is empty except while keys move.
create table key_bucket (
  bucket smallint primary key,          -- of an id: src/keys/erasure-key.ts
  side smallint not null default 0      -- where new keys go: slot = 2 × bucket + side
);
insert into key_bucket (bucket) select generate_series(0, 76);

-- Deletions of keys whose bytes are still on the disk.
create table key_erasure (
  id bigint generated always as identity primary key,
  bucket smallint not null,
  due_at timestamptz not null           -- from when on the bucket may be rewritten
);

create table erasure_key (
  slot smallint not null,
  id text not null,
  key bytea not null,                   -- of a challenge: request, result, consent, deliveries, logo
  video_key bytea,                      -- upload and video, best frame; renewed by each rejection, gone with the video
  reference_tag bytea,                  -- HMAC of customer_reference: found by it, and destroyed with the keys
  primary key (slot, id)
) partition by list (slot);
-- A row is short: without this each of the tables below would have a second one for long values.
alter table erasure_key
  alter column id set storage plain,
  alter column key set storage plain,
  alter column video_key set storage plain,
  alter column reference_tag set storage plain;
-- A challenge by its reference (find_tagged).
create index erasure_key_reference on erasure_key (reference_tag, id) where reference_tag is not null;

do $$ begin
  for slot in 0..153 loop
    execute format('create table erasure_key_%s partition of erasure_key for values in (%s)', slot, slot);
  end loop;
end $$;
-- Statistics would be copies of keys, in a table that nobody rewrites.
alter table erasure_key
  alter column key set statistics 0,
  alter column video_key set statistics 0,
  alter column reference_tag set statistics 0;

-- Keys by their ids, from both sides of each bucket. Tables are named one by one, as planning over all of them would lock
-- all; and by a function, so that all are read as of one moment.
create function erasure_keys(ids text[], buckets smallint[])
returns table (id text, key bytea, video_key bytea) language plpgsql stable rows 100 as $$
declare
  part record;
begin
  for part in
    select given.bucket, array_agg(given.id) as ids from unnest(ids, buckets) as given (id, bucket) group by 1
  loop
    return query execute format(
      'select id, key, video_key from erasure_key_%1$s where slot = %1$s and id = any($1)
       union all
       select id, key, video_key from erasure_key_%2$s where slot = %2$s and id = any($1)',
      2 * part.bucket, 2 * part.bucket + 1) using part.ids;
  end loop;
end $$;

-- Challenges whose references have one of these tags, out of the first buckets. Most sides are empty, and a table without
-- pages has nothing that this statement could see.
create function find_tagged(tags bytea[], buckets integer) returns setof text language plpgsql stable as $$
declare
  filled integer;
begin
  for filled in select slot from generate_series(0, 2 * buckets - 1) as slot
    where pg_relation_size(format('erasure_key_%s', slot)::regclass) > 0
  loop
    return query execute format('select id from erasure_key_%s where reference_tag = any($1)', filled) using tags;
  end loop;
end $$;


-- Idempotency keys (src/idempotency)

-- A request that is being worked on is a record with a claim and no answer; one whose work is a transaction writes its record
-- in it and claims nothing.
create table idempotency_record (
  account_id text not null references account on delete cascade,
  path text not null,
  key text not null,
  fingerprint bytea not null,           -- HMAC of the body
  claim uuid,                           -- of the request that is worked on
  sealed_answer bytea,
  -- the challenge of which the answer tells: its key seals the answer
  challenge_id text references challenge on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (account_id, path, key),
  check ((claim is null) = (sealed_answer is not null))
);
-- What the sweep deletes next.
create index idempotency_record_due on idempotency_record (expires_at);
-- What goes with a challenge.
create index idempotency_record_challenge on idempotency_record (challenge_id) where challenge_id is not null;


-- Webhooks (src/webhook)

create table webhook_secret (
  id text primary key,
  account_id text not null references account on delete cascade,
  sealed_secret bytea not null,
  created_at timestamptz not null default now(),
  -- set when a newer secret replaced this one: it still signs until then
  expires_at timestamptz
);
-- An account's secrets in force, for each signature, and those that a newer one ends.
create index webhook_secret_account on webhook_secret (account_id);

-- Taken straight from this table: a lease while an attempt is under way, receivers in turn.
create table delivery (
  id text primary key,                  -- webhook-id: the same for every attempt
  account_id text not null references account on delete cascade,
  challenge_id text references challenge on delete cascade,
  event text not null,
  endpoint_index smallint not null,
  sealed_endpoint bytea not null,       -- notification configuration with its client secret
  endpoint_hash bytea not null,         -- groups attempts by receiver without naming it: the origin of its address
  address_hash bytea not null,          -- the same of origin and path, for the console
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed', 'cancelled')),
  attempts integer not null default 0,          -- finished ones, of all runs of the schedule
  schedule_step smallint not null default 0,    -- finished ones of this run; a redelivery begins a new run
  next_attempt_at timestamptz,          -- while it is pending
  lease_until timestamptz,              -- an attempt is under way; if nobody records it, due again then
  leases smallint not null default 0,   -- since the last recorded attempt: crashes and faults of our own
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  unique (challenge_id, event, endpoint_index),
  check ((status = 'pending') = (next_attempt_at is not null))
);
-- The next of each receiver, and how many of its attempts are under way. Its condition is in no other index: the claim
-- must not use those of the status, which its statistics recommend whenever few deliveries were pending lately.
create index delivery_due on delivery (endpoint_hash, greatest(next_attempt_at, lease_until))
  where next_attempt_at is not null;
create index delivery_leased on delivery (endpoint_hash) where lease_until is not null;
-- An account's deliveries, and what goes with an account.
create index delivery_account on delivery (account_id, id desc);
-- GET /v1/deliveries with a status, and the console's lists over all accounts: few are in any state but delivered.
create index delivery_account_status on delivery (account_id, status, id desc) where status <> 'delivered';
create index delivery_status on delivery (status, id desc) where status <> 'delivered';
-- The console's list of one address.
create index delivery_address on delivery (address_hash, id desc);
-- What failed in the last day.
create index delivery_failed on delivery (finished_at) where status = 'failed';

create table delivery_attempt (
  id bigint generated always as identity primary key,
  delivery_id text not null references delivery on delete cascade,
  at timestamptz not null,
  duration_ms integer not null,
  response_status smallint,
  outcome text not null,                -- stable code: delivered, http_status, timeout, refused_address, …
  sealed_excerpt bytea                  -- a receiver may echo the payload with its FeatureIDs
);
-- The latest attempts of a delivery, and what goes with it.
create index delivery_attempt_delivery on delivery_attempt (delivery_id, id);

-- What the attempts say of each receiver, across all its deliveries and all processes: whether it answers, and while it
-- does not, when the next call may try it (a circuit breaker).
create table webhook_receiver (
  endpoint_hash bytea primary key,      -- as in delivery
  account_id text not null references account on delete cascade,
  answered_at timestamptz,              -- noted at most once an hour while it answers; null: it never has
  failures integer not null default 0,  -- attempts without an answer since then
  probe_at timestamptz,                 -- open: the next probe may begin then; null: closed
  changed_at timestamptz not null default now()
);


-- Jobs, and how processes take turns (src/jobs, src/storage/postgres/coordination)

-- When an account's capture was last taken: a job of the queue is a token for one judgement of whichever capture's turn it
-- is, and the account whose turn is longest ago is next.
create table judgement_turn (
  account_id text primary key references account on delete cascade,
  at timestamptz not null
);

-- The API was last there at this time (src/storage/postgres/coordination/service-absence.ts).
create table service_presence (
  is_only boolean primary key default true check (is_only),
  at timestamptz not null
);
insert into service_presence (at) values (now());

-- When nobody answered.
create table service_absence (
  from_at timestamptz not null,
  to_at timestamptz not null
);


-- Periodic tasks that one process of a deployment runs at a time.
create table task_turn (
  task text primary key,
  due_at timestamptz not null default now(), -- the next run begins no sooner
  holder uuid,                          -- the run under way
  held_until timestamptz,               -- a run that does not extend this has died
  check ((holder is null) = (held_until is null))
);


-- The audit log (docs/decisions/0030-audit-log.md)

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  actor text not null,                  -- api_key id, `operator`, `system`
  action text not null,
  account_id text,
  subject text,
  detail jsonb,
  is_erasure boolean not null default false   -- one that a database restored from a backup has to repeat
);
-- What is past its retention.
create index audit_time on audit (at);
-- For the list that is kept with the backups (`likeness erasures list`).
create index audit_erasure on audit (at) where is_erasure;
-- Who is behind a session of the console.
create index audit_login on audit (actor) where action = 'console.login';

-- Append-only: retention alone deletes lines, none before it is 400 days old (src/config/limits.ts).
create function audit_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_not_changed before update on audit
  for each row execute function audit_is_append_only();
create trigger audit_not_deleted before delete on audit
  for each row when (old.at > now() - interval '400 days') execute function audit_is_append_only();
create trigger audit_not_emptied before truncate on audit
  for each statement execute function audit_is_append_only();


-- The operator's console (src/console)

-- Sign-in by OpenID Connect, as `likeness console openid set` has left it.
create table console_openid (
  id text primary key,                  -- a new one with each change
  is_only boolean not null unique default true check (is_only),
  settings jsonb not null,
  sealed_client_secret bytea not null,
  created_at timestamptz not null default now()
);

create table console_session (
  id text not null unique,              -- for the audit log
  token_hash bytea primary key,
  role text not null check (role in ('viewer', 'operator', 'administrator')),
  -- Opened by OpenID Connect: under which settings, with which a session ends, and by whom. Null with the password.
  openid_id text references console_openid on delete cascade,
  subject text,
  name text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null,
  check ((openid_id is null) = (subject is null)),
  check ((openid_id is null) = (name is null))
);

-- Time steps whose one-time code was used: each works once.
create table console_used_code (
  step bigint primary key,
  used_at timestamptz not null default now()
);

-- In which browser a challenge was begun: its family and nothing else, for the console's figures.
create table challenge_browser (
  challenge_id text primary key references challenge on delete cascade,
  family text not null
);
