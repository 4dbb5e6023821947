-- One table of idempotency records, for every POST. A request that is being worked on is a record with a claim and no
-- answer; one whose work is a transaction writes its record in it and claims nothing.
create table idempotency_record (
  account_id text not null references account on delete cascade,
  path text not null,
  key text not null,
  fingerprint bytea not null,          -- HMAC of the body
  claim uuid,                          -- of the request that is worked on
  sealed_answer bytea,
  -- the challenge of which the answer tells: its key seals the answer
  challenge_id text references challenge on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (account_id, path, key),
  check ((claim is null) = (sealed_answer is not null))
);
create index idempotency_record_due on idempotency_record (expires_at);
create index idempotency_record_challenge on idempotency_record (challenge_id) where challenge_id is not null;

-- What lay in them, for a day at most, was sealed in two other ways and is dropped: a request from before the upgrade that
-- is sent again with its key after it is worked on anew.
drop table idempotency, idempotency_claim;
