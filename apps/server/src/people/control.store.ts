import {
  askerOf,
  type Control,
  CREDENTIAL_ACTIONS,
  type CredentialEntry,
  controlFrom,
  OPERATOR_CREDENTIAL_ACTIONS,
} from '@munshi/core';
import { answers, orNull, type RecordOf, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { query, unprepared } from '../platform/database/statement.ts';

const ENTRY = {
  target: t.text,
  action: t.oneOf<CredentialEntry['action']>(),
  actorId: orNull(t.text),
  detail: t.json<CredentialEntry['detail']>(),
  at: t.instant,
};

/** Operators are some tens, and the acts about them some hundreds: they are read whole. */
const CREDENTIALS = unprepared(
  'credentials',
  `select audit_id, target, action, actor_id, detail, at
   from audit_log
   where action = any($2)
   union
   select audit_id, target, action, actor_id, detail, at
   from audit_log
   where target = any($1) and action = any($3)
   order by audit_id`,
  answers({ auditId: t.uuid, ...ENTRY }),
);

/**
 * Who controls these members and people of merchants, who controls those, and so on, and all
 * operators.
 */
export async function readControl(db: Queryable, people: readonly string[] = []): Promise<Control> {
  const asked = new Set(people);
  for (;;) {
    const values = [[...asked], OPERATOR_CREDENTIAL_ACTIONS, CREDENTIAL_ACTIONS];
    const entries = (await query(db, CREDENTIALS, values)).map(entryOf);
    const read = new Set([...asked, ...entries.map(({ target }) => target)]);
    const unread = entries
      .filter(({ target }) => asked.has(target))
      .map(askerOf)
      .filter((id) => !read.has(id));
    if (unread.length === 0) return controlFrom(entries);
    for (const id of unread) asked.add(id);
  }
}

const MERCHANT_ACT = answers(ENTRY);
const MERCHANT_ACTS = unprepared(
  'merchant-acts',
  `select target, action, actor_id, detail, at
   from audit_log
   where target = $1::text and action = any($2)
   union all
   select target, action, actor_id, detail, at
   from audit_log
   where target in (select portal_user_id::text from portal_users where merchant_id = $1::text::uuid)
     and action = any($3)`,
  MERCHANT_ACT,
);
const KEY_ACTIONS = ['api-key.create', 'api-key.regenerate'];

/** Who has ever had a key of a merchant, or given one of its people a way to sign in. */
export async function readMerchantActors(
  db: Queryable,
  merchantId: string,
): Promise<readonly string[]> {
  const values = [merchantId, KEY_ACTIONS, CREDENTIAL_ACTIONS];
  return [...new Set((await query(db, MERCHANT_ACTS, values)).map(entryOf).map(askerOf))];
}

function entryOf({ actorId, ...entry }: RecordOf<typeof MERCHANT_ACT>): CredentialEntry {
  return { ...entry, actor: { id: actorId } };
}
