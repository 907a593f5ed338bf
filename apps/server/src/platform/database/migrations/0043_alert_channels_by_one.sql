-- One admin decides alert channels and days of evidence (security.md#two-operators).
update approvals
set status = 'declined',
  note = 'Declined by the upgrade: one admin decides it now. Ask for it again.'
where status in ('pending', 'waiting')
  and (asked ->> 'endpoint' = 'POST /alert-channels/remove'
    or (asked ->> 'endpoint' = 'PATCH /settings'
      and request ? 'evidenceDays'
      and request - 'evidenceDays' - 'evidenceDaysBefore' = '{}'));
