-- Prints of frames are kept for some days, whatever becomes of the challenge, and by day: a day that is over is emptied at
-- once (TRUNCATE), where deleting row by row from one table of random keys was half of the database's work.

-- Sixteen days in turn: day number modulo 16. At most 13 of them are looked at (REPLAY_WINDOW_DAYS), so that a day's table
-- is emptied before it is used again. An account's prints are HMACs under its own key: they need no account beside them.
create table frame_print (
  capture_id text not null references capture on delete cascade,
  print bytea not null,
  slot smallint not null,
  primary key (capture_id, print, slot)
) partition by list (slot);
-- A row is short: without this each of the tables below would have a second one for long values.
alter table frame_print
  alter column capture_id set storage plain,
  alter column print set storage plain;
create index frame_print_print on frame_print (print);
do $$ begin
  for slot in 0..15 loop
    execute format('create table frame_print_%s partition of frame_print for values in (%s)', slot, slot);
  end loop;
end $$;

-- The day, in UTC, by whose number a capture's prints lie in a slot.
create function day_number(at timestamptz) returns integer language sql immutable as $$
  select floor(extract(epoch from at) / 86400)::integer
$$;

insert into frame_print (capture_id, print, slot)
  select f.capture_id, f.print, day_number(c.submitted_at) % 16
  from capture_frame f join capture c on c.id = f.capture_id
  where c.submitted_at > now() - interval '12 days';
drop table capture_frame;
