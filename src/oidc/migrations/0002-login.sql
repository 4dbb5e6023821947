-- The schema of the OpenID Provider. Columns are named as in the service's (src/storage/migrations/0001-service.sql).

create table oidc_client (
  id text primary key,
  account_id text not null references account on delete cascade,
  name text not null,
  settings jsonb not null,              -- ClientSettings of src/oidc/tables/clients.ts: neither secret nor personal
  secret_hash bytea,                    -- of a secret of 256 random bits; null where it has none
  created_at timestamptz not null default now(),
  unique (account_id, name)
);

-- Whom a client knows: from the name that it has for a person to a FeatureID.
create table oidc_subject (
  -- random; `sub` of the client's tokens. Deferred: the name must be free before a FeatureID depends on it.
  id text primary key references featid_dependent on delete cascade deferrable initially deferred,
  account_id text not null references account on delete cascade,
  client_id text not null references oidc_client on delete cascade,
  hint_tag bytea not null,              -- HMAC of the client's name for the person
  is_enrolled_here boolean not null,    -- false: an operator linked a FeatureID that others may hold as well
  sealed_featid bytea not null,         -- under an erasure key of its own
  created_at timestamptz not null default now(),
  unique (client_id, hint_tag)
);

-- A login under way: which challenge decides it. One row for each interaction of the library.
create table oidc_login (
  interaction_hash bytea primary key,   -- of the interaction's uid
  client_id text not null references oidc_client on delete cascade,
  sealed_login bytea not null,          -- Login of src/oidc/logins.ts, under the provider's key
  link_hash bytea,                      -- of the challenge under way: as challenge.link_hash
  browser_hash bytea,                   -- of the cookie of the browser that may start it
  expires_at timestamptz not null
);
create unique index oidc_login_link on oidc_login (link_hash) where link_hash is not null;
-- What the sweep deletes next.
create index oidc_login_expiry on oidc_login (expires_at);

-- Sessions, grants, codes, tokens, pushed requests: what the library's adapter keeps. Ids are secrets, so only hashes stand here.
create table oidc_record (
  model text not null,
  id_hash bytea not null,
  sealed_payload bytea not null,
  uid_hash bytea,
  grant_hash bytea,
  client_id text references oidc_client on delete cascade,
  consumed_at timestamptz,
  expires_at timestamptz not null,
  primary key (model, id_hash)
);
-- A session by its uid, and all that a grant gave, to revoke it.
create index oidc_record_uid on oidc_record (model, uid_hash) where uid_hash is not null;
create index oidc_record_grant on oidc_record (grant_hash) where grant_hash is not null;
-- What the sweep deletes next.
create index oidc_record_expiry on oidc_record (expires_at);

create table oidc_signing_key (
  id text primary key,                  -- `kid`
  sealed_key bytea not null,            -- private JWK under the provider's key
  created_at timestamptz not null default now(),
  signs_from timestamptz not null       -- published before it signs, so that clients have fetched it
);
