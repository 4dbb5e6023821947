-- What the attempts say of each receiver, across all its deliveries and all processes: whether it answers, and while it
-- does not, when the next call may try it (a circuit breaker).
create table webhook_receiver (
  endpoint_hash bytea primary key,     -- as in delivery: groups attempts by receiver without naming it
  account_id text not null references account on delete cascade,
  answered_at timestamptz,             -- noted at most once an hour while it answers; null: it never has
  failures integer not null default 0, -- attempts without an answer since then
  probe_at timestamptz,                -- open: the next probe may begin then; null: closed
  changed_at timestamptz not null default now()
);
create index webhook_receiver_account on webhook_receiver (account_id);
create index webhook_receiver_open on webhook_receiver (endpoint_hash) where probe_at is not null;
