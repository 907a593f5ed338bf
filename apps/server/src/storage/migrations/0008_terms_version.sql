-- What orders are admitted and priced by changes seldom and is asked for by every batch: servers keep it, and each batch asks
-- only whether it has changed. The number is changed by whatever changes the tables, in the same transaction.
create table terms_version (
  singleton boolean primary key default true check (singleton),
  version bigint not null default 0
);
insert into terms_version default values;

create function terms_changed() returns trigger language plpgsql as $$
begin
  update terms_version set version = version + 1;
  return null;
end $$;

create trigger terms_changed after insert or update or delete or truncate on settings execute function terms_changed();
create trigger terms_changed after insert or update or delete or truncate on merchants execute function terms_changed();
create trigger terms_changed after insert or update or delete or truncate on api_keys execute function terms_changed();
create trigger terms_changed after insert or update or delete or truncate on fee_rules execute function terms_changed();
create trigger terms_changed after insert or update or delete or truncate on exchange_rates execute function terms_changed();
