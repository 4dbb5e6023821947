-- Captures that wait for judgement: counted before a new one is given out, and for the page's estimate.
create index capture_waiting on capture (submitted_at) where state = 'submitted';
