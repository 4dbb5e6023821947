-- When each step of a script was handed out, in milliseconds from the capture's issue. Before, all were at once.
alter table capture add column handed_out_ms integer[] not null default '{}';
update capture set handed_out_ms = array_fill(0, array[coalesce(jsonb_array_length(script -> 'steps'), 0)])
  where state in ('issued', 'committed', 'submitted');
