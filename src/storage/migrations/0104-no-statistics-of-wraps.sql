-- Statistics would be copies of wrapped keys, and outlive a rotation of the master key. With the type, which stays as it was,
-- those that there are go.
alter table account alter column wrapped_key type bytea, alter column wrapped_key set statistics 0;
alter table receipt_key alter column wrapped_key type bytea, alter column wrapped_key set statistics 0;
alter table oidc_root alter column wrapped_key type bytea, alter column wrapped_key set statistics 0;
