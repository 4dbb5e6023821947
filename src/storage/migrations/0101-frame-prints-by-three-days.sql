-- Prints of frames by three days instead of one: a comparison looks each print up in every table of the window, and most of
-- what it reads is on the disk. Twenty-four days in turn, three in a table; at most six of the eight are looked at
-- (REPLAY_WINDOW_DAYS is 12 at most, and a day may be begun on either side).
-- Whoever compares or erases waits from here on until the end: no print is stored between the copy and the old tables' end.
alter table frame_print rename to frame_print_by_day;

create table frame_print (
  capture_id text not null,
  print bytea not null,
  slot smallint not null
) partition by list (slot);
-- A row is short: without this each of the tables below would have a second one for long values.
alter table frame_print
  alter column capture_id set storage plain,
  alter column print set storage plain;
do $$ begin
  for days in 0..7 loop
    execute format('create table frame_print_days_%s partition of frame_print for values in (%s, %s, %s)',
      days, 3 * days, 3 * days + 1, 3 * days + 2);
  end loop;
end $$;

insert into frame_print (capture_id, print, slot)
  select f.capture_id, f.print, day_number(c.committed_at) % 24
  from frame_print_by_day f join capture c on c.id = f.capture_id
  where c.committed_at > now() - interval '13 days';
drop table frame_print_by_day;

-- Made at the end: many times faster than row by row.
alter table frame_print
  add constraint frame_print_pkey primary key (capture_id, print, slot),
  add constraint frame_print_capture_id_fkey foreign key (capture_id) references capture on delete cascade;
create index frame_print_print on frame_print (print);
