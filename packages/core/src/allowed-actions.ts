import type { Approval, Fetcher } from './approval.ts';
import type { AskingOperator, AskingPerson, OperatorCapability } from './capability.ts';
import { refuseCancel } from './commands/operator-cancel.ts';
import { refuseLateConfirmation } from './commands/operator-confirm.ts';
import { refuseEscalate } from './commands/operator-escalate.ts';
import { refuseResolve } from './commands/operator-resolve.ts';
import type { MerchantStatus, Objection } from './decision.ts';
import { refuseResend, refuseRetry } from './delivery.ts';
import { refuseApproval, refuseDecline, refuseFetch } from './four-eyes.ts';
import type { LateClaimStatus } from './late-claim.ts';
import type { Member, MemberAccount } from './matching.ts';
import {
  type OperatorState,
  refuseCodeRemoval,
  refuseOperatorChange,
  refuseRecovery,
  refuseToken,
} from './operator.ts';
import type { Instant, Order } from './order.ts';
import {
  type PortalPerson,
  refuseInvitationEnd,
  refuseLastPortalAdmin,
  refuseOwnKeys,
  refusePersonChange,
  refusePersonLink,
} from './portal.ts';

/**
 * What an operator may do with a resource now, by the last part of the action's path
 * (apis.md#what-may-be-done). The rules are those that decide; what depends on amounts and balances
 * is decided when it is asked for.
 */

const permitted = <Action extends string>(
  actions: Readonly<Record<Action, Objection>>,
): readonly Action[] =>
  (Object.keys(actions) as Action[]).filter((action) => actions[action] === undefined);

export const ORDER_ACTIONS = [
  'resolve',
  'confirm',
  'cancel',
  'escalate',
  'retry-now',
  'resend',
] as const;
export type OrderAction = (typeof ORDER_ACTIONS)[number];

export function orderActions(
  order: Pick<Order, 'orderType' | 'status' | 'memberId' | 'callbackUrl'>,
  latestDelivery: Parameters<typeof refuseRetry>[0],
  who: AskingOperator,
): readonly OrderAction[] {
  if (!who.capabilities.has('decide')) return [];
  return permitted<OrderAction>({
    resolve: refuseResolve(order),
    confirm: refuseLateConfirmation(order),
    cancel: refuseCancel(order),
    escalate: refuseEscalate(order),
    'retry-now': refuseRetry(latestDelivery),
    resend: refuseResend(order),
  });
}

export const APPROVAL_ACTIONS = ['approve', 'decline', 'fetch'] as const;
export type ApprovalAction = (typeof APPROVAL_ACTIONS)[number];

/**
 * `needed`: what asking for it needs. `giver`: that they gave a person whom it is about a way to sign
 * in. `fetcher`: who gets its secret.
 */
export function approvalActions(
  approval: Approval,
  needed: OperatorCapability,
  rules: { readonly fetcher: Fetcher | null; readonly giver: Objection },
  who: AskingOperator,
  now: Instant,
): readonly ApprovalAction[] {
  if (!who.capabilities.has(needed)) return [];
  const mayApprove = who.capabilities.has('approve');
  return permitted<ApprovalAction>({
    approve: refuseApproval(approval, who, now) ?? rules.giver,
    decline: refuseDecline(approval),
    fetch: refuseFetch(approval, rules, who, now),
  }).filter((action) => action !== 'approve' || mayApprove);
}

/**
 * An open claim, for an operator who may decide orders: it is taken up where nobody has, and taken
 * over from a colleague who has it.
 */
export function lateClaimActions(
  { status, takenBy }: { readonly status: LateClaimStatus; readonly takenBy: string | null },
  { id, capabilities }: AskingOperator,
): readonly ('take' | 'take-over' | 'close')[] {
  if (status !== 'open' || !capabilities.has('decide')) return [];
  if (takenBy === null) return ['take', 'close'];
  return takenBy === id ? ['close'] : ['take-over', 'close'];
}

/** A rule in force. */
export const feeRuleActions = (
  { validUntil }: { readonly validUntil: Instant | null },
  { capabilities }: AskingOperator,
): readonly 'end'[] => (validUntil === null && capabilities.has('write') ? ['end'] : []);

