-- Figures of the operator's console, counted by the writes themselves: what is shown is a sum of changes, as in
-- stored_bytes. Nobody waits for a row that everybody changes, and a figure is exact whoever writes, erases or deletes.
-- Counts are by account and receiver at most, and tell nothing of a person.

-- Appended by triggers, and now and then folded into `figure`.
create table figure_change (
  id bigint generated always as identity primary key,
  kind text not null,                        -- challenge, judgement, delivery, attempt, held
  at timestamptz not null,                   -- the day, in UTC, or the hour that is counted; held: of no time
  name text not null,                        -- an outcome, a status, or what is held
  account_id text not null default '',
  endpoint_hash bytea not null default '',
  bucket smallint not null default 0,        -- of a duration: see duration_bucket
  n bigint not null,
  bytes bigint not null default 0,
  latest timestamptz                         -- the last of them
);
create table figure (
  kind text not null,
  at timestamptz not null,
  name text not null,
  account_id text not null,
  endpoint_hash bytea not null,
  bucket smallint not null,
  n bigint not null,
  bytes bigint not null,
  latest timestamptz,
  primary key (kind, at, name, account_id, endpoint_hash, bucket)
);
create view figures as
  select kind, at, name, account_id, endpoint_hash, bucket, n, bytes, latest from figure
  union all
  select kind, at, name, account_id, endpoint_hash, bucket, n, bytes, latest from figure_change;

-- Changes of rows older than this are not counted, and figures older than this are deleted: longer than anything shown by
-- more than a transaction lasts.
create function figure_window(kind text) returns interval language sql immutable as $$
  select case when kind in ('challenge', 'judgement') then interval '32 days' else interval '9 days' end
$$;
create function day_of(at timestamptz) returns timestamptz language sql stable as $$
  select date_trunc('day', at, 'UTC')
$$;
-- Eight to the octave: within 4.5 % of what was measured.
create function duration_bucket(ms double precision) returns smallint language sql immutable as $$
  select case when ms <= 1 then 0 else round(8 * ln(ms) / ln(2)) end::smallint
$$;
create function challenge_outcome(status text, overall_result text) returns text language sql immutable as $$
  select case status when 'completed' then case overall_result when 'pass' then 'passed' else 'failed' end
    when 'expired' then status when 'cancelled' then status else 'open' end
$$;

create function count_challenges() returns trigger language plpgsql as $$
begin
  insert into figure_change (kind, at, name, n)
    select 'challenge', day_of(created_at), challenge_outcome(status, overall_result),
      count(*) * case tg_op when 'INSERT' then 1 else -1 end
    from changed where not sandbox and created_at > now() - figure_window('challenge') group by 2, 3
    union all
    select 'held', '-infinity', 'results', count(*) * case tg_op when 'INSERT' then 1 else -1 end
    from changed where sealed_result is not null having count(*) > 0;
  return null;
end $$;
create trigger challenge_counted after insert on challenge referencing new table as changed
  for each statement execute function count_challenges();
create trigger challenge_uncounted after delete on challenge referencing old table as changed
  for each statement execute function count_challenges();

create function count_outcome() returns trigger language plpgsql as $$
begin
  insert into figure_change (kind, at, name, n)
    select 'challenge', day_of(row.created_at), challenge_outcome(row.status, row.overall_result), row.n
    from (values (old.created_at, old.status, old.overall_result, -1), (new.created_at, new.status, new.overall_result, 1))
      as row (created_at, status, overall_result, n)
    where not new.sandbox and row.created_at > now() - figure_window('challenge')
    union all
    select 'held', '-infinity', 'results', (new.sealed_result is not null)::int - (old.sealed_result is not null)::int
    where (new.sealed_result is null) <> (old.sealed_result is null);
  return null;
end $$;
create trigger challenge_outcome_counted after update on challenge for each row
  when (old.closed_at is distinct from new.closed_at or old.created_at is distinct from new.created_at
    or old.overall_result is distinct from new.overall_result)
  execute function count_outcome();

-- From the end of an upload to the result; a statistic of the work, which stays when the challenge goes.
create function count_judgement() returns trigger language plpgsql as $$
begin
  insert into figure_change (kind, at, name, bucket, n)
    values ('judgement', date_trunc('hour', now(), 'UTC'), 'judged',
      duration_bucket(extract(epoch from clock_timestamp() - new.submitted_at) * 1000), 1);
  return null;
end $$;
create trigger capture_judged after update on capture for each row
  when (new.state = 'judged' and old.state <> 'judged' and new.submitted_at is not null)
  execute function count_judgement();

create function count_deliveries() returns trigger language plpgsql as $$
begin
  insert into figure_change (kind, at, name, account_id, endpoint_hash, n)
    select 'delivery', day_of(created_at), status, account_id, endpoint_hash,
      count(*) * case tg_op when 'INSERT' then 1 else -1 end
    from changed where created_at > now() - figure_window('delivery') group by 2, 3, 4, 5;
  return null;
end $$;
create trigger delivery_counted after insert on delivery referencing new table as changed
  for each statement execute function count_deliveries();
create trigger delivery_uncounted after delete on delivery referencing old table as changed
  for each statement execute function count_deliveries();

create function count_delivery_status() returns trigger language plpgsql as $$
begin
  insert into figure_change (kind, at, name, account_id, endpoint_hash, n)
    select 'delivery', day_of(new.created_at), changed.status, new.account_id, new.endpoint_hash, changed.n
    from (values (old.status, -1), (new.status, 1)) as changed (status, n)
    where new.created_at > now() - figure_window('delivery');
  return null;
