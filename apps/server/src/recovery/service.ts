import { hash, randomBytes } from 'node:crypto';
import {
  type AuditActor,
  type Instant,
  refuse,
  refusePersonLink,
  refuseRecovery,
  SUSPENDED,
} from '@munshi/core';
import type pg from 'pg';
import { findMember } from '../members/store.ts';
import { type Giver, setGiver, setRecovered } from '../people/credentials.store.ts';
import { deleteCode } from '../people/one-time-codes.store.ts';
import { findOperator } from '../people/operators.store.ts';
import { setPassword } from '../people/passwords.store.ts';
import { findPortalUser } from '../people/portal-users.store.ts';
import {
  type FoundLink,
  findRecoveryLink,
  putRecoveryLink,
  useRecoveryLink,
} from '../people/recovery-links.store.ts';
import { deleteAllSessionsOf, deleteByAnother } from '../people/sessions.store.ts';
import { inTransaction } from '../platform/database/db.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { found, Refused, refuseOn } from '../platform/refusals.ts';
import type { Guarded } from '../platform/sign-in/guard.ts';
import type { PersonKind } from '../platform/sign-in/person-kinds.ts';
import { refuseGuessed } from '../platform/sign-in/refuse-guessed.ts';
import { insertAudit } from '../writes/audit-log.store.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import type { Explained } from '../writes/waiting-writes.ts';
import { auditEntry, type WithSecrets } from '../writes/write.ts';

/**
 * Links to choose a password by: for who has forgotten theirs or lost their one-time codes
 * (security.md#sign-ins-and-sessions), and for who is invited to the portal
 * (security.md#people-of-a-merchant).
 */

const LIFETIME_MS = 24 * 60 * 60 * 1000;
/** Of an invitation: who is invited may be away. */
const INVITATION_MS = 7 * LIFETIME_MS;
const TOKEN_BYTES = 32;
/** The pages that read the token, which browsers do not send: it stands behind `#`. */
const PAGES: Readonly<Record<PersonKind, string>> = {
  operator: '/console/recover',
  member: '/member/recover',
  portal: '/portal/recover',
};
const INVITATION_PAGE = '/portal/invitation';
/** How actions of the audit log begin. */
const ACTIONS = {
  operator: { made: 'operator.recovery-link', used: 'operator.recover' },
  member: { made: 'member.recovery-link', used: 'member.recover' },
  portal: { made: 'portal-user.recovery-link', used: 'portal-user.recover' },
  invitation: { made: 'portal-user.invitation', used: 'portal-user.accept' },
} as const;

export interface MadeLink {
  readonly principalId: string;
  readonly username: string;
  readonly expiresAt: Instant;
}

/** What a second operator is shown of a link. Throws `not-found` and `wrong-state`. */
export async function explainLink(
  db: Queryable,
  face: 'operator' | 'member',
  principalId: string,
  who: { readonly id: string },
  now: Instant,
): Promise<Explained> {
  const { username } = await findActive(db, face, principalId, who, now);
  return { target: principalId, shown: { principalId, username } };
}

async function findActive(
  db: Queryable,
  face: PersonKind,
  principalId: string,
  who: { readonly id: string },
  now: Instant,
) {
  if (face === 'operator') {
    const operator = found(await findOperator(db, principalId, now), 'Operator');
    refuseOn(refuseRecovery(operator, who));
    return { ...operator, invited: false };
  }
  if (face === 'portal') {
    const user = found(await findPortalUser(db, principalId), 'Portal user');
    refuseOn(refusePersonLink(user, who));
    return user;
  }
  const member = found(await findMember(db, principalId), 'Member');
  if (member.status !== 'active') refuseOn(refuse('wrong-state', 'This member is suspended.'));
  return { ...member, invited: false };
}

