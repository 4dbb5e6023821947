-- The judgement of every try, with its curves, for the console: sealed under the key of the challenge's details.
alter table capture add column sealed_try bytea;
alter table capture alter column sealed_try set storage external;
