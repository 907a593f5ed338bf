-- The rule of new accounts (D68), behind the service's own. Not a check: it would be asked whenever an order changes an account's day.
create function refuse_long_qr_payload() returns trigger language plpgsql as $$
begin
  raise exception 'a QR payload has at most 512 bytes' using errcode = '23514';
end $$;
create trigger member_accounts_qr_payload before insert or update of qr_payload on member_accounts
  for each row when (octet_length(new.qr_payload) > 512) execute function refuse_long_qr_payload();
