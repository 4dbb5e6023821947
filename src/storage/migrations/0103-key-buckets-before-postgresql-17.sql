-- A new bucket of keys could not be made before PostgreSQL 17, where system columns, too, have a statistics target of 0: no
-- bucket was ever cut there, and an erasure rewrote all keys of its bucket. Otherwise as 0062 has it.
create or replace function add_key_bucket(of_family text) returns smallint language plpgsql as $$
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
        where attrelid = (of_family || '_key')::regclass and attnum > 0 and attstattarget = 0
      loop
        execute format('alter table %I alter column %I set statistics 0', new_table, bare_column);
      end loop;
      execute format('alter table %I attach partition %I for values in (%s)', of_family || '_key', new_table, slot);
    end loop;
    insert into key_bucket (family, bucket) values (of_family, added);
  end if;
  return added;
end $$;
