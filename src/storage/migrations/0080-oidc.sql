-- The OpenID Provider (OIDC=on): its key, its clients, whom they know, and what its library keeps between two requests.

-- The key that seals what is the provider's own and no account's; a master key wraps it as it wraps those of accounts.
create table oidc_root (
  is_only boolean primary key default true check (is_only),
  wrapped_key bytea not null,
  master_key_id text not null
);

create table oidc_client (
  id text primary key,
  account_id text not null references account on delete cascade,
  name text not null,
  settings jsonb not null,              -- ClientSettings of src/oidc/clients.ts: nothing secret, nothing of a person
  secret_hash bytea,                    -- SHA-256 of a secret of 256 random bits; null where it has none
  created_at timestamptz not null default now(),
  unique (account_id, name)
);

-- Whom a client knows: from the name that it has for a person to a FeatureID.
create table oidc_subject (
  id text primary key,                  -- random; `sub` of the client's tokens
  account_id text not null references account on delete cascade,
  client_id text not null references oidc_client on delete cascade,
  hint_tag bytea not null,              -- HMAC of the client's name for the person
  featid_id text not null references featid on delete cascade,
  is_enrolled_here boolean not null,    -- false: an operator linked a FeatureID that others may hold as well
  sealed_featid bytea not null,         -- under an erasable key of its own, which lies in featid_key
  created_at timestamptz not null default now(),
  unique (client_id, hint_tag)
);
create index oidc_subject_featid on oidc_subject (featid_id);

-- A login under way: which challenge decides it. One row for each interaction of the library.
create table oidc_login (
  interaction_hash bytea primary key,   -- SHA-256 of the interaction's uid
  client_id text not null references oidc_client on delete cascade,
  sealed_login bytea not null,          -- Login of src/oidc/logins.ts, under the provider's key
  link_hash bytea,                      -- of the challenge under way: as challenge.link_hash
  browser_hash bytea,                   -- SHA-256 of the cookie of the browser that may start it
  expires_at timestamptz not null
);
create unique index oidc_login_link on oidc_login (link_hash) where link_hash is not null;
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
create index oidc_record_uid on oidc_record (model, uid_hash) where uid_hash is not null;
create index oidc_record_grant on oidc_record (grant_hash) where grant_hash is not null;
create index oidc_record_expiry on oidc_record (expires_at);

create table oidc_signing_key (
  id text primary key,                  -- `kid`
  sealed_key bytea not null,            -- private JWK under the provider's key
  created_at timestamptz not null default now(),
  signs_from timestamptz not null       -- published before it signs, so that clients have fetched it
);
