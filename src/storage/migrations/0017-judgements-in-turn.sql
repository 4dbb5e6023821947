-- Judgements take turns by account: a job of the queue is a token for one judgement of whichever capture's turn it is.
alter table capture
  add column taken_by bigint,               -- the job that judges it
  add column judge_after timestamptz,       -- not before; after a judgement that broke off
  add column fault_since timestamptz;       -- the first fault that was not the video's, as a store that was away
drop index capture_waiting;
create index capture_waiting on capture (account_id, submitted_at, id) where state = 'submitted';

-- When an account's capture was last taken: the one whose turn is longest ago is next.
create table judgement_turn (
  account_id text primary key references account on delete cascade,
  at timestamptz not null
);
