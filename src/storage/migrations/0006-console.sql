-- The operator's console: its sessions.

create table console_session (
  token_hash bytea primary key,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null
);
