-- A script token is named where it is listed and ended, without its hash. Those that there are get ids that sort by time, as new ones do.
alter table sessions add column session_id uuid not null default gen_random_uuid();
update sessions set session_id = (lpad(to_hex((extract(epoch from created_at) * 1000)::bigint), 12, '0') || '7' || substr(md5(token_hash::text), 1, 3) || '8'
  || substr(md5(token_hash::text), 4, 15))::uuid;
create unique index sessions_of_principal on sessions (principal_id, session_id);
drop index sessions_principal;
