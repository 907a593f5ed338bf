import type { Approval, ApprovalKind, AskedWrite, MoneyKind, MovedAlone } from './approval.ts';
import type { ForOperators } from './audit.ts';
import { areIndependent, type Control } from './control.ts';
import {
  type Actor,
  type Context,
  type Objection,
  refuse,
  type Settings,
  type View,
} from './decision.ts';
import { dayOf } from './matching.ts';
import type { Money } from './money.ts';
import type { Instant, Order } from './order.ts';

/** How long a request may wait, and how long an approved key or token may be fetched. */
const APPROVAL_MS = 24 * 60 * 60 * 1000;

type Operator = Actor & { readonly kind: 'operator' };

interface MoneyAct {
  readonly kind: MoneyKind;
  readonly amount: Money;
  /**
   * What has been moved alone on this day, before it, in the asker's name; 0 where it does not
   * count.
   */
  readonly today: Money;
  /** Neither the customer nor the member has said that money moved (security.md#two-operators). */
  readonly unattested?: boolean;
  /** It is about a member in whose name the asker can act. */
  readonly ofOwnMember?: boolean;
}

/** What is known of an asker for the rule of the second operator (security.md#two-operators). */
export interface Standing {
  /** The asker, and every operator who can act in their name. */
  readonly holders: readonly string[];
  /** Of the members that the command is about, by their ids, those who are not the asker's own. */
  readonly otherMembers: readonly string[];
  /**
   * The asker, or somebody who is not independent of them, has had a key of the order's merchant,
   * or has let somebody in there.
   */
  readonly ofMerchant: boolean;
}

/**
 * What a command says that may have to wait for a second operator: it is sent once more, as it was
 * asked for, by the operator who approves it.
 */
export interface MayWait extends ForOperators {
  readonly actor: Operator;
  readonly standing: Standing;
  /** The request that it came by. */
  readonly asked: AskedWrite | null;
  /** The waiting request that it came by before, which `actor` approves. */
  readonly approvalId?: string | undefined;
}

/**
 * Whether money waits for a second operator. By the single amount, the sum of the day, what was
 * said, and whose member it is about (security.md#two-operators).
 */
export function needsSecondOperator(
  settings: Settings,
  { kind, amount, today, unattested = false, ofOwnMember = false }: MoneyAct,
): boolean {
  const { requireSecondOperator, adjustmentApprovalLimit: limit } = settings;
  if (!requireSecondOperator) return kind === 'adjustment' && limit !== null && amount > limit;
  const allowed = limit ?? 0n;
  return unattested || ofOwnMember || today + amount > allowed;
}

/**
 * Whether a member may have paid the withdrawal. To cancel it then gives the payout back to its
 * merchant as well, and counts as money that moves (security.md#two-operators).
 */
export const mayBePaid = ({
  orderType,
  memberId,
}: Pick<Order, 'orderType' | 'memberId'>): boolean =>
  orderType === 'Withdrawal' && memberId !== null;

/** Against cancelling such a withdrawal of a merchant that may be the asker's own. */
export const refuseOwnPayout = (
  order: Pick<Order, 'orderType' | 'memberId'>,
  { ofMerchant }: Standing,
  { requireSecondOperator }: Settings,
): Objection =>
  requireSecondOperator && ofMerchant && mayBePaid(order)
    ? refuse(
        'second-operator',
        'Its member may have paid, and you have had a key of this merchant or let people in there: another operator cancels it.',
      )
    : undefined;

/**
 * The operator's sum of today, UTC. Around midnight clocks of processes differ: what was moved on
 * the day that has begun for one of them counts for the others too.
 */
export const movedOn = ({ day, amount }: MovedAlone, now: Instant): Money =>
  day === dayOf(now) || day === dayOf(now) + 1 ? amount : 0n;

/** What was moved today in the name of any of the asker's holders: the most of it. */
export const movedToday = ({ holders }: Standing, view: View, now: Instant): Money =>
  holders
    .map((id) => movedOn(view.movedAlone(id), now))
    .reduce((most, sum) => (sum > most ? sum : most), 0n);

