import type { ChangePerson, ChangePortalUser, CreatePortalUser, InvitePerson } from '@munshi/api';
import {
  type AskingPerson,
  type AuditActor,
  type Instant,
  letsAdminIn,
  type Objection,
  type PortalRole,
  refuseAdminAccess,
  refuseInvitation,
  refuseInvitationEnd,
  refuseLastPortalAdmin,
  refusePersonChange,
  refusePersonLink,
} from '@munshi/core';
import type pg from 'pg';
import { findMerchant, lockMerchant } from '../merchants/store.ts';
import { requireCode } from '../people/one-time-codes.service.ts';
import {
  countPortalUsers,
  deleteInvited,
  findPortalUser,
  insertPortalUser,
  lockPortalAdmins,
  lockPortalUser,
  type PortalUserRecord,
  updatePortalUser,
} from '../people/portal-users.store.ts';
import { deleteUnusedLinks } from '../people/recovery-links.store.ts';
import { deleteAllSessionsOf, deleteOtherSignIns } from '../people/sessions.store.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { found, Refused, refuseOn, refuseTaken } from '../platform/refusals.ts';
import type { Guarded } from '../platform/sign-in/guard.ts';
import { hashNewPassword } from '../platform/sign-in/refuse-guessed.ts';
import { makeRecoveryLink } from '../recovery/service.ts';
import { mayMail } from '../writes/counted-sends.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import { readPlatformSettings } from '../writes/platform-settings.store.ts';
import type { Work } from '../writes/write.ts';
import { type Caller, changesOf, namesOf, type OperatorCaller } from '../writes/write.ts';
import { type LinkMail, mailLink } from './mails.service.ts';

/** The people of a merchant, as operators and the merchant's own admins let them in. */

type Deps = Pick<ServiceDeps, 'database' | 'clock' | 'ids'>;
type LinkDeps = Deps & Pick<ServiceDeps, 'pageOrigin' | 'notices' | 'mail' | 'log' | 'vault'>;
type AnyCaller = Caller<AuditActor & { readonly kind: 'operator' | 'portal' }>;
type Invitation = Omit<InvitePerson, 'oneTimeCode'>;

/** An admin of the merchant, with the one-time code that letting an admin in asks for. */
interface OwnAdminCaller extends Caller<AuditActor & { readonly kind: 'portal' }> {
  readonly oneTimeCode: string | undefined;
}
/** Who lets people in. */
type LettingCaller = Caller<AuditActor & { readonly kind: 'operator' }> | OwnAdminCaller;

const isOwnAdmin = (caller: LettingCaller): caller is OwnAdminCaller =>
  caller.actor.kind === 'portal';

/** Somebody by their id; of the merchant alone where one is named. Throws `not-found`. */
export interface WhichPerson {
  readonly portalUserId: string;
  readonly merchantId?: string;
}

const ofMerchant = (user: PortalUserRecord | undefined, { merchantId }: WhichPerson) =>
  found(
    merchantId === undefined || user?.merchantId === merchantId ? user : undefined,
    'Portal user',
  );

/** While a second operator is required, an operator alone gives nobody the power to make keys. */
async function requireAccess(
  client: Queryable,
  { actor }: AnyCaller,
  merchantId: string,
  role: PortalRole,
): Promise<void> {
  // Locked: an operator who allows its own keys meanwhile is shown its admins as they are then.
  const merchant = found(await lockMerchant(client, merchantId), 'Merchant');
  if (actor.kind === 'operator')
    refuseOn(refuseAdminAccess(merchant, role, await readPlatformSettings(client)));
}

/** People of a merchant at once, invited ones too. */
const PEOPLE_MAX = 200;

/** The merchant is locked: of many who are let in at once, each is counted. Throws `too-many`. */
async function requireRoom(client: Queryable, merchantId: string): Promise<void> {
  found(await lockMerchant(client, merchantId), 'Merchant');
  if ((await countPortalUsers(client, merchantId)) >= PEOPLE_MAX)
    throw new Refused(
      'too-many',
      `A merchant has ${PEOPLE_MAX} people at most. Suspend somebody first, or take an invitation back.`,
    );
}

/**
 * An open session alone lets no admin in (security.md#people-of-a-merchant). Throws
 * `one-time-code-set-up`, and FieldErrors for a code that is missing or wrong.
 */
function requireOwnCode(
  deps: Pick<ServiceDeps, 'database' | 'clock' | 'vault'>,
  { actor, oneTimeCode }: OwnAdminCaller,
): Promise<void> {
  const off = new Refused(
    'one-time-code-set-up',
    'Admins are let in with a one-time code. Set yours up first.',
  );
  return requireCode(deps, { kind: 'portal', principalId: actor.id }, oneTimeCode, off);
}

/**
 * The same about somebody who is there, where `isAdminLetIn` says so of them, after what `refuses`
 * has against it. Answers a check for the transaction, to be called with their locked row: it
 * throws `wrong-state` where a code is needed by then and none was asked for.
 */