/** For the latest delivery of an order. */
export const deliveryActions = (
  latest: Parameters<typeof refuseRetry>[0],
  { capabilities }: AskingOperator,
): readonly 'retry-now'[] =>
  capabilities.has('decide') && refuseRetry(latest) === undefined ? ['retry-now'] : [];

/** For a delivery that is looked at by itself, and the order that it is about. */
export function sentDeliveryActions(
  delivery: NonNullable<Parameters<typeof refuseRetry>[0]> & { readonly isLatest: boolean },
  order: Pick<Order, 'status' | 'callbackUrl'>,
  who: AskingOperator,
): readonly ('retry-now' | 'resend')[] {
  const retry = delivery.isLatest ? deliveryActions(delivery, who) : [];
  const mayResend = who.capabilities.has('decide') && refuseResend(order) === undefined;
  return mayResend ? [...retry, 'resend'] : retry;
}

/** One that waits is approved by an approver. Lists show an expired one as declined. */
export const adjustmentActions = (
  { status, requestedBy }: { readonly status: string; readonly requestedBy: string },
  { id, capabilities }: AskingOperator,
): readonly 'approve'[] =>
  status === 'pendingApproval' && requestedBy !== id && capabilities.has('approve')
    ? ['approve']
    : [];

export const MERCHANT_ACTIONS = [
  'change',
  'activate',
  'suspend',
  'close',
  'adjustments',
  'api-keys',
  'api-keys/regenerate',
] as const;
export type MerchantAction = (typeof MERCHANT_ACTIONS)[number];

/** `activate`, `suspend` and `close` set the status. */
export const merchantActions = (
  { status }: { readonly status: MerchantStatus },
  { capabilities }: AskingOperator,
): readonly MerchantAction[] => {
  const idle = { active: 'activate', suspended: 'suspend', closed: 'close' }[status];
  return capabilities.has('write') ? MERCHANT_ACTIONS.filter((action) => action !== idle) : [];
};

export const API_KEY_ACTIONS = ['revoke'] as const;
export const apiKeyActions = (
  { revokedAt }: { readonly revokedAt: Instant | null },
  { capabilities }: AskingOperator,
): readonly 'revoke'[] => (revokedAt === null && capabilities.has('write') ? ['revoke'] : []);

export const MEMBER_ADMIN_ACTIONS = [
  'change',
  'activate',
  'suspend',
  'accounts',
  'float-adjustments',
  'sessions',
  'recovery-link',
] as const;
export type MemberAdminAction = (typeof MEMBER_ADMIN_ACTIONS)[number];

/** What operators do about a member; `activate` and `suspend` set the status. */
export const memberAdminActions = (
  { status }: Pick<Member, 'status'>,
  { capabilities }: AskingOperator,
): readonly MemberAdminAction[] => {
  const idle = status === 'active' ? ['activate'] : ['suspend', 'recovery-link'];
  if (!capabilities.has('write')) return [];
  return MEMBER_ADMIN_ACTIONS.filter((action) => !idle.includes(action));
};

export const MEMBER_ACCOUNT_ACTIONS = ['approve', 'suspend', 'change-limits'] as const;
export type MemberAccountAction = (typeof MEMBER_ACCOUNT_ACTIONS)[number];

export const memberAccountActions = (
  { status }: Pick<MemberAccount, 'status'>,
  { capabilities }: AskingOperator,
): readonly MemberAccountAction[] => {
  const idle = { approved: 'approve', suspended: 'suspend', pending: undefined }[status];
  return capabilities.has('write')
    ? MEMBER_ACCOUNT_ACTIONS.filter((action) => action !== idle)
    : [];
};

export const OPERATOR_ACTIONS = [
  'change',
  'change-role',
  'activate',
  'suspend',
  'set-password',
  'tokens',
  'revoke-tokens',
  'end-sign-ins',
  'recovery-link',
  'one-time-code',
] as const;
export type OperatorAction = (typeof OPERATOR_ACTIONS)[number];

/**
 * `change-role`, `activate`, `suspend` and `set-password` are changes; `tokens` and `recovery-link`
 * make one; `one-time-code` turns codes off.
 */
