-- A batch holds the terms that it is decided by (shared, until it commits), and whoever changes them takes hold of them alone, as the last thing
-- before its own commit: when a revocation or a suspension is answered, nothing that was decided without it can be committed any more
-- (D69). An advisory lock is fair where a share of the row is not: those who come after a waiting writer wait behind it.
--
-- A batch whose process is frozen holds on until the database ends its session. The writer lets the other batches pass meanwhile, and is
-- told to try again where that takes too long.
create function terms_held() returns trigger language plpgsql as $$
begin
  for attempt in 1..20 loop
    begin
      set local lock_timeout = '500ms';
      perform pg_advisory_xact_lock(hashtext('munshi terms'));
      return null;
    exception when lock_not_available then
      perform pg_sleep(0.25);
    end;
  end loop;
  raise exception 'the terms are held by a batch that does not end' using errcode = 'insufficient_resources';
end $$;

create constraint trigger terms_held after update on terms_version deferrable initially deferred for each row execute function terms_held();
