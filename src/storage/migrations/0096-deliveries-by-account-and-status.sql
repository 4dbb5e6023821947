-- GET /v1/deliveries with a status: with nine million deliveries a page of those that failed read 20,000 pages, those of every
-- account or those of every status. Few are in any state but delivered.
create index if not exists delivery_account_status on delivery (account_id, status, id desc) where status <> 'delivered';
