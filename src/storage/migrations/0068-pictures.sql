-- FeatureIDs of pictures: where each FeatureID came from, and the pictures that wait for a worker to read them.
alter table featid add column source text not null default 'liveness_video';

create table picture (
  id text primary key,
  account_id text not null references account on delete cascade,
  actor text not null,                  -- who sent it, for the audit log
  sealed_picture bytea not null,        -- under an erasable key of its own, which lies in featid_key
  starts smallint not null default 0,   -- times that a worker began to read it
  sealed_answer bytea,                  -- under the same key
  featid_id text,                       -- made of it, until its string has been handed out
  created_at timestamptz not null default now()
);
-- Pictures are compressed and ciphertext does not compress.
alter table picture alter column sealed_picture set storage external;
create index picture_age on picture (created_at);
