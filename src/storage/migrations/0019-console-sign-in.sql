-- Sessions of the console end with the credentials that they were opened with, and have an id for the audit log.
delete from console_session;
alter table console_session add column id text not null unique default 'ops_' || gen_random_uuid();

-- Time steps whose one-time code was used: each works once.
create table console_used_code (
  step bigint primary key,
  used_at timestamptz not null default now()
);
