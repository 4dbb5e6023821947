-- What a request says that is no secret and tells of nobody is one value: a further such field is no further column.
alter table challenge add column public_request jsonb;
update challenge set public_request =
  jsonb_build_object('liveness_only', liveness_only, 'require_consent', require_consent);
alter table challenge
  alter column public_request set not null,
  drop column liveness_only,
  drop column require_consent;
