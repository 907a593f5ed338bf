import {
  CHANGE_PORTAL_USER,
  type ChangePerson,
  type ChangePortalUser,
  type CreatePortalUser,
  type InvitePerson,
} from '@munshi/api';
import {
  type AskingPerson,
  type AuditActor,
  type Instant,
  letsAdminIn,
  type Objection,
  refuseInvitation,
  refuseInvitationEnd,
  refuseLastPortalAdmin,
  refusePersonChange,
  refusePersonLink,
} from '@munshi/core';
import type pg from 'pg';
import type { Ids } from '../engine/ids.ts';
import { findMerchant, lockMerchant } from '../merchants/store.ts';
import { type Giver, setGiver } from '../people/credentials.store.ts';
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
import { makeRecoveryLink } from '../recovery/service.ts';
import { mayMail } from '../writes/counted-sends.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import type { Asker, Explained } from '../writes/waiting-writes.ts';
import { type Caller, changesOf, type Done, namesOf, type Work } from '../writes/write.ts';
import { type LinkMail, mailLink } from './mails.service.ts';

/** The people of a merchant, as operators and the merchant's own admins let them in. */

type Deps = Pick<ServiceDeps, 'database' | 'clock' | 'ids'>;
type LinkDeps = Deps & Pick<ServiceDeps, 'pageOrigin' | 'notices' | 'mail' | 'log' | 'vault'>;
type Invitation = Omit<InvitePerson, 'oneTimeCode'>;

/** An admin of the merchant, with the one-time code that letting an admin in asks for. */
interface OwnAdminCaller extends Caller<AuditActor & { readonly kind: 'portal' }> {
  readonly oneTimeCode: string | undefined;
}
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

/** A new person, with a password. */
export interface AskedPerson {
  readonly merchantId: string;
  readonly person: Omit<CreatePortalUser, 'password'>;
  readonly passwordHash: string | null;
}

/** What a second operator is shown of an admin who is new. Throws `not-found`. */
export async function explainPerson(
  client: pg.PoolClient,
  { merchantId, person }: { readonly merchantId: string; readonly person: Invitation },
): Promise<Explained> {
  const merchant = found(await lockMerchant(client, merchantId), 'Merchant');
  return { target: person.username, shown: { merchantId, merchant: merchant.name, ...person } };
}

/**
 * Adds somebody who may sign in to the portal of a merchant. Throws `not-found`, `already-exists`
 * where the username is taken, and `too-many`.
 */
export async function createPortalUser(
  client: pg.PoolClient,
  now: Instant,
  ids: Ids,
  { merchantId, person, passwordHash }: AskedPerson,
  by: Giver,
): Promise<Done<PortalUserRecord>> {
  const portalUserId = ids.uuid(now);
  await addPerson(client, { ...person, merchantId, portalUserId, createdAt: now }, passwordHash);
  await setGiver(client, 'portal', portalUserId, by);
  return {
    result: found(await findPortalUser(client, portalUserId), 'Portal user'),
    action: 'portal-user.create',
    target: portalUserId,
    detail: { merchantId, username: person.username, role: person.role },
  };
}

/**
 * The same with a link to choose the password by, which is shown once, and mailed. Throws as above.
 */
export async function invitePortalUser(
  client: pg.PoolClient,
  now: Instant,
  deps: LinkDeps,
  { merchantId, person }: { readonly merchantId: string; readonly person: Invitation },
  by: Giver,
): Promise<Done<PortalUserRecord>> {
  const portalUserId = deps.ids.uuid(now);
  await addPerson(client, { ...person, merchantId, portalUserId, createdAt: now }, null);
  const written = await linkFor(client, now, by, portalUserId, deps);
  const detail = { ...written.detail, merchantId, role: person.role };
  return { ...written, action: 'portal-user.invite', detail };
}

/** The same by an admin of the merchant, who needs their one-time code to invite an admin. */
export async function invitePerson(
  deps: LinkDeps,
  caller: OwnAdminCaller,
  merchantId: string,
  person: Invitation,
): Promise<Work<PortalUserRecord>> {
  if (person.role === 'admin') {
    const merchant = found(await findMerchant(deps.database.pool, merchantId), 'Merchant');
    refuseOn(refuseInvitation(merchant));
    await requireOwnCode(deps, caller);
  }
  return async (client, now) => {
    refuseOn(refuseInvitation(found(await lockMerchant(client, merchantId), 'Merchant')));
    return invitePortalUser(client, now, deps, { merchantId, person }, caller.actor);
  };
}

/** What a second operator is shown of a link for an admin. Throws `not-found` and `wrong-state`. */
export async function explainPortalLink(
  client: pg.PoolClient,
  portalUserId: string,
  who: Asker,
): Promise<Explained> {
  const user = found(await lockPortalUser(client, portalUserId), 'Portal user');
  refuseOn(refusePersonLink(user, who));
  const { merchantId, username, email } = user;
  return { target: portalUserId, shown: { merchantId, portalUserId, username, email } };
}

