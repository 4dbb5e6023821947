-- The audit log lies in tables by month, so that a month that is past its retention is dropped as a whole
-- (AUDIT_RETENTION_DAYS). Nothing else takes a line from it: it stays append-only.

drop trigger audit_append_only on audit;
drop trigger audit_counted on audit;
alter table audit rename to audit_before_months;
alter table audit_before_months drop constraint audit_pkey, alter column id drop identity;

-- No identity: before PostgreSQL 17 a partitioned table cannot have one.
create sequence audit_line;
create table audit (
  id bigint not null default nextval('audit_line'),
  at timestamptz not null default clock_timestamp(),
  actor text not null,                 -- api_key id, `operator`, `system`
  action text not null,
  account_id text,
  subject text,
  detail jsonb,
  primary key (id, at)
) partition by range (at);
-- For the list that is kept with the backups (`likeness erasures list`).
create index audit_erasure on audit (at) where action in ('challenge.erased', 'featid.revoked');
-- Lines of a month that has no table, which only a clock that was wrong by months can write.
create table audit_other partition of audit default;
alter sequence audit_line owned by audit.id;
select setval('audit_line', coalesce(max(id), 0) + 1, false) from audit_before_months;

-- The first moment of a month, in UTC, some months from the one given.
create function month_of(at timestamptz, months integer default 0) returns timestamptz language sql stable as $$
  select (date_trunc('month', at at time zone 'UTC') + months * interval '1 month') at time zone 'UTC'
$$;

-- Lines of before stay where they are: one table up to the end of the newest one's month, dropped when that is.
do $$
declare
  newest timestamptz := (select max(at) from audit_before_months);
begin
  if newest is null then
    drop table audit_before_months;
  else
    execute format('alter table audit attach partition audit_before_months for values from (minvalue) to (%L)',
      month_of(greatest(newest, now()), 1));
    create trigger audit_not_emptied before truncate on audit_before_months
      for each statement execute function audit_is_append_only();
  end if;
end $$;

-- The tables of the log, and what each holds: [since, until), null for no bound. `audit_other` has neither.
create view audit_month as
  select c.relname as name,
    (regexp_match(bound, 'FROM \(''([^'']+)''\)'))[1]::timestamptz as since,
    (regexp_match(bound, 'TO \(''([^'']+)''\)'))[1]::timestamptz as until
  from pg_inherits i join pg_class c on c.oid = i.inhrelid, pg_get_expr(c.relpartbound, c.oid) as bound
  where i.inhparent = 'audit'::regclass;

-- Makes the tables of this month and of so many after it; returns how many were missing. Attaching one keeps nobody from
-- writing, where creating it as a partition would.
create function add_audit_months(ahead integer) returns integer language plpgsql as $$
declare
  month timestamptz := greatest(month_of(now()), (select max(until) from audit_month));
  name text;
  added integer := 0;
begin
  while month <= month_of(now(), ahead) loop
    name := 'audit_' || to_char(month at time zone 'UTC', 'YYYY_MM');
    begin
      execute format('create table %I (like audit including defaults including storage)', name);
      execute format('alter table audit attach partition %I for values from (%L) to (%L)', name, month, month_of(month, 1));
      execute format('create trigger audit_not_emptied before truncate on %I
        for each statement execute function audit_is_append_only()', name);
      added := added + 1;
    exception when check_violation then
      null; -- audit_other has lines of this month: the rest of them goes there, too
    end;
    month := month_of(month, 1);
  end loop;
  return added;
end $$;
select add_audit_months(12);

create trigger audit_append_only before update or delete on audit
  for each row execute function audit_is_append_only();
create trigger audit_not_emptied before truncate on audit
  for each statement execute function audit_is_append_only();

-- Lines are counted by month, so that a dropped one can be counted out without reading it.
create or replace function count_audit_lines() returns trigger language plpgsql as $$
begin
  insert into figure_change (kind, at, name, n)
    select 'held', month_of(at), 'audit_lines', count(*) from changed group by 2;
  return null;
end $$;
create trigger audit_counted after insert on audit referencing new table as changed
  for each statement execute function count_audit_lines();
