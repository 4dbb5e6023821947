-- FeatureIDs: the guessing limit, the check of a tombstone's key, and what retention looks for.

alter table featid
  -- derived from both keys: tells the holder of the string from a guesser when the template is gone
  add column key_check bytea not null default '',
  -- failures since the last pause, oldest first; those older than the window no longer count
  add column failed_at timestamptz[] not null default '{}',
  add column pauses smallint not null default 0,      -- in a row: each is longer than the one before
  add column paused_until timestamptz,
  -- ciphertext does not compress
  alter column sealed_template set storage external;

create index featid_last_use on featid ((coalesce(last_used_at, created_at))) where revoked_at is null;
create index featid_tombstone on featid (revoked_at) where revoked_at is not null;

-- An open challenge that names a FeatureID holds one of its guesses until it closes.
create table featid_reservation (
  featid_id text not null references featid on delete cascade,
  challenge_id text not null references challenge on delete cascade,
  -- false since an unlock: it holds no guess any more, its failure still counts
  counted boolean not null default true,
  primary key (featid_id, challenge_id)
);
create index featid_reservation_challenge on featid_reservation (challenge_id);

-- Reserves a guess of each FeatureID for a challenge, or of none: answers those that have none left, each with the time
-- at which it may have one. A function, because its second look must see what was committed while it waited for the
-- rows: within one statement it would not.
create function reserve_featids(challenge text, featids text[], allowance integer, counting_window interval)
returns table (featid_id text, free_at timestamptz) language plpgsql as $$
begin
  -- In order: two creations that name the same ones wait for each other instead of locking each other out.
  perform 1 from featid f where f.id = any (featids) order by f.id for no key update;

  return query
    select f.id, case when f.paused_until > clock_timestamp() then f.paused_until
                      else least(recent.first_at + counting_window, held.first_end) end
    from featid f,
      lateral (select count(*) as n, min(t) as first_at from unnest(f.failed_at) as t
               where t > clock_timestamp() - counting_window) as recent,
      lateral (select count(*) as n, min(c.expires_at) as first_end
               from featid_reservation r join challenge c on c.id = r.challenge_id
               where r.featid_id = f.id and r.counted and c.closed_at is null) as held
    where f.id = any (featids)
      and (coalesce(f.paused_until > clock_timestamp(), false) or recent.n + held.n >= allowance);
  if found then
    return;
  end if;

  insert into featid_reservation (featid_id, challenge_id)
    select f.id, challenge from featid f where f.id = any (featids);
end $$;
