import type { ChangePortalUser } from '@munshi/api';
import type { Instant, PortalUser } from '@munshi/core';
import {
  answers,
  assignments,
  columns,
  from,
  insertion,
  only,
  orNull,
  parameters,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import { time } from '../platform/database/rows.ts';
import {
  lists,
  PAGE,
  readsAll,
  readsOne,
  readsRow,
  writes,
  writesOne,
} from '../platform/database/statement.ts';
import { signInPlace } from './sessions.store.ts';

/** The people of merchants who sign in to the portal. */

/** What can be changed of one, besides the password. */
const CHANGEABLE = {
  name: t.text,
  /** Where links are sent to. */
  email: orNull(t.text),
  role: t.oneOf<PortalUser['role']>(),
  status: t.oneOf<PortalUser['status']>(),
} satisfies Record<Exclude<keyof ChangePortalUser, 'password'>, unknown>;

const PORTAL_USER = columns('u', {
  portalUserId: t.uuid,
  merchantId: t.uuid,
  username: t.text,
  ...CHANGEABLE,
  createdAt: t.instant,
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
  /** The operator who last gave them a password or link, or let in the person who did. */
  credentialBy: orNull(t.text),
});
export type PortalUserRecord = RecordOf<typeof PORTAL_USER>;

const { status: _, ...FIRST } = CHANGEABLE;
const NEW = insertion('portal_users', {
  portalUserId: t.uuid,
  merchantId: t.uuid,
  username: t.text,
  ...FIRST,
  passwordHash: orNull(t.text),
  createdAt: t.instant,
});

/** With null for a password they are invited. Throws 23505 when the username is taken. */
export const insertPortalUser = writes('insert-portal-user', NEW.into, NEW.valuesOf);

const FIND = `select ${PORTAL_USER.list}
   from portal_users u
   where u.portal_user_id = $1`;

export const findPortalUser = readsOne(
  'find-portal-user',
  FIND,
  PORTAL_USER,
  (portalUserId: string) => [portalUserId],
);

/** As it is until the transaction ends. */
export const lockPortalUser = readsOne(
  'lock-portal-user',
  `${FIND}
   for no key update of u`,
  PORTAL_USER,
  (portalUserId: string) => [portalUserId],
);

const CHANGES = assignments(CHANGEABLE);

/** Null leaves the password as it is. */
export const updatePortalUser = writes(
  'update-portal-user',
  `update portal_users
   set ${CHANGES.set},
     password_hash = coalesce($${CHANGES.next}, password_hash)
   where portal_user_id = $${CHANGES.next + 1}`,
  (user: PortalUserRecord, passwordHash: string | null) => [
    ...CHANGES.valuesOf(user),
    passwordHash,
    user.portalUserId,
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
  parameters({ merchantId: t.uuid, ...PAGE }),
);

/** Of a merchant, who are not suspended, invited ones too. */
export const countPortalUsers = readsRow(
  'count-portal-users',
  `select count(*)::integer as people
   from portal_users
   where merchant_id = $1
     and status = 'active'`,
  only('people', t.integer),
  (merchantId: string) => [merchantId],
);

/** Forgets somebody who has never come; answers whether they were such a one. */
export const deleteInvited = writesOne(
  'delete-invited-portal-user',
  `delete from portal_users
   where portal_user_id = $1 and password_hash is null`,
  (portalUserId: string) => [portalUserId],
);

const ADMINS = `select portal_user_id
   from portal_users
   where merchant_id = $1
     and role = 'admin'
     and status = 'active'
     and password_hash is not null
   order by portal_user_id`;

/** The admins of a merchant who can sign in. */
export const readPortalAdmins = readsAll(
  'portal-admins',
  ADMINS,
  only('portalUserId', t.uuid),
  (merchantId: string) => [merchantId],
);

/** Those of these merchants who have one-time codes, and who gave each a way to sign in. */
export const listAdminsWithCodes = readsAll(
  'portal-admins-with-codes',
  `select merchant_id, credential_by
   from portal_users
   join portal_codes using (portal_user_id)
   where merchant_id = any($1::uuid[])
     and role = 'admin'
     and status = 'active'
     and password_hash is not null
     and confirmed_at is not null`,
  answers({ merchantId: t.uuid, credentialBy: orNull(t.text) }),
  (merchantIds: readonly string[]) => [merchantIds],
);

/** The admins who can sign in, who stay so until the transaction ends. */
export const lockPortalAdmins = readsAll(
  'lock-portal-admins',
  `${ADMINS}
   for no key update`,
  only('portalUserId', t.uuid),
  (merchantId: string) => [merchantId],
);

const ACCESS = columns('u', {
  portalUserId: t.uuid,
  username: t.text,
  credentialBy: orNull(t.text),
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
