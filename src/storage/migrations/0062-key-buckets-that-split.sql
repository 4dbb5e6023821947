-- A bucket of keys that has grown is cut in two, each with tables of its own, so that an erasure rewrites as much with ten
-- million keys as with some ten thousand (docs/decisions/0014-erasure-keys.md).
alter table key_bucket
  add column base smallint,             -- what ids say of themselves (src/keys/erasure-key.ts); null: spare, without keys
  add column from_id text collate "C",  -- of its base it has the ids from this on, up to the next bucket's
  add column whole_until timestamptz;   -- not cut before: processes of the version before would not find its keys
update key_bucket set base = bucket, from_id = '',
  whole_until = case when exists (select from account) then now() + interval '1 hour' end;
create unique index key_bucket_range on key_bucket (family, base, from_id) where base is not null;

-- Which bucket has the keys of each id, and the slot where new ones go.
create function key_slots(of_family text, ids text[], bases smallint[])
returns table (id text, bucket smallint, slot smallint) language sql stable as $$
  select given.id, b.bucket, (2 * b.bucket + b.side)::smallint
  from unnest(ids, bases) as given (id, base)
  cross join lateral (
    select k.bucket, k.side from key_bucket k
    where k.family = of_family and k.base = given.base and k.from_id <= given.id
    order by k.from_id desc limit 1) b
$$;

-- Whoever writes or erases keys holds it to the end of the transaction, and takes it before asking which buckets they are
-- in; whoever changes that takes it alone. The lock's number is that of src/storage/postgres/key-buckets.ts.
create function keep_key_buckets() returns void language sql volatile as $$
  select pg_advisory_xact_lock_shared(5141703, 0)
$$;

create function insert_challenge_keys(ids text[], bases smallint[], details_keys bytea[], video_keys bytea[], reference_tags bytea[])
returns bigint language plpgsql volatile as $$
declare
  written bigint;
begin
  perform keep_key_buckets();
  insert into challenge_key (slot, challenge_id, details_key, video_key, reference_tag)
  select s.slot, s.id, given.details_key, given.video_key, given.reference_tag
  from unnest(ids, details_keys, video_keys, reference_tags) as given (id, details_key, video_key, reference_tag)
  join key_slots('challenge', ids, bases) s on s.id = given.id;
  get diagnostics written = row_count;
  return written;
end $$;

-- Keys by their ids, from both sides of each bucket. Tables are named one by one, as planning over all of them would lock
-- all; and by a function, so that buckets and keys are those of one moment.
create function challenge_keys(ids text[], bases smallint[])
returns table (challenge_id text, details_key bytea, video_key bytea) language plpgsql stable as $$
declare
  part record;
begin
  for part in select s.bucket, array_agg(s.id) as ids from key_slots('challenge', ids, bases) s group by 1 loop
    return query execute format(
      'select challenge_id, details_key, video_key from challenge_key_%1$s where slot = %1$s and challenge_id = any($1)
       union all
       select challenge_id, details_key, video_key from challenge_key_%2$s where slot = %2$s and challenge_id = any($1)',
      2 * part.bucket, 2 * part.bucket + 1) using part.ids;
  end loop;
end $$;

create or replace function featid_keys(ids text[], buckets smallint[])
returns table (featid_id text, template_key bytea) language plpgsql stable rows 100 as $$
declare
  part record;
begin
  for part in select s.bucket, array_agg(s.id) as ids from key_slots('featid', ids, buckets) s group by 1 loop
    return query execute format(
      'select featid_id, template_key from featid_key_%1$s where slot = %1$s and featid_id = any($1)
       union all
       select featid_id, template_key from featid_key_%2$s where slot = %2$s and featid_id = any($1)',
      2 * part.bucket, 2 * part.bucket + 1) using part.ids;
  end loop;
end $$;

-- Challenges whose references have one of these tags, out of some buckets: a statement keeps the locks of all tables that it
-- looks into. Most sides are empty, and a table without pages has nothing that this statement could see.
create function find_tagged(tags bytea[], buckets smallint[]) returns setof text language plpgsql stable as $$
declare
  filled integer;
begin
  for filled in select slot from unnest(buckets) as given (bucket), generate_series(2 * bucket, 2 * bucket + 1) as slot
    where pg_relation_size(format('challenge_key_%s', slot)::regclass) > 0
  loop
    return query execute format('select challenge_id from challenge_key_%s where reference_tag = any($1)', filled)
      using tags;
  end loop;
end $$;

-- A bucket without keys: a spare one, or one with new tables. Attaching them keeps nobody from reading and writing, where
-- creating them as partitions would.
create function add_key_bucket(of_family text) returns smallint language plpgsql as $$
declare
  added smallint := (select bucket from key_bucket where family = of_family and base is null order by bucket limit 1);
  new_table text;
  bare_column name;
begin
  if added is null then
    select max(bucket) + 1 into added from key_bucket where family = of_family;
    for slot in 2 * added .. 2 * added + 1 loop
      new_table := format('%s_key_%s', of_family, slot);
      execute format('create table %I (like %I including defaults including storage)', new_table, of_family || '_key');
      -- Statistics would be copies of keys: none of the columns that have none.
      for bare_column in select attname from pg_attribute
        where attrelid = (of_family || '_key')::regclass and attstattarget = 0
      loop
        execute format('alter table %I alter column %I set statistics 0', new_table, bare_column);
      end loop;
      execute format('alter table %I attach partition %I for values in (%s)', of_family || '_key', new_table, slot);
    end loop;
    insert into key_bucket (family, bucket) values (of_family, added);
  end if;
  return added;
end $$;
