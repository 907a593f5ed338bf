-- On Citus a cell's table has a number behind its name, in triggers too: removal was refused there.
create or replace function refuse_deletion() returns trigger language plpgsql as $$
begin
  if regexp_replace(tg_table_name, '_\d+$', '')
    <> coalesce(current_setting('munshi.removes', true), '') then
    raise exception '% is append-only', tg_table_name;
  end if;
  if not exists (
    select from orders
    where order_id = old.order_id
      and status in ('Completed', 'Rejected', 'Expired', 'CancelledTimeout', 'Cancelled',
        'CancelledAuto', 'Confirmed')) then
    raise exception 'the order % is not over', old.order_id;
  end if;
  return old;
end $$;