/** Makes a link, which is shown once; the sign-ins of whom it is for end. */
export async function makeRecoveryLink(
  client: pg.PoolClient,
  now: Instant,
  {
    face,
    principalId,
    by,
  }: { readonly face: PersonKind; readonly principalId: string; readonly by: Giver },
  { ids, pageOrigin }: Pick<ServiceDeps, 'ids' | 'pageOrigin'>,
): Promise<WithSecrets<MadeLink> & { readonly secrets: { readonly link: string } }> {
  const { username, invited } = await findActive(client, face, principalId, by, now);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expiresAt = now + (invited ? INVITATION_MS : LIFETIME_MS);
  await putRecoveryLink(client, {
    linkId: ids.uuid(now),
    tokenHash: hash('sha256', token, 'buffer'),
    kind: face,
    principalId,
    madeBy: by.id,
    createdAt: now,
    expiresAt,
  });
  await deleteByAnother(client, principalId);
  await setGiver(client, face, principalId, by);
  return {
    result: { principalId, username, expiresAt },
    secrets: { link: `${pageOrigin()}${invited ? INVITATION_PAGE : PAGES[face]}#${token}` },
    action: ACTIONS[invited ? 'invitation' : face].made,
    target: principalId,
    detail: { username, expiresAt: new Date(expiresAt).toISOString() },
  };
}

/** Whose link it is. Throws `link-invalid`, `link-expired` and `suspended`. */
export async function readRecovery(
  { database, clock }: Pick<ServiceDeps, 'database' | 'clock'>,
  face: PersonKind,
  token: string,
): Promise<FoundLink> {
  const link = await findRecoveryLink(database.pool, face, hash('sha256', token, 'buffer'));
  if (link === undefined) throw new Refused('link-invalid', 'This link is not known, or void.');
  if (link.used || link.expiresAt <= clock.now()) throw expired();
  if (link.status !== 'active') throw new Refused('suspended', SUSPENDED);
  return link;
}

const expired = () =>
  new Refused('link-expired', 'This link was used, or is too old. Ask for another one.');

/**
 * Uses a link: a new password, one-time codes off, and every session ended. Throws as above,
 * FieldErrors for a password that is guessed first, and TooManyTries.
 */
export async function recover(
  deps: Pick<ServiceDeps, 'database' | 'clock' | 'ids' | 'notices'> & Guarded,
  face: PersonKind,
  { token, newPassword }: Readonly<Record<'token' | 'newPassword', string>>,
  { address, network }: Readonly<Record<'address' | 'network', string>>,
): Promise<{ readonly username: string }> {
  const link = await readRecovery(deps, face, token);
  const { linkId, principalId, username } = link;
  refuseGuessed('newPassword', newPassword);
  const chosen = { by: linkId, network, known: false };
  const passwordHash = await deps.signInGuard.hash(newPassword, chosen);
  await useLink(deps, face, link, { passwordHash, address });
  deps.notices.sessionsEnded(principalId);
  return { username };
}

function useLink(
  { database, clock, ids }: Pick<ServiceDeps, 'database' | 'clock' | 'ids'>,
  face: PersonKind,
  { linkId, principalId, name, invitation }: FoundLink,
  { passwordHash, address }: Readonly<Record<'passwordHash' | 'address', string>>,
): Promise<void> {
  const now = clock.now();
  return inTransaction(database.pool, async (client) => {
    // The row of whose link it is comes first, as where links are made and voided.
    if (!(await setPassword(client, face, principalId, passwordHash)))
      throw new Refused('suspended', SUSPENDED);
    if (!(await useRecoveryLink(client, linkId, now))) throw expired();
    if (face === 'member') await setRecovered(client, principalId, now);
    const codesOff = face !== 'member' && (await deleteCode(client, { kind: face, principalId }));
    await deleteAllSessionsOf(client, principalId);
    await deleteByAnother(client, principalId);
    const actor: AuditActor =
      face === 'member'
        ? { kind: 'member', id: principalId }
        : { kind: face, id: principalId, name, address };
    const detail = { address, ...(codesOff && { oneTimeCode: 'off' }) };
    const entry = {
      action: ACTIONS[invitation ? 'invitation' : face].used,
      target: principalId,
      detail,
    };
    await insertAudit(client, auditEntry(ids, actor, entry, now));
  });
}
