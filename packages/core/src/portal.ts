import type { ActiveOrSuspended } from './active.ts';
import type { AskingPerson, PortalRole } from './capability.ts';
import { type Merchant, type Objection, refuse } from './decision.ts';
import type { Instant } from './order.ts';

/** One of a merchant's own people. */
export interface PortalUser {
  readonly portalUserId: string;
  readonly merchantId: string;
  readonly username: string;
  readonly name: string;
  readonly role: PortalRole;
  readonly status: ActiveOrSuspended;
  readonly createdAt: Instant;
}

/** A person of a merchant, as far as the rules look at them. */
export type PortalPerson = Pick<PortalUser, 'portalUserId' | 'role' | 'status'> & {
  /** Has not chosen a password yet. */
  readonly invited: boolean;
};

/** Of oneself: role and status are for another admin to change. */
export const refusePersonChange = (
  { portalUserId }: Pick<PortalPerson, 'portalUserId'>,
  { role, status }: { readonly role?: PortalRole; readonly status?: PortalPerson['status'] },
  who: AskingPerson,
): Objection =>
  portalUserId === who.portalUserId && (role !== undefined || status !== undefined)
    ? refuse('wrong-state', 'Another admin must change your own role or status.')
    : undefined;

/** Whether a change lets an admin in: somebody who was none, or was suspended. */
export const letsAdminIn = (
  before: Pick<PortalPerson, 'role' | 'status'>,
  after: Pick<PortalPerson, 'role' | 'status'>,
): boolean =>
  after.role === 'admin' &&
  (before.role !== 'admin' || (before.status === 'suspended' && after.status === 'active'));

/** An admin must be left who can sign in: `admins` are those who can. */
export function refuseLastPortalAdmin(
  portalUserId: string,
  after: Pick<PortalPerson, 'role' | 'status'>,
  admins: readonly string[],
): Objection {
  if (after.role === 'admin' && after.status === 'active') return undefined;
  if (!admins.includes(portalUserId) || admins.length > 1) return undefined;
  return refuse('wrong-state', 'This is the last admin of the merchant. Make another one first.');
}

/** A link to choose a password by is for another person, who may sign in. */
export function refusePersonLink(
  { portalUserId, status }: Pick<PortalPerson, 'portalUserId' | 'status'>,
  who: { readonly id: string },
): Objection {
  if (portalUserId === who.id)
    return refuse('wrong-state', 'Another admin must make your recovery link.');
  return status === 'active' ? undefined : refuse('wrong-state', 'This person is suspended.');
}

/** An invitation is taken back while nobody has used it. */
export const refuseInvitationEnd = ({ invited }: Pick<PortalPerson, 'invited'>): Objection =>
  invited ? undefined : refuse('wrong-state', 'This person has come already. Suspend them.');

/** A merchant that was closed lets nobody new in by itself. */
export const refuseInvitation = ({ status }: Pick<Merchant, 'status'>): Objection =>
  status === 'closed'
    ? refuse('wrong-state', 'This merchant is closed, so nobody new is invited.')
    : undefined;

/** A merchant issues its own keys where an operator has allowed it. */
export const refuseOwnKeys = (merchant: { readonly ownKeysAllowed: boolean }): Objection =>
  merchant.ownKeysAllowed
    ? undefined
    : refuse('wrong-state', 'Keys of this merchant are issued by the operator. Ask them.');

/**
 * While a second operator is required, what two operators decide about a merchant is decided by
 * none of its admins, whom one operator lets in. Where it issues its own keys, two have looked at
 * its admins.
 */
export const refuseOwnDecision = (
  merchant: { readonly ownKeysAllowed: boolean },
  needsTwo: boolean,
  { requireSecondOperator }: { readonly requireSecondOperator: boolean },
): Objection =>
  needsTwo && requireSecondOperator && !merchant.ownKeysAllowed
    ? refuse(
        'second-operator',
        'This takes away a protection, which two operators decide. Ask your operator to make this change.',
      )
    : undefined;
