-- What the role of the service may do stands in storage/grants.ts. The triggers below hold for every role, the owner's too.

-- Rows that only grow are not emptied either: a truncate fires no row trigger.
create trigger postings_stay before truncate on postings for each statement execute function refuse_change();
create trigger order_moves_stay before truncate on order_moves for each statement execute function refuse_change();
create trigger audit_log_stay before truncate on audit_log for each statement execute function refuse_change();

-- The version is raised by whatever changes the terms, with the owner's right: the service itself only reads it.
do $$
begin
  execute format('alter function terms_changed() security definer set search_path = %I, pg_temp', current_schema());
end $$;