/** The sums of a day with one more amount: it counts for each who can act in the asker's name. */
export const movedBy = (
  { holders }: Standing,
  view: View,
  amount: Money,
  now: Instant,
): readonly MovedAlone[] => holders.map((id) => movedAlone(view.movedAlone(id), amount, now));

/**
 * Whether the asker can act in the name of a member. A person who is not known to be another is
 * one.
 */
export const isOwnMember = ({ otherMembers }: Standing, memberId: string | null): boolean =>
  memberId !== null && !otherMembers.includes(memberId);

/** The sum of the operator's day with one more amount. */
export function movedAlone(before: MovedAlone, amount: Money, now: Instant): MovedAlone {
  const today = dayOf(now);
  const day = before.day === today + 1 ? before.day : today;
  return { ...before, day, amount: movedOn(before, now) + amount };
}

/** A new waiting request. */
export function newApproval(
  kind: ApprovalKind,
  approvalId: string,
  target: string,
  request: Approval['request'],
  { actor, asked }: Pick<MayWait, 'actor' | 'asked'>,
  now: Instant,
): Approval {
  const requested = {
    requestedBy: actor.id,
    requestedName: actor.name,
    requestedAt: now,
    expiresAt: now + APPROVAL_MS,
  };
  return {
    approvalId,
    kind,
    target,
    request,
    asked,
    ...requested,
    status: 'pending',
    decidedBy: null,
    decidedName: null,
    decidedAt: null,
    note: null,
  };
}

/** By their id: the one who approves, declines or fetches. */
type Who = Pick<Operator, 'id'>;

/**
 * Of the requests that wait about the same: the one that the command approves, or else the asker's
 * own.
 */
export const waitingFor = (
  waiting: readonly Approval[],
  { actor, approvalId }: Pick<MayWait, 'actor' | 'approvalId'>,
): Approval | undefined =>
  waiting.find((each) =>
    approvalId === undefined ? each.requestedBy === actor.id : each.approvalId === approvalId,
  );

export function refuseApproval(approval: Approval, who: Who, now: Instant): Objection {
  if (approval.status !== 'pending')
    return refuse(
      'wrong-state',
      `This request is ${approval.status}; it no longer waits for approval.`,
    );
  if (now >= approval.expiresAt)
    return refuse('wrong-state', 'This request has expired. It has to be made again.');
  if (approval.requestedBy !== who.id) return undefined;
  return refuse(
    'second-operator',
    'This must be approved by another operator than the one who asked for it.',
  );
}

/**
 * What it would do now is not what its second operator was shown; what stands `beside` it changes
 * all the time. The version before has named only a part in some requests: of these, what they
 * name; and who let people in, in none.
 */
export function refuseOutdated(
  { request, asked }: Approval,
  now: Approval['request'],
  beside: Approval['request'] = {},
): Objection {
  const unnamed = ['letInBy', 'letInByIds'].filter((name) => request[name] === undefined);
  const names = new Set([...Object.keys(request), ...(asked === null ? [] : Object.keys(now))]);
  for (const name of unnamed) names.delete(name);
  if ([...names].every((name) => name in beside || request[name] === now[name])) return undefined;
  return refuse(
    'wrong-state',
    'It would no longer do what it says here. Decline it, and have it asked for again.',
  );
}

/** What was approved and not fetched can be turned down too. The asker withdraws it so. */
export const refuseDecline = ({ status }: Approval): Objection =>
  status === 'pending' || status === 'approved'
    ? undefined
    : refuse('wrong-state', `This request is ${status} already.`);

/**
 * Those of a merchant who fetch its key in place of the operator who asked for it, and who can act
 * in their names: ids and names, each sorted and comma separated.
 */
export interface KeyFetchers {
  readonly fetchedByIds: string;
  readonly fetchedBy: string;
  readonly letInByIds: string;
  /** The operators of these. */
  readonly letInBy: string;
}

/** Whom a request names, to both operators, as those who fetch the key. */
export function namedFetchers({
  request,
}: Pick<Approval, 'request'>): Pick<KeyFetchers, 'fetchedBy' | 'fetchedByIds'> | undefined {
  const { fetchedBy, fetchedByIds } = request;
  return typeof fetchedBy === 'string' && typeof fetchedByIds === 'string'
    ? { fetchedBy, fetchedByIds }
    : undefined;
}

