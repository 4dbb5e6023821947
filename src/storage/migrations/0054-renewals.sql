-- Renewal of references: an account may let passing comparisons renew its FeatureIDs. The enrolment stays as it is; what is
-- added is a row each, sealed as the template is and masked with an erasure key of its own in featid_key.
alter table account add column renew_references boolean not null default false;

create table featid_renewal (
  id text primary key,
  featid_id text not null references featid on delete cascade,
  account_id text not null references account on delete cascade,
  -- whose capture it is of: erased with that challenge, but not with the retention of its result
  challenge_id text not null,
  layout smallint not null,
  sealed_embedding bytea not null,
  created_at timestamptz not null default now()
);
alter table featid_renewal alter column sealed_embedding set storage external;
create index featid_renewal_featid on featid_renewal (featid_id, created_at);
create index featid_renewal_challenge on featid_renewal (challenge_id);
create index featid_renewal_account on featid_renewal (account_id);
