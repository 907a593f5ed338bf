import type { ActiveOrSuspended } from '@munshi/core';
import type pg from 'pg';
import { answers, orNull, t } from '../columns.ts';
import type { Queryable } from '../db.ts';
import { execute, query, type Statement, statement } from '../statement.ts';

/** Who signs in with a username: what is needed to check the password. */
export interface SignInCandidate {
  readonly principalId: string;
  /** Null for operators who work by script token alone. */
  readonly passwordHash: string | null;
  readonly status: ActiveOrSuspended;
}

interface CandidateRow {
  readonly id: string;
  readonly passwordHash: string | null;
  readonly status: ActiveOrSuspended;
}

const OPERATOR_BY_USERNAME = statement<CandidateRow>(
  'operator-by-username',
  `select operator_id as id, password_hash, status
   from operators
   where username = $1`,
);

const PORTAL_USER_BY_USERNAME = statement<CandidateRow>(
  'portal-user-by-username',
  `select portal_user_id as id, password_hash, status
   from portal_users
   where username = $1`,
);

const MEMBER_BY_USERNAME = statement<CandidateRow>(
  'member-by-username',
  `select member_id as id, password_hash, status
   from members
   where username = $1`,
);

async function findByUsername(
  db: Queryable,
  find: Statement<CandidateRow>,
  username: string,
): Promise<SignInCandidate | undefined> {
  const [row] = await query(db, find, [username]);
  return row && { principalId: row.id, passwordHash: row.passwordHash, status: row.status };
}

export const findOperatorByUsername = (db: Queryable, username: string) =>
  findByUsername(db, OPERATOR_BY_USERNAME, username);

export const findPortalUserByUsername = (db: Queryable, username: string) =>
  findByUsername(db, PORTAL_USER_BY_USERNAME, username);

export const findMemberByUsername = (db: Queryable, username: string) =>
  findByUsername(db, MEMBER_BY_USERNAME, username);

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
