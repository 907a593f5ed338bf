import type { ActiveOrSuspended, Instant } from '@munshi/core';
import {
  assignedFrom,
  columns,
  from,
  insertion,
  type RecordFrom,
  type RecordOf,
  t,
} from '../platform/database/columns.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { time } from '../platform/database/rows.ts';
import { queryOne, statement, writes, writesOne } from '../platform/database/statement.ts';
import type { PersonKind } from '../platform/sign-in/person-kinds.ts';
import { byPersonKind } from './person-tables.ts';

/** Links by which somebody chooses a new password. */

const LINK = {
  linkId: t.uuid,
  /** SHA-256 of the token, which is never stored. */
  tokenHash: t.bytes,
  kind: from('principal_kind', t.oneOf<PersonKind>()),
  madeBy: t.text,
  createdAt: t.instant,
  expiresAt: t.instant,
};
const STORED = { principalId: t.uuid, ...LINK };
export type RecoveryLink = RecordFrom<typeof STORED>;
const NEW = insertion('recovery_links', STORED);

/** A new link, in place of one that was not used, or is made at the same moment. */
export const putRecoveryLink = writes(
  'insert-recovery-link',
  `${NEW.into}
   on conflict (principal_id) where used_at is null do update
   set ${assignedFrom('excluded', LINK)}`,
  NEW.valuesOf,
);

/** Voids somebody's link. */
export const deleteUnusedLinks = writes(
  'delete-unused-recovery-links',
  `delete from recovery_links
   where principal_id = $1 and used_at is null`,
  (principalId: string) => [principalId],
);

/** Of the tables l, and that of the person as p. */
const FOUND = columns('p', {
  linkId: from('l.link_id', t.uuid),
  principalId: from('l.principal_id', t.uuid),
  username: t.text,
  name: t.text,
  status: t.oneOf<ActiveOrSuspended>(),
  expiresAt: from('l.expires_at', t.instant),
  used: from('l.used_at is not null', t.boolean),
  /** Of one of a merchant's people who has no password yet. */
  invitation: from(`l.principal_kind = 'portal' and p.password_hash is null`, t.boolean),
});
/** Whose link it is, and how they stand. */
export type FoundLink = RecordOf<typeof FOUND>;

const FIND = byPersonKind((kind, { table, id }) =>
  statement(
    `find-${kind}-recovery`,
    `select ${FOUND.list}
     from recovery_links l
     join ${table} p on p.${id} = l.principal_id
     where l.token_hash = $1 and l.principal_kind = '${kind}'`,
    FOUND,
  ),
);

export async function findRecoveryLink(
  db: Queryable,
  kind: RecoveryLink['kind'],
  tokenHash: Buffer,
): Promise<FoundLink | undefined> {
  return queryOne(db, FIND[kind], [tokenHash]);
}

/** Uses a link, once; answers whether it still could be. */
export const useRecoveryLink = writesOne(
  'use-recovery-link',
  `update recovery_links
   set used_at = $2
   where link_id = $1 and used_at is null and expires_at > $2`,
  (linkId: string, at: Instant) => [linkId, time(at)],
);
