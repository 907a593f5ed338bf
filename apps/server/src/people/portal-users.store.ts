import type { Instant, PortalUser } from '@munshi/core';
import { answers, columns, from, orNull, type RecordOf, t } from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import {
  execute,
  lists,
  type Page,
  query,
  queryOne,
  readsAll,
  readsOne,
  statement,
  writes,
} from '../platform/database/statement.ts';
import { signInPlace } from './sessions.store.ts';

/** The people of merchants who sign in to the portal. */

const PORTAL_USER = columns('u', {
  portalUserId: t.uuid,
  merchantId: t.uuid,
  username: t.text,
  name: t.text,
  role: t.oneOf<PortalUser['role']>(),
  status: t.oneOf<PortalUser['status']>(),
  createdAt: t.instant,
  /** Where links are sent to. */
  email: orNull(t.text),
  /** Has no password yet. */
  invited: from('u.password_hash is null', t.boolean),
  /** Until when the link of somebody invited is good; null: they have a password. */
  invitedUntil: from(
    `case when u.password_hash is null then coalesce(
       (
         select l.expires_at
         from recovery_links l
         where l.principal_id = u.portal_user_id and l.used_at is null
       ),
       u.created_at
     ) end`,
    orNull(t.instant),
  ),
  hasOneTimeCode: from(
    `exists (
       select from portal_codes c
       where c.portal_user_id = u.portal_user_id and c.confirmed_at is not null
     )`,
    t.boolean,
  ),
  lastSignIn: signInPlace('u', 'last_sign_in'),
});
export type PortalUserRecord = RecordOf<typeof PORTAL_USER>;

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
  `select ${PORTAL_USER.list}
   from portal_users u
   where u.portal_user_id = $1`,
  PORTAL_USER,
);

export async function findPortalUser(
  db: Queryable,
  portalUserId: string,
): Promise<PortalUserRecord | undefined> {
  return queryOne(db, FIND, [portalUserId]);
}

/** As it is until the transaction ends. */
export const lockPortalUser = readsOne(
  'lock-portal-user',
  `${FIND.text}
   for no key update of u`,
  PORTAL_USER,
  (portalUserId: string) => [portalUserId],
);

/** Null leaves the password as it is. */
export const updatePortalUser = writes(
  'update-portal-user',
  `update portal_users
   set name = $2,
     email = $3,
     role = $4,
     status = $5,
     password_hash = coalesce($6, password_hash)
   where portal_user_id = $1`,
  ({ portalUserId, name, email, role, status }: PortalUserRecord, passwordHash: string | null) => [
    portalUserId,
    name,
    email,
    role,
    status,
    passwordHash,
  ],
);

/** Of a merchant, the newest first. */
export const listPortalUsers = lists(
  'list-portal-users',
  `select ${PORTAL_USER.list}
   from portal_users u
   where u.merchant_id = $1
     and ($2::uuid is null or u.portal_user_id < $2)
   order by u.portal_user_id desc
   limit $3`,
  PORTAL_USER,
  ({ merchantId, after, limit }: Page & { readonly merchantId: string }) => [
    merchantId,
    after,
    limit,
  ],
);

const COUNT = statement(
  'count-portal-users',
  `select count(*)::integer as people
   from portal_users
   where merchant_id = $1
     and status = 'active'`,
  answers({ people: t.integer }),
);

/** Of a merchant, who are not suspended, invited ones too. */
export async function countPortalUsers(db: Queryable, merchantId: string): Promise<number> {
  return (await queryOne(db, COUNT, [merchantId]))?.people ?? 0;
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

const ADMINS = statement(
  'portal-admins',
  `select portal_user_id
   from portal_users
   where merchant_id = $1
     and role = 'admin'
     and status = 'active'
     and password_hash is not null
   order by portal_user_id`,
  answers({ portalUserId: t.uuid }),
);
const LOCK_ADMINS = statement(
  'lock-portal-admins',
  `${ADMINS.text}
   for no key update`,
  answers({ portalUserId: t.uuid }),
);

/** The admins of a merchant who can sign in. */
export async function readPortalAdmins(
  db: Queryable,
  merchantId: string,
): Promise<readonly string[]> {
  return (await query(db, ADMINS, [merchantId])).map(({ portalUserId }) => portalUserId);
}

/** Those of them who have one-time codes. */
export const listAdminsWithCodes = readsAll(
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
  answers({ portalUserId: t.uuid, name: t.text }),
  (merchantId: string) => [merchantId],
);

/** The admins who can sign in, who stay so until the transaction ends. */
export async function lockPortalAdmins(
  db: Queryable,
  merchantId: string,
): Promise<readonly string[]> {
  return (await query(db, LOCK_ADMINS, [merchantId])).map(({ portalUserId }) => portalUserId);
}

const ACCESS = columns('u', {
  portalUserId: t.uuid,
  username: t.text,
  /** Without a password yet. */
  invited: from('u.password_hash is null', t.boolean),
  /** A link for them is good. */
  hasLink: from(
    `exists (
       select from recovery_links l
       where l.principal_id = u.portal_user_id and l.used_at is null and l.expires_at > $2
     )`,
    t.boolean,
  ),
});
/** An admin of a merchant, and how they can sign in. */
export type AdminAccess = RecordOf<typeof ACCESS>;

/** The admins of a merchant, invited ones too, by name. */
export const readAdminAccess = readsAll(
  'portal-admin-access',
  `select ${ACCESS.list}
   from portal_users u
   where u.merchant_id = $1 and u.role = 'admin' and u.status = 'active'
   order by u.username`,
  ACCESS,
  (merchantId: string, now: Instant) => [merchantId, time(now)],
);