/**
 * An approved key or token: once, for the asker, within a day of the approval, unless it names
 * those of the merchant who fetch it.
 */
export function refuseFetch(approval: Approval, who: Who, now: Instant): Objection {
  if (approval.requestedBy !== who.id)
    return refuse('second-operator', 'Only the operator who asked for it can fetch it.');
  if (namedFetchers(approval) !== undefined)
    return refuse('second-operator', 'The merchant’s own admins fetch this key in their portal.');
  return refuseNotReady(approval, now);
}

/**
 * The same for an admin of its merchant whom the request names, with those who could act for them:
 * both operators have agreed to these and to nobody who came later, nor to one of these who has
 * given the admin another way to sign in since.
 */
export function refuseFetchByMerchant(
  approval: Approval,
  who: Who,
  now: Instant,
  control: Control,
): Objection {
  const named = namedFetchers(approval)?.fetchedByIds.split(', ') ?? [];
  if (!named.includes(who.id))
    return refuse(
      'second-operator',
      'The operators who decided about this key did not name you: another admin must fetch it, or it is asked for again.',
    );
  if (!areIndependent(control, approval.requestedBy, who.id))
    return refuse(
      'second-operator',
      'The operator who asked for this key has let you in here: another admin must fetch it.',
    );
  if (control.givenAt(who.id) > approval.requestedAt) return refuse('second-operator', GIVEN_SINCE);
  const holders = [...control.holdersOf(who.id)];
  const { letInByIds } = approval.request; // not in requests of the version before
  const known = typeof letInByIds === 'string' ? [...named, ...letInByIds.split(', ')] : holders;
  if (holders.some((id) => !known.includes(id))) return refuse('second-operator', GIVEN_SINCE);
  return refuseNotReady(approval, now);
}
const GIVEN_SINCE =
  'Since this key was asked for, somebody else has given you a way to sign in: it has to be asked for again.';

function refuseNotReady(approval: Approval, now: Instant): Objection {
  if (approval.status !== 'approved')
    return refuse('wrong-state', `This request is ${approval.status}; there is nothing to fetch.`);
  if (!hasExpired(approval, now)) return undefined;
  return refuse('wrong-state', 'The approval has expired. It has to be asked for again.');
}

/** Whether it has waited too long: to be approved, or to be fetched after that. */
export const hasExpired = ({ status, expiresAt, decidedAt }: Approval, now: Instant): boolean =>
  (status === 'pending' && now >= expiresAt) ||
  (status === 'approved' && now >= fetchedUntil({ decidedAt }));

/** Until when what was approved can be fetched. */
export const fetchedUntil = ({ decidedAt }: Pick<Approval, 'decidedAt'>): Instant =>
  (decidedAt ?? 0) + APPROVAL_MS;

export function decided(
  approval: Approval,
  status: Approval['status'],
  { id, name }: Operator,
  note: string | null,
  { now }: Pick<Context, 'now'>,
): Approval {
  return { ...approval, status, decidedBy: id, decidedName: name, decidedAt: now, note };
}

/** A newer request about the same replaces the asker's own that waits. */
export const withdrawn = (
  asked: Approval | undefined,
  actor: Operator,
  ctx: Context,
): readonly Approval[] =>
  asked === undefined
    ? []
    : [decided(asked, 'withdrawn', actor, 'A newer request has taken its place.', ctx)];

/**
 * What the audit entry of an approved request says of who asked for it. The operator who approves
 * it may write a note for operators of their own.
 */
export const askedWith = ({ requestedBy, request: { internalNote } }: Approval) => ({
  requestedBy,
  ...(typeof internalNote === 'string' && { askedInternalNote: internalNote }),
});

/** The history's note on a move by two operators. */
export const noteOfTwo = (approval: Approval, actor: Operator, note: string | null): string =>
  [
    approval.request['note'],
    `Asked for by ${approval.requestedName}, approved by ${actor.name}.`,
    note,
  ]
    .filter((part) => part !== null)
    .join(' ');