async function requireOwnCodeAbout(
  deps: Pick<ServiceDeps, 'database' | 'clock' | 'vault'>,
  caller: OwnAdminCaller,
  which: WhichPerson,
  {
    refuses,
    isAdminLetIn,
  }: {
    refuses(user: PortalUserRecord): Objection;
    isAdminLetIn(user: PortalUserRecord): boolean;
  },
): Promise<(locked: PortalUserRecord) => void> {
  const user = ofMerchant(await findPortalUser(deps.database.pool, which.portalUserId), which);
  refuseOn(refuses(user));
  const asked = isAdminLetIn(user);
  if (asked) await requireOwnCode(deps, caller);
  return (locked) => {
    if (!asked && isAdminLetIn(locked))
      throw new Refused(
        'wrong-state',
        'This person was changed meanwhile. Try again, with your one-time code.',
      );
  };
}

/**
 * Adds somebody who may sign in to the portal of a merchant. Throws `not-found`, `already-exists`
 * where the username is taken, `too-many`, `second-operator`, and FieldErrors for a password that
 * is guessed first.
 */
export async function createPortalUser(
  deps: Guarded,
  caller: OperatorCaller,
  merchantId: string,
  { password, ...person }: CreatePortalUser,
): Promise<Work<PortalUserRecord>> {
  const passwordHash = await hashNewPassword(deps, password);
  return async (client, now, ids) => {
    await requireAccess(client, caller, merchantId, person.role);
    const portalUserId = ids.uuid(now);
    await addPerson(client, { ...person, merchantId, portalUserId, createdAt: now }, passwordHash);
    return {
      result: found(await findPortalUser(client, portalUserId), 'Portal user'),
      action: 'portal-user.create',
      target: portalUserId,
      detail: { merchantId, username: person.username, role: person.role },
    };
  };
}

/**
 * The same with a link to choose the password by, which is shown once, and mailed. An admin of the
 * merchant who invites an admin needs their one-time code.
 */
export async function invitePortalUser(
  deps: LinkDeps,
  caller: LettingCaller,
  merchantId: string,
  person: Invitation,
): Promise<Work<PortalUserRecord>> {
  if (isOwnAdmin(caller) && person.role === 'admin') {
    const merchant = found(await findMerchant(deps.database.pool, merchantId), 'Merchant');
    refuseOn(refuseInvitation(merchant));
    await requireOwnCode(deps, caller);
  }
  return async (client, now, ids) => {
    await requireAccess(client, caller, merchantId, person.role);
    if (isOwnAdmin(caller))
      refuseOn(refuseInvitation(found(await findMerchant(client, merchantId), 'Merchant')));
    const portalUserId = ids.uuid(now);
    await addPerson(client, { ...person, merchantId, portalUserId, createdAt: now }, null);
    const written = await linkFor(client, now, caller, portalUserId, deps);
    const detail = { ...written.detail, merchantId, role: person.role };
    return { ...written, action: 'portal-user.invite', detail };
  };
}

/**
 * Makes a recovery link or another invitation, and ends the person's sign-ins. Throws as above; for
 * an admin, too, an admin of the merchant needs their one-time code.
 */
export async function makePortalLink(
  deps: LinkDeps,
  caller: LettingCaller,
  which: WhichPerson,
): Promise<Work<PortalUserRecord>> {
  const checkCode = isOwnAdmin(caller)
    ? await requireOwnCodeAbout(deps, caller, which, {
        refuses: (user) => refusePersonLink(user, caller.actor),
        isAdminLetIn: ({ role }) => role === 'admin',
      })
    : undefined;
  return async (client, now) => {
    const user = ofMerchant(await lockPortalUser(client, which.portalUserId), which);
    await requireAccess(client, caller, user.merchantId, user.role);
    checkCode?.(user);
    const written = await linkFor(client, now, caller, user.portalUserId, deps);
    return { ...written, endsSessionsOf: user.portalUserId };
  };
}

/** A link with the user as they are then: in the first answer alone, with whether it was mailed. */
async function linkFor(
  client: pg.PoolClient,
  now: Instant,
  { actor }: AnyCaller,
  portalUserId: string,
  deps: LinkDeps,
) {
  const about = { face: 'portal', principalId: portalUserId, madeBy: actor.id } as const;
  const { result, ...written } = await makeRecoveryLink(client, now, about, deps);
  const user = found(await findPortalUser(client, portalUserId), 'Portal user');
  const merchant = found(await findMerchant(client, user.merchantId), 'Merchant');
  const { merchantId, email } = user;
  // A link beyond the limits is made and shown: it can be handed over.
  const mayBeMailed =
    email !== null &&
    deps.mail !== undefined &&
    (await mayMail(client, { merchantId, email }, { now, ids: deps.ids }));
  const mail: LinkMail = {
    user: mayBeMailed ? user : { ...user, email: null },
    merchantName: merchant.name,
    link: written.secrets.link,
    expiresAt: result.expiresAt,
  };
  const adds = async () => ({ mailed: await mailLink(deps, mail) });
  return { ...written, result: user, adds };
}

