-- The sandbox of an account is an account of its own beside it: its keys are `lk_test_…`, and nothing that is made with
-- them, challenges, FeatureIDs, webhook secret, is known to the live one, or the other way round.
alter table account add column sandbox_of text unique references account on delete cascade;
