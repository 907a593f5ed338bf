import { type Instant, NOTICE_ACTIONS, type NoticeAction } from '@munshi/core';
import { AUDIT_ENTRY } from '../engine/rows/audit.ts';
import { columns, from, t } from '../platform/database/columns.ts';
import { firstIdOf } from '../platform/database/first-id.ts';
import { readsAll } from '../platform/database/statement.ts';

const { auditId, at, detail } = AUDIT_ENTRY;
const NOTICE = columns('', {
  auditId,
  at,
  name: from(`coalesce(actor_name, actor_id, actor_kind)`, t.text),
  action: t.oneOf<NoticeAction>(),
  detail,
});

/** What other operators than this one have decided alone since then, the newest first. */
export const listNotices = readsAll(
  'list-notices',
  `select ${NOTICE.list}
   from audit_log
   where action = any($1)
     and audit_id >= $2
     and actor_id is distinct from $3
     and (
       action <> 'settings.update'
       or (detail ->> 'evidenceDays')::int < (detail ->> 'evidenceDaysBefore')::int
     )
   order by audit_id desc
   limit 20`,
  NOTICE,
  (since: Instant, operatorId: string) => [NOTICE_ACTIONS, firstIdOf(since), operatorId],
);
