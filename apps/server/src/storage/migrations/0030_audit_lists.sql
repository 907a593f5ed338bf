-- The audit log is kept for ever: what is asked for by a filter is found by it, the newest first, however many entries there are of others.
create index audit_log_of_target on audit_log (target, audit_id);
create index audit_log_of_actor on audit_log (actor_id, audit_id);
create index audit_log_of_action on audit_log (action, audit_id);
