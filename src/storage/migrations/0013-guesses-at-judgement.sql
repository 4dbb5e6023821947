-- The guessing limit is asked when a challenge is judged, not when it is created: challenges that nobody opened locked a
-- person out. featid_reservation says only which FeatureIDs an open challenge names, so that retention leaves them alone.

-- Called by processes of the version before, until they are replaced: it reserves nothing any more either. Its arguments
-- and the column `counted` go when those are gone.
create or replace function reserve_featids(challenge text, featids text[], allowance integer, counting_window interval)
returns table (featid_id text, free_at timestamptz) language plpgsql as $$
begin
  return query
    select f.id, f.paused_until from featid f
    where f.id = any (featids) and f.paused_until > clock_timestamp();
  if found then
    return;
  end if;

  insert into featid_reservation (featid_id, challenge_id)
    select f.id, challenge from featid f where f.id = any (featids);
end $$;