/** Makes a recovery link or another invitation, and ends the person's sign-ins. Throws as above. */
export async function makePortalLink(
  client: pg.PoolClient,
  now: Instant,
  deps: LinkDeps,
  portalUserId: string,
  by: Giver,
): Promise<Done<PortalUserRecord>> {
  const written = await linkFor(client, now, by, portalUserId, deps);
  return { ...written, endsSessionsOf: portalUserId };
}

/** The same by an admin of the merchant, who needs their one-time code where it is for an admin. */
export async function makePersonLink(
  deps: LinkDeps,
  caller: OwnAdminCaller,
  which: WhichPerson,
): Promise<Work<PortalUserRecord>> {
  const checkCode = await requireOwnCodeAbout(deps, caller, which, {
    refuses: (user) => refusePersonLink(user, caller.actor),
    isAdminLetIn: ({ role }) => role === 'admin',
  });
  return async (client, now) => {
    const user = ofMerchant(await lockPortalUser(client, which.portalUserId), which);
    checkCode(user);
    return makePortalLink(client, now, deps, user.portalUserId, caller.actor);
  };
}

/** A link with the user as they are then: in the first answer alone, with whether it was mailed. */
async function linkFor(
  client: pg.PoolClient,
  now: Instant,
  by: Giver,
  portalUserId: string,
  deps: LinkDeps,
) {
  const about = { face: 'portal', principalId: portalUserId, by } as const;
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

/** A change of a person by an operator, read from its request. */
export interface AskedPersonChange {
  readonly portalUserId: string;
  readonly change: Omit<ChangePortalUser, 'password'>;
  readonly passwordHash: string | null;
}

/** The person before and after, locked. Throws `not-found`. */
async function lockPerson(
  client: pg.PoolClient,
  { portalUserId, change }: AskedPersonChange,
): Promise<{ readonly before: PortalUserRecord; readonly after: PortalUserRecord }> {
  const before = found(await lockPortalUser(client, portalUserId), 'Portal user');
  return { before, after: { ...before, ...change } };
}

/** Whether it lets an admin in, which waits while a second operator is required. */
export async function personChangeWaits(
  client: pg.PoolClient,
  asked: AskedPersonChange,
): Promise<boolean> {
  const { before, after } = await lockPerson(client, asked);
  const lets =
    asked.passwordHash !== null || letsAdminIn(before, after) || getsLinks(before, after);
  return CHANGE_PORTAL_USER.decides.needsTwo(undefined, { ...after, lets });
}

/** What a second operator is shown of it. Throws `not-found`. */
export async function explainPersonChange(
  client: pg.PoolClient,
  asked: AskedPersonChange,
): Promise<Explained> {
  const { before, after } = await lockPerson(client, asked);
  const { portalUserId, merchantId, username } = before;
  const shown = {
    merchantId,
    portalUserId,
    username,
    ...changesOf(before, after, asked.change),
    ...(asked.passwordHash !== null && { password: 'a new one' }),
  };
  return { target: portalUserId, shown };
}

/**
 * Changes the fields that are given. A new password, another role and a suspension end the user's
 * sign-ins. Throws `not-found` and `too-many`.
 */
export async function changePortalUser(
  client: pg.PoolClient,
  asked: AskedPersonChange,
  by: Giver,
): Promise<Done<PortalUserRecord>> {
  const { before, after } = await lockPerson(client, asked);
  const { change, passwordHash } = asked;
  return changeLocked(client, { before, after, change, passwordHash, by });
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
    const { actor: by } = caller;
    return changeLocked(client, { before, after, change, passwordHash: null, by });
  };
}

async function changeLocked(
  client: pg.PoolClient,
  {
    before,
    after,
    change,
    passwordHash,
    by,
  }: {
    readonly before: PortalUserRecord;
    readonly after: PortalUserRecord;
    readonly change: AskedPersonChange['change'];
    readonly passwordHash: string | null;
    readonly by: Giver;
  },
) {
  const { portalUserId, merchantId } = before;
  if (before.status !== 'active' && after.status === 'active')
    await requireRoom(client, merchantId);
  await updatePortalUser(client, after, passwordHash);
  if (passwordHash !== null || getsLinks(before, after))
    await setGiver(client, 'portal', portalUserId, by);
  const stays = passwordHash === null && after.role === before.role && after.status === 'active';
  if (!stays) await deleteAllSessionsOf(client, portalUserId);
  // A link that was made for a viewer lets no admin in.
  if (passwordHash !== null || after.status !== 'active' || letsAdminIn(before, after))
    await deleteUnusedLinks(client, portalUserId);
  const fields = namesOf({ ...change, ...(passwordHash !== null && { password: '' }) });
  return {
    result: found(await findPortalUser(client, portalUserId), 'Portal user'),
    action: 'portal-user.update' as const,
    target: portalUserId,
    detail: { fields, ...changesOf(before, after, change) },
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
