import type { ActiveOrSuspended } from '@munshi/core';
import type pg from 'pg';
import { answers, orNull, type RecordOf, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { execute, query, queryOne, statement } from '../platform/database/statement.ts';

const CANDIDATE = answers({
  principalId: t.uuid,
  /** Null for operators who work by script token alone. */
  passwordHash: orNull(t.text),
  status: t.oneOf<ActiveOrSuspended>(),
});
/** Who signs in with a username: what is needed to check the password. */
export type SignInCandidate = RecordOf<typeof CANDIDATE>;

const byUsername = (kind: string, table: string, id: string) =>
  statement(
    `${kind}-by-username`,
    `select ${id} as principal_id, password_hash, status
     from ${table}
     where username = $1`,
    CANDIDATE,
  );
const OPERATOR_BY_USERNAME = byUsername('operator', 'operators', 'operator_id');
const PORTAL_USER_BY_USERNAME = byUsername('portal-user', 'portal_users', 'portal_user_id');
const MEMBER_BY_USERNAME = byUsername('member', 'members', 'member_id');

export const findOperatorByUsername = (db: Queryable, username: string) =>
  queryOne(db, OPERATOR_BY_USERNAME, [username]);

export const findPortalUserByUsername = (db: Queryable, username: string) =>
  queryOne(db, PORTAL_USER_BY_USERNAME, [username]);

export const findMemberByUsername = (db: Queryable, username: string) =>
  queryOne(db, MEMBER_BY_USERNAME, [username]);

const HOLD = {
  operator: statement(
    'hold-operator-password',
    // The sign-in is written to the same row.
    `select password_hash
     from operators
     where operator_id = $1
     for no key update`,
    answers({ passwordHash: orNull(t.text) }),
  ),
  member: statement(
    'hold-member-password',
    `select password_hash
     from members
     where member_id = $1
     for share`,
    answers({ passwordHash: orNull(t.text) }),
  ),
  portal: statement(
    'hold-portal-password',
    `select password_hash
     from portal_users
     where portal_user_id = $1
     for no key update`,
    answers({ passwordHash: orNull(t.text) }),
  ),
};

/**
 * The stored hash of somebody's password, which stays as it is until the transaction ends: who has
 * proven the one before is not let in after a change. Null without a password; undefined for
 * nobody.
 */
export async function holdPassword(
  client: pg.PoolClient,
  kind: keyof typeof HOLD,
  principalId: string,
): Promise<string | null | undefined> {
  const [row] = await query(client, HOLD[kind], [principalId]);
  return row?.passwordHash;
}

const UPDATE = {
  operator: statement(
    'update-operator-password',
    `update operators
     set password_hash = $3
     where operator_id = $1 and password_hash = $2`,
  ),
  member: statement(
    'update-member-password',
    `update members
     set password_hash = $3
     where member_id = $1 and password_hash = $2`,
  ),
  portal: statement(
    'update-portal-password',
    `update portal_users
     set password_hash = $3
     where portal_user_id = $1 and password_hash = $2`,
  ),
};

/** Changes a password that is still the one which was checked; answers whether it was. */
export async function updatePassword(
  db: Queryable,
  kind: keyof typeof HOLD,
  {
    principalId,
    from,
    to,
  }: { readonly principalId: string; readonly from: string | null; readonly to: string },
): Promise<boolean> {
  return (await execute(db, UPDATE[kind], [principalId, from, to])) === 1;
}
