import type { Instant, PortalUser } from '@munshi/core';
import type { Queryable } from '../db.ts';
import { type Row, time } from '../rows.ts';
import { execute, type Page, query, statement, unprepared } from '../statement.ts';
import { placeOf, type SignInPlace } from './sessions.ts';

/** The people of merchants who sign in to the portal. */

export interface PortalUserRecord extends PortalUser {
  /** Where links are sent to. */
  readonly email: string | null;
  /** Has no password yet. */
  readonly invited: boolean;
  /** Until when the link of somebody invited is good; null: they have a password. */
  readonly invitedUntil: Instant | null;
  readonly hasOneTimeCode: boolean;
  readonly lastSignIn: SignInPlace | null;
}

const COLUMNS = `u.portal_user_id, u.merchant_id, u.username, u.name, u.email, u.role, u.status,
     u.created_at, u.last_sign_in_at, u.last_sign_in_address, u.password_hash is null as invited,
     (
       select l.expires_at
       from recovery_links l
       where l.principal_id = u.portal_user_id and l.used_at is null
     ) as link_until,
     exists (
       select from portal_codes c
       where c.portal_user_id = u.portal_user_id and c.confirmed_at is not null
     ) as has_one_time_code`;

const readUser = (row: Row): PortalUserRecord => ({
  portalUserId: row['portal_user_id'],
  merchantId: row['merchant_id'],
  username: row['username'],
  name: row['name'],
  email: row['email'],
  role: row['role'],
  status: row['status'],
  createdAt: row['created_at'],
  invited: row['invited'],
  invitedUntil: row['invited'] ? (row['link_until'] ?? row['created_at']) : null,
  hasOneTimeCode: row['has_one_time_code'],
  lastSignIn: placeOf(row['last_sign_in_at'], row['last_sign_in_address']),
});

const INSERT = statement(
  'insert-portal-user',
  `insert into portal_users (
     portal_user_id, merchant_id, username, name, email, role, password_hash, created_at
   )
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
);

/** With null for a password they are invited. Throws 23505 when the username is taken. */
export async function insertPortalUser(
  db: Queryable,
  user: Omit<PortalUser, 'status'> & Pick<PortalUserRecord, 'email'>,
  passwordHash: string | null,
): Promise<void> {
  const { portalUserId, merchantId, username, name, email, role, createdAt } = user;
  const who = [portalUserId, merchantId, username, name, email, role];
  await execute(db, INSERT, [...who, passwordHash, time(createdAt)]);
}

const FIND = statement(
  'find-portal-user',
  `select ${COLUMNS}
   from portal_users u
   where u.portal_user_id = $1`,
);
const LOCK = statement(
  'lock-portal-user',
  `${FIND.text}
   for no key update of u`,
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
     email = $3,
     role = $4,
     status = $5,
     password_hash = coalesce($6, password_hash)
   where portal_user_id = $1`,
);

/** Null leaves the password as it is. */
export async function updatePortalUser(
  db: Queryable,
  { portalUserId, name, email, role, status }: PortalUserRecord,
  passwordHash: string | null,
): Promise<void> {
  await execute(db, UPDATE, [portalUserId, name, email, role, status, passwordHash]);
}

const LIST = unprepared(
  'list-portal-users',
  `select ${COLUMNS}
   from portal_users u
   where u.merchant_id = $1
     and ($2::uuid is null or u.portal_user_id < $2)
   order by u.portal_user_id desc
   limit $3`,
);

/** Of a merchant, the newest first. */
export async function listPortalUsers(
  db: Queryable,
  { merchantId, after, limit }: Page & { readonly merchantId: string },
): Promise<readonly PortalUserRecord[]> {
  return (await query(db, LIST, [merchantId, after, limit])).map(readUser);
}

const DELETE_INVITED = statement(
  'delete-invited-portal-user',
  `delete from portal_users
   where portal_user_id = $1 and password_hash is null`,
);

/** Forgets somebody who has never come; answers whether they were such a one. */
export async function deleteInvited(db: Queryable, portalUserId: string): Promise<boolean> {
  return (await execute(db, DELETE_INVITED, [portalUserId])) === 1;
}

const ADMINS = statement<{ readonly portal_user_id: string }>(
  'portal-admins',
  `select portal_user_id
   from portal_users
   where merchant_id = $1
     and role = 'admin'
     and status = 'active'
     and password_hash is not null
   order by portal_user_id`,
);
const LOCK_ADMINS = statement<{ readonly portal_user_id: string }>(
  'lock-portal-admins',
  `${ADMINS.text}
   for no key update`,
);

/** The admins of a merchant who can sign in. */
export async function readPortalAdmins(
  db: Queryable,
  merchantId: string,
): Promise<readonly string[]> {
  return (await query(db, ADMINS, [merchantId])).map((row) => row.portal_user_id);
}

const ADMINS_WITH_CODES = statement<{ readonly portal_user_id: string; readonly name: string }>(
  'portal-admins-with-codes',
  `select portal_user_id, name
   from portal_users
   join portal_codes using (portal_user_id)
   where merchant_id = $1
     and role = 'admin'
     and status = 'active'
     and password_hash is not null
     and confirmed_at is not null
   order by portal_user_id`,
);

/** Those of them who have one-time codes. */
export async function listAdminsWithCodes(
  db: Queryable,
  merchantId: string,
): Promise<readonly Pick<PortalUser, 'portalUserId' | 'name'>[]> {
  const rows = await query(db, ADMINS_WITH_CODES, [merchantId]);
  return rows.map(({ portal_user_id: portalUserId, name }) => ({ portalUserId, name }));
}

/** The admins who can sign in, who stay so until the transaction ends. */
export async function lockPortalAdmins(
  db: Queryable,
  merchantId: string,
): Promise<readonly string[]> {
  return (await query(db, LOCK_ADMINS, [merchantId])).map((row) => row.portal_user_id);
}

const ADMIN_ACCESS = statement<AdminAccess>(
  'portal-admin-access',
  `select u.portal_user_id as "portalUserId", u.username,
     u.password_hash is null as invited,
     exists (
       select from recovery_links l
       where l.principal_id = u.portal_user_id and l.used_at is null and l.expires_at > $2
     ) as "hasLink"
   from portal_users u
   where u.merchant_id = $1 and u.role = 'admin' and u.status = 'active'
   order by u.username`,
);

/** An admin of a merchant, and how they can sign in. */
export interface AdminAccess {
  readonly portalUserId: string;
  readonly username: string;
  /** Without a password yet. */
  readonly invited: boolean;
  /** A link for them is good. */
  readonly hasLink: boolean;
}

/** The admins of a merchant, invited ones too, by name. */
export async function readAdminAccess(
  db: Queryable,
  merchantId: string,
  now: Instant,
): Promise<readonly AdminAccess[]> {
  return query(db, ADMIN_ACCESS, [merchantId, time(now)]);
}
