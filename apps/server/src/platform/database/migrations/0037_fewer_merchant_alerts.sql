-- Merchants are alerted to failing receivers and a low balance alone, by mail and in the portal. The
-- next version drops alert_url, refused_requests and failed_orders, which only the version before
-- this one reads; until then rows are written without them.
alter table merchant_alert_settings alter column failed_orders set default false;
