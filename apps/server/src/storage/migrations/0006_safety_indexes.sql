-- no transaction
create index concurrently if not exists audit_log_of_address on audit_log (address, audit_id);
