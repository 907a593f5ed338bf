import { answers, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { query, statement } from '../platform/database/statement.ts';

const NAMES = statement(
  'names-of-ids',
  `select merchant_id::text as id, name from merchants where merchant_id = any($1)
   union all
   select member_id::text, name from members where member_id = any($1)
   union all
   select operator_id::text, name from operators where operator_id = any($1)
   union all
   select portal_user_id::text, name from portal_users where portal_user_id = any($1)
   union all
   select order_id::text, order_reference from orders where order_id = any($1)
   union all
   select c.claim_id::text, o.order_reference
   from late_claims c
   join orders o on o.order_id = c.order_id and o.merchant_id = c.merchant_id
   where c.claim_id = any($1)
   union all
   select account_id::text, account_title || ' …' || right(account_number, 4)
   from member_accounts
   where account_id = any($1)
   union all
   select key_id::text, prefix || '…' from api_keys where key_id = any($1)`,
  answers({ id: t.text, name: t.text }),
);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** How people call what these are the ids of; what is none, or has no name, is left out. */
export async function readNames(
  db: Queryable,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const asked = [...new Set(ids)].filter((id) => UUID.test(id));
  if (asked.length === 0) return new Map();
  const rows = await query(db, NAMES, [asked]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
