-- How many prints of this capture's frames another capture had when it was compared; null before. Kept, so that a capture
-- that is judged again is not compared with those that came after it.
alter table capture add column shared_prints smallint;
