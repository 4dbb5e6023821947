-- A complete upload is turned into an asset by one run at a time, in whatever process: it holds a lease. A run that dies
-- leaves the lease to run out, and another begins.
alter table capture add column finish_lease_until timestamptz;