end $$;
create trigger delivery_status_counted after update on delivery for each row
  when (old.status is distinct from new.status) execute function count_delivery_status();

create function count_attempts() returns trigger language plpgsql as $$
begin
  insert into figure_change (kind, at, name, account_id, endpoint_hash, bucket, n, latest)
    select 'attempt', day_of(a.at), a.outcome, d.account_id, d.endpoint_hash, duration_bucket(a.duration_ms), count(*), max(a.at)
    from changed a join delivery d on d.id = a.delivery_id
    where a.at > now() - figure_window('attempt') group by 2, 3, 4, 5, 6;
  return null;
end $$;
create trigger attempt_counted after insert on delivery_attempt referencing new table as changed
  for each statement execute function count_attempts();

create function count_held_assets() returns trigger language plpgsql as $$
begin
  insert into figure_change (kind, at, name, n, bytes)
    select 'held', '-infinity', kind || 's', count(*) * sign, sum(size_bytes::bigint) * sign
    from changed, (select case tg_op when 'INSERT' then 1 else -1 end as sign) as counted
    where kind <> 'logo' group by kind, sign;
  return null;
end $$;
create trigger asset_counted after insert on asset referencing new table as changed
  for each statement execute function count_held_assets();
create trigger asset_uncounted after delete on asset referencing old table as changed
  for each statement execute function count_held_assets();

create function count_held_featids() returns trigger language plpgsql as $$
begin
  insert into figure_change (kind, at, name, n)
    select 'held', '-infinity', case when sealed_template is null then 'tombstones' else 'templates' end,
      count(*) * case tg_op when 'INSERT' then 1 else -1 end
    from changed group by 3;
  return null;
end $$;
create trigger featid_counted after insert on featid referencing new table as changed
  for each statement execute function count_held_featids();
create trigger featid_uncounted after delete on featid referencing old table as changed
  for each statement execute function count_held_featids();
create function count_revoked_featid() returns trigger language plpgsql as $$
begin
  insert into figure_change (kind, at, name, n) values
    ('held', '-infinity', case when old.sealed_template is null then 'tombstones' else 'templates' end, -1),
    ('held', '-infinity', case when new.sealed_template is null then 'tombstones' else 'templates' end, 1);
  return null;
end $$;
create trigger featid_revoked after update on featid for each row
  when ((old.sealed_template is null) <> (new.sealed_template is null)) execute function count_revoked_featid();

create function count_audit_lines() returns trigger language plpgsql as $$
begin
  insert into figure_change (kind, at, name, n)
    select 'held', '-infinity', 'audit_lines', count(*) * case tg_op when 'INSERT' then 1 else -1 end from changed
    having count(*) > 0;
  return null;
end $$;
create trigger audit_counted after insert on audit referencing new table as changed
  for each statement execute function count_audit_lines();

-- What is there already. The triggers above keep their tables from being written to until this is committed.
insert into figure
  select kind, at, name, account_id, endpoint_hash, bucket, sum(n), sum(bytes), max(latest) from (
    select 'challenge' as kind, day_of(created_at) as at, challenge_outcome(status, overall_result) as name,
      '' as account_id, ''::bytea as endpoint_hash, 0::smallint as bucket, count(*) as n, 0 as bytes, null::timestamptz as latest
      from challenge where not sandbox and created_at > now() - figure_window('challenge') group by 2, 3
    union all
    select 'judgement', date_trunc('hour', h.closed_at, 'UTC'), 'judged', '', '',
      duration_bucket(extract(epoch from h.closed_at - c.submitted_at) * 1000), count(*), 0, null
      from challenge h join capture c on c.challenge_id = h.id and c.state = 'judged'
      where h.closed_at > now() - figure_window('judgement') and c.submitted_at is not null group by 2, 6
    union all
    select 'delivery', day_of(created_at), status, account_id, endpoint_hash, 0::smallint, count(*), 0, null
      from delivery where created_at > now() - figure_window('delivery') group by 2, 3, 4, 5
    union all
    select 'attempt', day_of(t.at), t.outcome, d.account_id, d.endpoint_hash, duration_bucket(t.duration_ms), count(*), 0, max(t.at)
      from delivery_attempt t join delivery d on d.id = t.delivery_id
      where t.at > now() - figure_window('attempt') group by 2, 3, 4, 5, 6
    union all
    select 'held', '-infinity', asset.kind || 's', '', '', 0::smallint, count(*), sum(size_bytes::bigint), null
      from asset where asset.kind <> 'logo' group by asset.kind
    union all
    select 'held', '-infinity', 'results', '', '', 0::smallint, count(*), 0, null from challenge where sealed_result is not null
    union all
    select 'held', '-infinity', case when sealed_template is null then 'tombstones' else 'templates' end, '', '', 0::smallint,
      count(*), 0, null from featid group by 3
    union all
    select 'held', '-infinity', 'audit_lines', '', '', 0::smallint, count(*), 0, null from audit
  ) counted
  group by kind, at, name, account_id, endpoint_hash, bucket having sum(n) > 0;

-- The oldest template, and what failed in the last day.
create index if not exists featid_created on featid (created_at) where revoked_at is null;
create index if not exists delivery_failed on delivery (finished_at) where status = 'failed';
