-- The console's newest judged challenges: where the newest of all are still open, they were passed over one by one.
create index if not exists challenge_judged on challenge (id desc) where status = 'completed' and not sandbox;
