import { type Instant, ON_SERVER } from '@munshi/core';
import { fallApprovals } from '../engine/rows/approvals.ts';
import { answers, only, orNull, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { query, queryOne, statement, writes } from '../platform/database/statement.ts';
import type { PersonKind } from '../platform/sign-in/person-kinds.ts';
import { byPersonKind } from './person-tables.ts';
import { deleteGivenTokens } from './sessions.store.ts';

/**
 * Who last gave a person a way to sign in: an operator who was made on the server. What an operator
 * gives whom another has let in, that other one gives.
 */

export interface Giver {
  readonly kind: 'operator' | 'portal';
  readonly id: string;
}

const SET = byPersonKind((kind, { table, id }) =>
  statement(
    `set-${kind}-giver`,
    `with giver as (
       select case
         when $3::boolean then (
           select credential_by
           from portal_users
           where portal_user_id = $4::uuid
         )
         else coalesce(
           (
             select credential_by
             from operators
             where operator_id::text = $2::text
           ),
           nullif($2::text, '${ON_SERVER}')
         )
       end as id
     ),
     before as (
       select credential_by
       from ${table}
       where ${id} = $1
       for update
     )
     update ${table}
     set credential_by = giver.id
     from giver, before
     where ${id} = $1
     returning before.credential_by <> coalesce(giver.id, '') as replaced`,
    only('replaced', orNull(t.boolean)),
  ),
);

/**
 * Writes down who gives this person a password, a token, a link, or the mailbox that links go to:
 * an operator, or through another person of the merchant the operator who let that one in. Nobody
 * for what the command line gives. Where it was another operator before, the tokens that an operator
 * got from that one end, and what was asked for meanwhile has fallen: that one could approve it.
 */
export async function setGiver(
  db: Queryable,
  kind: PersonKind,
  principalId: string,
  giver: Giver,
): Promise<void> {
  const byPerson = giver.kind === 'portal';
  const values = [principalId, giver.id, byPerson, byPerson ? giver.id : null];
  const replaced = await queryOne(db, SET[kind], values);
  if (kind !== 'operator' || replaced !== true) return;
  await deleteGivenTokens(db, principalId);
  await fallApprovals(db, principalId);
}

/**
 * A member has used a recovery link, or was given a password: what they hold since before is not
 * theirs alone to confirm.
 */
export const setRecovered = writes(
  'set-member-recovered',
  `update members
   set recovered_at = $2
   where member_id = $1`,
  (memberId: string, at: Instant) => [memberId, time(at)],
);

const GIVERS = statement(
  'givers',
  `select operator_id as id, null::uuid as merchant_id, credential_by
   from operators
   where operator_id::text = any($1::text[])
   union all
   select member_id, null::uuid, credential_by
   from members
   where member_id::text = any($1::text[])
   union all
   select portal_user_id, merchant_id, credential_by
   from portal_users
   where portal_user_id::text = any($1::text[])
     or (merchant_id::text = any($2::text[]) and role = 'admin' and status = 'active')`,
  answers({ id: t.uuid, merchantId: orNull(t.uuid), credentialBy: orNull(t.text) }),
);

/** Who gave these people a way to sign in, and of these merchants the admins, invited ones too. */
export async function readGivers(
  db: Queryable,
  people: readonly string[],
  merchantIds: readonly string[],
) {
  const rows = await query(db, GIVERS, [people, merchantIds]);
  return {
    people: new Map(rows.map(({ id, credentialBy }) => [id, credentialBy])),
    adminsOf: (merchantId: string) =>
      rows.filter((row) => row.merchantId === merchantId).map(({ credentialBy }) => credentialBy),
  };
}

/** The operator who stands for what another does: who let that one in, or that one. */
export async function readOrigin(db: Queryable, operatorId: string): Promise<string> {
  const { people } = await readGivers(db, [operatorId], []);
  return people.get(operatorId) ?? operatorId;
}