async function addPerson(
  client: pg.PoolClient,
  {
    name,
    email = null,
    ...person
  }: Invitation & {
    readonly merchantId: string;
    readonly portalUserId: string;
    readonly createdAt: Instant;
  },
  passwordHash: string | null,
): Promise<void> {
  const { username, merchantId } = person;
  await requireRoom(client, merchantId);
  await insertPortalUser(client, { ...person, name: name ?? username, email, passwordHash }).catch(
    refuseTaken(`The username ${username} is taken.`),
  );
}

/** Whether links for somebody are mailed to another place than before. */
const getsLinks = (before: PortalUserRecord, after: PortalUserRecord): boolean =>
  after.email !== null && after.email !== before.email;

/**
 * Changes the fields that are given. A new password, another role and a suspension end the user's
 * sign-ins. Throws `not-found`, `too-many`, `second-operator`, and FieldErrors as above.
 */
export async function changePortalUser(
  deps: Guarded,
  caller: OperatorCaller,
  portalUserId: string,
  { password, ...change }: ChangePortalUser,
): Promise<Work<PortalUserRecord>> {
  const passwordHash = password === undefined ? null : await hashNewPassword(deps, password);
  const lets = password !== undefined || change.role !== undefined || change.status === 'active';
  return async (client) => {
    const before = found(await lockPortalUser(client, portalUserId), 'Portal user');
    const after = { ...before, ...change };
    if (lets || getsLinks(before, after))
      await requireAccess(client, caller, before.merchantId, after.role);
    return changeLocked(client, before, after, {
      passwordHash,
      fields: namesOf({ ...change, ...(password !== undefined && { password }) }),
    });
  };
}

/**
 * The same for an admin of the merchant, who never takes its last admin away, and lets another one
 * in with their one-time code. Throws `not-found`, `wrong-state`, `too-many`,
 * `one-time-code-set-up`, and FieldErrors for a code that is missing or wrong.
 */
export async function changePerson(
  deps: Pick<ServiceDeps, 'database' | 'clock' | 'vault'>,
  caller: OwnAdminCaller,
  who: AskingPerson & { readonly merchantId: string },
  portalUserId: string,
  change: Omit<ChangePerson, 'oneTimeCode'>,
): Promise<Work<PortalUserRecord>> {
  const which = { portalUserId, merchantId: who.merchantId };
  const checkCode = await requireOwnCodeAbout(deps, caller, which, {
    refuses: (user) => refusePersonChange(user, change, who),
    isAdminLetIn: (user) => {
      const after = { ...user, ...change };
      return letsAdminIn(user, after) || (after.role === 'admin' && getsLinks(user, after));
    },
  });
  return async (client) => {
    const admins = await lockPortalAdmins(client, who.merchantId);
    const before = ofMerchant(await lockPortalUser(client, portalUserId), which);
    const after = { ...before, ...change };
    refuseOn(refusePersonChange(before, change, who));
    refuseOn(refuseLastPortalAdmin(portalUserId, after, admins));
    checkCode(before);
    return changeLocked(client, before, after, { passwordHash: null, fields: namesOf(change) });
  };
}

async function changeLocked(
  client: pg.PoolClient,
  before: PortalUserRecord,
  after: PortalUserRecord,
  { passwordHash, fields }: { readonly passwordHash: string | null; readonly fields: string },
) {
  const { portalUserId, merchantId } = before;
  if (before.status !== 'active' && after.status === 'active')
    await requireRoom(client, merchantId);
  await updatePortalUser(client, after, passwordHash);
  const stays = passwordHash === null && after.role === before.role && after.status === 'active';
  if (!stays) await deleteAllSessionsOf(client, portalUserId);
  // A link that was made for a viewer lets no admin in.
  if (passwordHash !== null || after.status !== 'active' || letsAdminIn(before, after))
    await deleteUnusedLinks(client, portalUserId);
  return {
    result: found(await findPortalUser(client, portalUserId), 'Portal user'),
    action: 'portal-user.update' as const,
    target: portalUserId,
    detail: { fields, ...changesOf(before, after, ['name', 'role', 'status']) },
    endsSessionsOf: portalUserId,
  };
}

/** Takes an invitation back: who has never come is forgotten. Throws `not-found`, `wrong-state`. */
export const endInvitation =
  (which: WhichPerson): Work<{ readonly revoked: true }> =>
  async (client) => {
    const user = ofMerchant(await lockPortalUser(client, which.portalUserId), which);
    refuseOn(refuseInvitationEnd(user));
    await deleteUnusedLinks(client, user.portalUserId);
    await deleteInvited(client, user.portalUserId);
    return {
      result: { revoked: true },
      action: 'portal-user.invitation-end',
      target: user.portalUserId,
      detail: { merchantId: user.merchantId, username: user.username },
    };
  };

/** Ends the sign-ins of somebody; answers how many. Throws `not-found`. */
export const endPortalSessions =
  (which: WhichPerson): Work<{ readonly ended: number }> =>
  async (client) => {
    const user = ofMerchant(await lockPortalUser(client, which.portalUserId), which);
    const ended = await deleteOtherSignIns(client, user.portalUserId, null);
    return {
      result: { ended },
      action: 'portal-user.sessions-end',
      target: user.portalUserId,
      detail: { ended },
      endsSessionsOf: user.portalUserId,
    };
  };
