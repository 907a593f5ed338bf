-- What the Idempotency-Keys of operators and members are bound to.
create table request_keys (
  caller_kind text not null check (caller_kind in ('operator', 'member')),
  caller_id text not null,
  key text not null,
  -- HMAC of the route, its parameters and the body, which may hold a password
  digest bytea not null,
  -- every try of the request is this one command
  command_id uuid not null,
  -- nothing came of it: the key may be used for another request
  refused boolean not null default false,
  -- the first answer, without secrets; null until it is known
  status smallint,
  answer text,
  created_at timestamptz not null,
  primary key (caller_kind, caller_id, key),
  check ((status is null) = (answer is null))
) with (fillfactor = 70);
create index request_keys_age on request_keys (created_at);

-- An operator's command leaves its id with what it did: a repeat is told by it.
alter table audit_log add column command_id uuid;
create unique index audit_log_command on audit_log (command_id) where command_id is not null;
