import type { ActiveOrSuspended, Instant } from '@munshi/core';
import type { Queryable } from '../db.ts';
import { type Row, time } from '../rows.ts';
import { execute, query, statement } from '../statement.ts';
import type { PersonKind } from './sessions.ts';

/** Links by which somebody chooses a new password. */

export interface RecoveryLink {
  readonly linkId: string;
  /** SHA-256 of the token, which is never stored. */
  readonly tokenHash: Buffer;
  readonly kind: PersonKind;
  readonly principalId: string;
  readonly madeBy: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

const DELETE_UNUSED = statement(
  'delete-unused-recovery-links',
  `delete from recovery_links
   where principal_id = $1 and used_at is null`,
);
const INSERT = statement(
  'insert-recovery-link',
  `insert into recovery_links (
     link_id, token_hash, principal_kind, principal_id, made_by, created_at, expires_at
   )
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (principal_id) where used_at is null do update
   set link_id = excluded.link_id,
     token_hash = excluded.token_hash,
     principal_kind = excluded.principal_kind,
     made_by = excluded.made_by,
     created_at = excluded.created_at,
     expires_at = excluded.expires_at`,
);

/** A new link, in place of one that was not used, or is made at the same moment. */
export async function putRecoveryLink(db: Queryable, link: RecoveryLink): Promise<void> {
  await execute(db, INSERT, [
    link.linkId,
    link.tokenHash,
    link.kind,
    link.principalId,
    link.madeBy,
    time(link.createdAt),
    time(link.expiresAt),
  ]);
}

/** Voids somebody's link. */
export async function deleteUnusedLinks(db: Queryable, principalId: string): Promise<void> {
  await execute(db, DELETE_UNUSED, [principalId]);
}

/** Whose link it is, and how they stand. */
export interface FoundLink {
  readonly linkId: string;
  readonly principalId: string;
  readonly username: string;
  readonly name: string;
  readonly status: ActiveOrSuspended;
  readonly expiresAt: Instant;
  readonly used: boolean;
  /** Somebody who has no password yet. */
  readonly invitation: boolean;
}

const readLink = (row: Row): FoundLink => ({
  linkId: row['link_id'],
  principalId: row['principal_id'],
  username: row['username'],
  name: row['name'],
  status: row['status'],
  expiresAt: row['expires_at'],
  used: row['used_at'] !== null,
  invitation: row['invitation'],
});

const FIND = {
  operator: statement(
    'find-operator-recovery',
    `select l.link_id, l.principal_id, l.expires_at, l.used_at, p.username, p.name, p.status,
       false as invitation
     from recovery_links l
     join operators p on p.operator_id = l.principal_id
     where l.token_hash = $1 and l.principal_kind = 'operator'`,
  ),
  member: statement(
    'find-member-recovery',
    `select l.link_id, l.principal_id, l.expires_at, l.used_at, p.username, p.name, p.status,
       false as invitation
     from recovery_links l
     join members p on p.member_id = l.principal_id
     where l.token_hash = $1 and l.principal_kind = 'member'`,
  ),
  portal: statement(
    'find-portal-recovery',
    `select l.link_id, l.principal_id, l.expires_at, l.used_at, p.username, p.name, p.status,
       p.password_hash is null as invitation
     from recovery_links l
     join portal_users p on p.portal_user_id = l.principal_id
     where l.token_hash = $1 and l.principal_kind = 'portal'`,
  ),
};

export async function findRecoveryLink(
  db: Queryable,
  kind: RecoveryLink['kind'],
  tokenHash: Buffer,
): Promise<FoundLink | undefined> {
  const [row] = await query(db, FIND[kind], [tokenHash]);
  return row && readLink(row);
}

const USE = statement(
  'use-recovery-link',
  `update recovery_links
   set used_at = $2
   where link_id = $1 and used_at is null and expires_at > $2`,
);

/** Uses a link, once; answers whether it still could be. */
export async function useRecoveryLink(
  db: Queryable,
  linkId: string,
  at: Instant,
): Promise<boolean> {
  return (await execute(db, USE, [linkId, time(at)])) === 1;
}

const SET_PASSWORD = {
  operator: statement(
    'set-operator-password',
    `update operators
     set password_hash = $2
     where operator_id = $1 and status = 'active'`,
  ),
  member: statement(
    'set-member-password',
    `update members
     set password_hash = $2
     where member_id = $1 and status = 'active'`,
  ),
  portal: statement(
    'set-portal-password',
    `update portal_users
     set password_hash = $2
     where portal_user_id = $1 and status = 'active'`,
  ),
};

/** Gives somebody who is active another password; answers whether they are. */
export async function setPassword(
  db: Queryable,
  kind: RecoveryLink['kind'],
  principalId: string,
  passwordHash: string,
): Promise<boolean> {
  return (await execute(db, SET_PASSWORD[kind], [principalId, passwordHash])) === 1;
}
