-- 0039 followed the way back to whoever let a person in by one step only, and took a person's own
-- change of their e-mail address for a step. It goes on to the first operator whom no other let in.
create table givers (person text primary key, credential_by text);
insert into givers
with recursive given as not materialized (
  select audit_id, target, coalesce(detail ->> 'requestedBy', actor_id) as giver
  from audit_log
  where coalesce(detail ->> 'requestedBy', actor_id) <> target
    and (action in ('operator.create', 'operator.recovery-link', 'operator.token',
        'operator.one-time-code-remove', 'member.create', 'member.recovery-link',
        'portal-user.create', 'portal-user.invite', 'portal-user.invitation',
        'portal-user.recovery-link')
      or (action in ('operator.update', 'member.identity')
        and detail ->> 'fields' ~ 'password')
      or (action = 'portal-user.update' and detail ->> 'fields' ~ 'password|email'))
),
way as (
  select target as person, giver, audit_id
  from (
    select distinct on (target) target, giver, audit_id
    from given
    order by target, audit_id desc
  ) newest
  union all
  -- who had let the giver in by then
  select way.person, earlier.giver, earlier.audit_id
  from way
  cross join lateral (
    select giver, audit_id
    from given
    where given.target = way.giver and given.audit_id < way.audit_id
    order by audit_id desc
    limit 1
  ) earlier
  where earlier.giver <> 'server'
)
select distinct on (person) person, nullif(giver, 'server')
from way
order by person, audit_id;
update operators o
set credential_by = g.credential_by
from givers g, givers halfway
where g.person = o.operator_id::text
  and halfway.person = o.credential_by
  and halfway.credential_by is not null;
update members m
set credential_by = g.credential_by
from givers g, givers halfway
where g.person = m.member_id::text
  and halfway.person = m.credential_by
  and halfway.credential_by is not null;
update portal_users u
set credential_by = g.credential_by
from givers g, givers halfway
where g.person = u.portal_user_id::text
  and halfway.person = u.credential_by
  and halfway.credential_by is not null;
drop table givers;

-- Merchants are alerted to new keys.
alter table merchant_alerts drop constraint merchant_alerts_kind_check;
alter table merchant_alerts add constraint merchant_alerts_kind_check check (kind in (
  'webhook-failing', 'low-balance', 'key-made', 'many-failures', 'many-refusals', 'test')) not valid;
alter table merchant_alerts validate constraint merchant_alerts_kind_check;