export function operatorActions(
  operator: OperatorState & { readonly tokens: number; readonly hasOneTimeCode: boolean },
  who: AskingOperator,
): readonly OperatorAction[] {
  if (!who.capabilities.has('administer')) return [];
  const { role, status, tokens } = operator;
  const idle = status === 'active' ? 'activate' : 'suspend';
  return permitted<OperatorAction>({
    change: undefined,
    'change-role': refuseOperatorChange(operator, { role }, who),
    activate: refuseOperatorChange(operator, { status: 'active' }, who),
    suspend: refuseOperatorChange(operator, { status: 'suspended' }, who),
    'set-password': refuseOperatorChange(operator, { password: '' }, who),
    tokens: refuseToken(operator, who),
    'revoke-tokens': undefined,
    'end-sign-ins': undefined,
    'recovery-link': refuseRecovery(operator, who),
    'one-time-code': refuseCodeRemoval(operator, who),
  }).filter((action) => action !== idle && !(action === 'revoke-tokens' && tokens === 0));
}

/** What one of a merchant's own people may do with an order of theirs. */
export const portalOrderActions = (
  order: Pick<Order, 'status' | 'callbackUrl'>,
  { capabilities }: Pick<AskingPerson, 'capabilities'>,
): readonly 'resend'[] =>
  capabilities.has('write') && refuseResend(order) === undefined ? ['resend'] : [];

export const PORTAL_USER_ACTIONS = [
  'change',
  'change-role',
  'activate',
  'suspend',
  'set-password',
  'recovery-link',
  'invitation',
  'sessions',
] as const;
export type PortalUserAction = (typeof PORTAL_USER_ACTIONS)[number];

/**
 * The first five are changes; `recovery-link` makes one, `invitation` is taken back, `sessions` are
 * ended.
 */
export const portalUserActions = (
  { status, invited }: Pick<PortalPerson, 'status' | 'invited'>,
  { capabilities }: AskingOperator,
): readonly PortalUserAction[] => {
  if (!capabilities.has('administer')) return [];
  const idle: readonly PortalUserAction[] =
    status === 'active' ? ['activate'] : ['suspend', 'recovery-link'];
  const never = invited ? 'sessions' : 'invitation';
  return PORTAL_USER_ACTIONS.filter((action) => !idle.includes(action) && action !== never);
};

export const PERSON_ACTIONS = [
  'change',
  'change-role',
  'activate',
  'suspend',
  'recovery-link',
  'invitation',
  'sessions',
] as const;
export type PersonAction = (typeof PERSON_ACTIONS)[number];

/** The same for the merchant's own admins; `admins` are those who can sign in. */
export function personActions(
  person: PortalPerson,
  who: AskingPerson,
  admins: readonly string[],
): readonly PersonAction[] {
  if (!who.capabilities.has('people')) return [];
  const { portalUserId, status, invited } = person;
  const [lower, suspended] = [
    { role: 'viewer', status } as const,
    { role: person.role, status: 'suspended' } as const,
  ];
  const idle = status === 'active' ? 'activate' : 'suspend';
  return permitted<PersonAction>({
    change: undefined,
    'change-role':
      refusePersonChange(person, { role: person.role }, who) ??
      refuseLastPortalAdmin(portalUserId, lower, admins),
    activate: refusePersonChange(person, { status: 'active' }, who),
    suspend:
      refusePersonChange(person, { status: 'suspended' }, who) ??
      refuseLastPortalAdmin(portalUserId, suspended, admins),
    'recovery-link': refusePersonLink(person, { id: who.portalUserId }),
    invitation: refuseInvitationEnd(person),
    sessions: undefined,
  }).filter((action) => action !== idle && !(action === 'sessions' && invited));
}

export const OWN_KEY_ACTIONS = ['api-keys', 'regenerate'] as const;
/** What somebody may do about the keys of their merchant as a whole. */
export const ownKeyActions = (
  merchant: { readonly ownKeysAllowed: boolean },
  { capabilities }: Pick<AskingPerson, 'capabilities'>,
): readonly (typeof OWN_KEY_ACTIONS)[number][] =>
  capabilities.has('keys') && refuseOwnKeys(merchant) === undefined ? OWN_KEY_ACTIONS : [];

/** And about one of them. */
export const ownKeyAction = (
  { revokedAt }: { readonly revokedAt: Instant | null },
  merchant: { readonly ownKeysAllowed: boolean },
  who: Pick<AskingPerson, 'capabilities'>,
): readonly 'revoke'[] =>
  revokedAt === null && ownKeyActions(merchant, who).length > 0 ? ['revoke'] : [];
