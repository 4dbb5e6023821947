-- Scripts wait for the person: what is drawn is the order; when each prompt was shown comes with the commit.
alter table capture
  add column lived_script jsonb,                       -- null until committed
  add column restarted boolean not null default false; -- given up for another one before its time was over
update capture set lived_script = script where state in ('committed', 'submitted');
-- A try is a script that was drawn, no longer a video that was submitted.
comment on column challenge.tries_used is 'scripts drawn';
