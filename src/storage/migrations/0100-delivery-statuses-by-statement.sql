-- Deliveries' statuses are counted once a statement: a row each for every delivery cost more than recording its attempt
-- (docs/decisions/0040-what-a-delivery-costs.md).
drop trigger delivery_status_counted on delivery;
drop function count_delivery_status();
create function count_delivery_statuses() returns trigger language plpgsql as $$
begin
  insert into figure_change (kind, at, name, account_id, endpoint_hash, n)
    select 'delivery', day_of(after.created_at), changed.status, after.account_id, after.endpoint_hash, sum(changed.n)
    from after join before using (id)
    cross join lateral (values (before.status, -1), (after.status, 1)) as changed (status, n)
    where after.status <> before.status and after.created_at > now() - figure_window('delivery')
    group by 2, 3, 4, 5;
  return null;
end $$;
create trigger delivery_statuses_counted after update on delivery
  referencing old table as before new table as after
  for each statement execute function count_delivery_statuses();
