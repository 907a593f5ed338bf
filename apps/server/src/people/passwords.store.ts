import type { ActiveOrSuspended } from '@munshi/core';
import type pg from 'pg';
import { answers, orNull, type RecordOf, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { execute, queryOne, statement, writes } from '../platform/database/statement.ts';
import type { PersonKind } from '../platform/sign-in/person-kinds.ts';
import { byPersonKind } from './person-tables.ts';

const CANDIDATE = answers({
  principalId: t.uuid,
  /** Null for operators who work by script token alone. */
  passwordHash: orNull(t.text),
  status: t.oneOf<ActiveOrSuspended>(),
});
/** Who signs in with a username: what is needed to check the password. */
export type SignInCandidate = RecordOf<typeof CANDIDATE>;

const FIND = byPersonKind((kind, { table, id }) =>
  statement(
    `${kind}-by-username`,
    `select ${id} as principal_id, password_hash, status
     from ${table}
     where username = $1`,
    CANDIDATE,
  ),
);

export const findByUsername = (db: Queryable, kind: PersonKind, username: string) =>
  queryOne(db, FIND[kind], [username]);

/** All but a member's sign-in are written to the same row. */
const HOLD = byPersonKind((kind, { table, id }) =>
  statement(
    `hold-${kind}-password`,
    `select password_hash
     from ${table}
     where ${id} = $1
     for ${kind === 'member' ? 'share' : 'no key update'}`,
    answers({ passwordHash: orNull(t.text) }),
  ),
);

/**
 * The stored hash of somebody's password, which stays as it is until the transaction ends: who has
 * proven the one before is not let in after a change. Null without a password; undefined for
 * nobody.
 */
export async function holdPassword(
  client: pg.PoolClient,
  kind: PersonKind,
  principalId: string,
): Promise<string | null | undefined> {
  return (await queryOne(client, HOLD[kind], [principalId]))?.passwordHash;
}

const UPDATE = byPersonKind((kind, { table, id }) =>
  statement(
    `update-${kind}-password`,
    `update ${table}
     set password_hash = $3
     where ${id} = $1 and password_hash = $2`,
  ),
);

/** Changes a password that is still the one which was checked; answers whether it was. */
export async function updatePassword(
  db: Queryable,
  kind: PersonKind,
  {
    principalId,
    from,
    to,
  }: { readonly principalId: string; readonly from: string | null; readonly to: string },
): Promise<boolean> {
  return (await execute(db, UPDATE[kind], [principalId, from, to])) === 1;
}

const SET = byPersonKind((kind, { table, id }) =>
  statement(
    `set-${kind}-password`,
    `update ${table}
     set password_hash = $2
     where ${id} = $1 and status = 'active'`,
  ),
);

/** Gives somebody who is active another password; answers whether they are. */
export async function setPassword(
  db: Queryable,
  kind: PersonKind,
  principalId: string,
  passwordHash: string,
): Promise<boolean> {
  return (await execute(db, SET[kind], [principalId, passwordHash])) === 1;
}

/** An operator has no password until one is chosen by a link. */
export const forgetPassword = writes(
  'forget-operator-password',
  `update operators
   set password_hash = null
   where operator_id = $1`,
  (operatorId: string) => [operatorId],
);
