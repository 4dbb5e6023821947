-- The newest challenges of a result, as the console lists them: they were looked for from the newest challenge back, past all
-- that were open (220 ms behind 400,000). Built beforehand, as docs/operations/upgrade.md says, it is there already.
create index if not exists challenge_by_result on challenge (overall_result, id desc) where overall_result is not null;
