import type { PortalUser } from '@munshi/core';
import type { Queryable } from './db.ts';
import { type Row, time } from './rows.ts';
import { placeOf, type SignInPlace } from './sessions.ts';
import { execute, type Page, query, statement, unprepared } from './statement.ts';

/** The people of merchants who sign in to the portal. */

export interface PortalUserRecord extends PortalUser {
  readonly lastSignIn: SignInPlace | null;
}

const COLUMNS = `portal_user_id, merchant_id, username, name, role, status, created_at,
     last_sign_in_at, last_sign_in_address`;

const readUser = (row: Row): PortalUserRecord => ({
  portalUserId: row['portal_user_id'],
  merchantId: row['merchant_id'],
  username: row['username'],
  name: row['name'],
  role: row['role'],
  status: row['status'],
  createdAt: row['created_at'],
  lastSignIn: placeOf(row['last_sign_in_at'], row['last_sign_in_address']),
});

const INSERT = statement(
  'insert-portal-user',
  `insert into portal_users (
     portal_user_id, merchant_id, username, name, role, password_hash, created_at
   )
   values ($1, $2, $3, $4, $5, $6, $7)`,
);

/** Throws 23505 when the username is taken. */
export async function insertPortalUser(
  db: Queryable,
  user: Omit<PortalUser, 'status'> & { readonly passwordHash: string },
): Promise<void> {
  const { portalUserId, merchantId, username, name, role, passwordHash, createdAt } = user;
  const values = [portalUserId, merchantId, username, name, role, passwordHash, time(createdAt)];
  await execute(db, INSERT, values);
}

const FIND = statement(
  'find-portal-user',
  `select ${COLUMNS}
   from portal_users
   where portal_user_id = $1`,
);
const LOCK = statement(
  'lock-portal-user',
  `${FIND.text}
   for no key update`,
);

export async function findPortalUser(
  db: Queryable,
  portalUserId: string,
): Promise<PortalUserRecord | undefined> {
  const [row] = await query(db, FIND, [portalUserId]);
  return row && readUser(row);
}

/** As it is until the transaction ends. */
export async function lockPortalUser(
  db: Queryable,
  portalUserId: string,
): Promise<PortalUserRecord | undefined> {
  const [row] = await query(db, LOCK, [portalUserId]);
  return row && readUser(row);
}

const UPDATE = statement(
  'update-portal-user',
  `update portal_users
   set name = $2,
     role = $3,
     status = $4,
     password_hash = coalesce($5, password_hash)
   where portal_user_id = $1`,
);

/** Null leaves the password as it is. */
export async function updatePortalUser(
  db: Queryable,
  { portalUserId, name, role, status }: PortalUser,
  passwordHash: string | null,
): Promise<void> {
  await execute(db, UPDATE, [portalUserId, name, role, status, passwordHash]);
}

const LIST = unprepared(
  'list-portal-users',
  `select ${COLUMNS}
   from portal_users
   where merchant_id = $1
     and ($2::uuid is null or portal_user_id < $2)
   order by portal_user_id desc
   limit $3`,
);

/** Of a merchant, the newest first. */
export async function listPortalUsers(
  db: Queryable,
  { merchantId, after, limit }: Page & { readonly merchantId: string },
): Promise<readonly PortalUserRecord[]> {
  return (await query(db, LIST, [merchantId, after, limit])).map(readUser);
}
