-- What operators, members and merchants' people did since :moment: keys, people, settings, money.
select at, actor_kind, actor_name, action, target, detail
from audit_log
where at >= :'moment'::timestamptz - interval '5 seconds'
order by at, audit_id;
