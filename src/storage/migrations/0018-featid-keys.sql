-- Every FeatureID has a key of its own beside those of its string and its account: without it the template opens for
-- nobody, so that an erasure has 32 bytes to get off the disk instead of a template (0012 has the same for challenges).
create table featid_key (
  slot smallint not null,
  featid_id text not null,
  template_key bytea not null,
  primary key (slot, featid_id)
) partition by list (slot);
alter table featid_key
  alter column featid_id set storage plain,
  alter column template_key set storage plain;

do $$ begin
  for slot in 0..31 loop
    execute format('create table featid_key_%s partition of featid_key for values in (%s)', slot, slot);
  end loop;
end $$;
-- Statistics would be copies of keys, in a table that nobody rewrites.
alter table featid_key alter column template_key set statistics 0;
insert into key_bucket (family, bucket) select 'featid', bucket from generate_series(0, 15) as bucket;

-- The keys of up to a hundred FeatureIDs, whose buckets are as many as there are: a function, because planning this
-- over all tables takes longer than running it, and a function's plan is kept (2.3 against 6.8 ms for a hundred).
create function featid_keys(ids text[], buckets smallint[])
returns table (featid_id text, template_key bytea) language plpgsql stable rows 100 as $$
begin
  return query
    select asked.id, k.template_key from unnest(ids, buckets) as asked (id, bucket)
      cross join lateral (
        select f.template_key from featid_key f
        where f.slot = any (array[2 * asked.bucket, 2 * asked.bucket + 1]::smallint[]) and f.featid_id = asked.id) k;
end $$;

-- Templates of before are masked with a key of their own at the next start (src/composition/upgrade).
create table featid_to_mask as select id as featid_id from featid where sealed_template is not null;
alter table featid_to_mask add primary key (featid_id);
do $$ begin
  if not exists (select from featid_to_mask) then
    drop table featid_to_mask;
  end if;
end $$;
