-- Accounts and their keys; challenges with events, captures and assets; FeatureIDs; webhooks; audit.
-- Columns named sealed_* hold authenticated ciphertext under the account's key (src/keys): client secrets, FeatureID
-- strings, results and biometric data never stand in a table in the clear.

create table account (
  id text primary key,
  name text not null unique,
  display_name text not null,
  privacy_url text,
  purpose text,
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
create index api_key_account on api_key (account_id);

create table webhook_secret (
  id text primary key,
  account_id text not null references account on delete cascade,
  sealed_secret bytea not null,
  created_at timestamptz not null default now(),
  -- set when a newer secret replaced this one: it still signs until then
  expires_at timestamptz
);
create index webhook_secret_account on webhook_secret (account_id);

create table challenge (
  id text primary key,
  account_id text not null references account on delete cascade,
  sandbox boolean not null default false,
  status text not null default 'created'
    check (status in ('created', 'initiated', 'processing', 'completed', 'expired', 'cancelled')),
  closed_reason text check (closed_reason in ('completed', 'expired', 'cancelled')),
  customer_reference text,
  liveness_only boolean not null,
  require_consent boolean not null,
  flow jsonb not null,                 -- flow_behaviour and flow_style: nothing secret
  sealed_request bytea,                -- compare_to_featids and notifications; null once erased
  link_hash bytea not null unique,
  device_token_hash bytea,             -- the first device that tapped start
  logo_tried_at timestamptz,           -- the server's last fetch of the logo
  tries_used integer not null default 0,
  consent jsonb,                       -- {given_at, text_version, text_sha256, language}
  overall_result text check (overall_result in ('pass', 'fail')),
  sealed_result bytea,                 -- liveness_result, match_result, diagnostics, cues
  created_at timestamptz not null default now(),
  initiated_at timestamptz,
  expires_at timestamptz not null,
  closed_at timestamptz,
  check ((status in ('completed', 'expired', 'cancelled')) = (closed_reason is not null)),
  check ((status in ('completed', 'expired', 'cancelled')) = (closed_at is not null))
);
create index challenge_due on challenge (expires_at) where status in ('created', 'initiated');
create index challenge_listed on challenge (account_id, id desc);
create index challenge_reference on challenge (account_id, customer_reference) where customer_reference is not null;
create index challenge_closed on challenge (closed_at) where closed_at is not null;

create table challenge_event (
  id bigint generated always as identity primary key,
  challenge_id text not null references challenge on delete cascade,
  name text not null,
  at timestamptz not null default clock_timestamp(),
  detail jsonb                         -- stable codes only, nothing personal
);
create index challenge_event_challenge on challenge_event (challenge_id, id);

create table capture (
  id text primary key,
  challenge_id text not null references challenge on delete cascade,
  attempt integer not null,
  state text not null check (state in ('issued', 'committed', 'submitted', 'judged', 'rejected', 'abandoned')),
  script jsonb not null,
  issued_at timestamptz not null default now(),
  commit_deadline timestamptz not null,
  committed_at timestamptz,
  upload_deadline timestamptz,
  sha256 bytea,
  size_bytes integer,
  mime_type text,
  received_bytes integer not null default 0,
  asset_id text,
  submitted_at timestamptz,
  judgement_starts integer not null default 0,
  hints jsonb,                         -- what the page said about itself; never believed
  rejected_reason text,
  unique (challenge_id, attempt)
);
create unique index capture_one_open on capture (challenge_id) where state in ('issued', 'committed', 'submitted');

-- Bytes of an upload under way; gone as soon as the whole is an asset.
create table capture_chunk (
  capture_id text not null references capture on delete cascade,
  position integer not null,
  sealed_bytes bytea not null,
  primary key (capture_id, position)
);

create table asset (
  id text primary key,
  account_id text not null references account on delete cascade,
  -- no cascade: an asset row outlives its challenge until the bytes are gone from the store
  challenge_id text references challenge on delete set null,
  kind text not null check (kind in ('liveness_video', 'best_frame', 'logo')),
  mime_type text not null,
  size_bytes integer not null,
  sealed_key bytea not null,           -- the asset's own key, under the account's key
  created_at timestamptz not null default now(),
  delete_after timestamptz,
  deleting boolean not null default false
);
create index asset_challenge on asset (challenge_id);
create index asset_due on asset (delete_after) where delete_after is not null;

create table featid (
  id text primary key,
  account_id text not null references account on delete cascade,
  challenge_id text,                   -- the challenge that made it; kept when that row is purged by retention
  pack text not null,
  layout smallint not null,
  sealed_template bytea,               -- null: revoked, the row is a tombstone
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  check ((revoked_at is null) = (sealed_template is not null))
);
create index featid_challenge on featid (challenge_id);
create index featid_account on featid (account_id);

create table idempotency (
  account_id text not null references account on delete cascade,
  path text not null,
  key text not null,
  fingerprint bytea not null,          -- HMAC of the body under the account's key
  response_status smallint not null,
  sealed_response bytea not null,
  created_at timestamptz not null default now(),
  primary key (account_id, path, key)
);
create index idempotency_age on idempotency (created_at);

-- Requests with an Idempotency-Key that are being worked on, where the answer cannot be written with the work itself.
create table idempotency_claim (
  account_id text not null references account on delete cascade,
  path text not null,
  key text not null,
  fingerprint bytea not null,
  claimed_at timestamptz not null default now(),
  primary key (account_id, path, key)
);

create table delivery (
  id text primary key,                 -- webhook-id: the same for every attempt
  account_id text not null references account on delete cascade,
  challenge_id text references challenge on delete cascade,
  event text not null check (event in ('complete', 'expired', 'test')),
  endpoint_index smallint not null,
  sealed_endpoint bytea not null,      -- notification configuration with its client secret
  endpoint_hash bytea not null,        -- groups attempts by receiver without naming it
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed', 'cancelled')),
  attempts integer not null default 0,          -- finished ones, of all runs of the schedule
  schedule_step smallint not null default 0,    -- finished ones of this run; a redelivery begins a new run
  next_attempt_at timestamptz,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  unique (challenge_id, event, endpoint_index)
);
create index delivery_challenge on delivery (challenge_id);
create index delivery_pending on delivery (next_attempt_at) where status = 'pending';

create table delivery_attempt (
  id bigint generated always as identity primary key,
  delivery_id text not null references delivery on delete cascade,
  at timestamptz not null,
  duration_ms integer not null,
  response_status smallint,
  outcome text not null,               -- stable code: delivered, http_status, timeout, refused_address, …
  sealed_excerpt bytea                 -- a receiver may echo the payload with its FeatureIDs
);
create index delivery_attempt_delivery on delivery_attempt (delivery_id, id);

create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  actor text not null,                 -- api_key id, `operator`, `system`
  action text not null,
  account_id text,
  subject text,
  detail jsonb
);
create function audit_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_append_only before update or delete on audit
  for each row execute function audit_is_append_only();
