-- Periodic tasks that one process of a deployment runs at a time (src/jobs/in-turn.ts).
create table task_turn (
  task text primary key,
  due_at timestamptz not null default now(), -- the next run begins no sooner
  holder uuid,                               -- the run under way
  held_until timestamptz,                    -- a run that does not extend this has died
  check ((holder is null) = (held_until is null))
);
