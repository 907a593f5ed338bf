-- no transaction
create index concurrently audit_log_of_address on audit_log (address, audit_id);
