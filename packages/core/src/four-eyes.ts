import type {
  Approval,
  ApprovalKind,
  AskedWrite,
  Fetcher,
  MoneyKind,
  MovedAlone,
} from './approval.ts';
import type { ForOperators } from './audit.ts';
import type { AskingOperator } from './capability.ts';
import { type Context, type Objection, refuse, type Settings, type View } from './decision.ts';
import type { ApprovalId } from './id.ts';
import { dayOf } from './matching.ts';
import type { Money } from './money.ts';
import type { Instant, Order } from './order.ts';
import type { Actor } from './rows.ts';

/** How long a request may wait, and how long an approved key or token may be fetched. */
const APPROVAL_MS = 24 * 60 * 60 * 1000;

type Operator = Actor & { readonly kind: 'operator' };

interface MoneyAct {
  readonly kind: MoneyKind;
  readonly amount: Money;
  /** What counts in the same sum of this day, before it. */
  readonly today: Money;
}

/** What a command about money says of who decides it. */
export interface DecidedByOperators extends ForOperators {
  readonly actor: Operator;
  /** The sum of the day in which it counts; null: two operators have decided, and it counts in none. */
  readonly sumOf: string | null;
  /** The request for it, which `actor` has approved; null: one operator decides. */
  readonly asked: Approval | null;
}

/** Why one operator may not decide a write alone. */
export const WHY_TWO = ['declared', 'no-limit', 'amount', 'day-sum', 'below-zero'] as const;
export type WhyTwo = (typeof WHY_TWO)[number];

/** What a write answers where one operator may not decide it: nothing is done. */
export interface NeedsTwo {
  readonly status: 'needsTwo';
  readonly why: WhyTwo;
}
export const needsTwo = (why: WhyTwo): NeedsTwo => ({ status: 'needsTwo', why });

/** All operators who are no approvers together: none of them makes others to decide more. */
const SHARED_SUM = 'operators';

/** In which sum counts what an operator decides alone: an approver has one of their own. */
export const daySumOf = ({ id, capabilities }: AskingOperator) =>
  capabilities.has('approve') ? id : SHARED_SUM;

export const isSharedSum = (sumOf: string | null): boolean => sumOf === SHARED_SUM;

/** The keys of the rows that a command needs for that. */
export const sumKeys = (sumOf: string | null): readonly string[] => (sumOf === null ? [] : [sumOf]);

/**
 * Why money waits for a second operator, by the single amount and the sum of the day
 * (security.md#two-operators); null: it does not.
 */
export function whyMoneyWaits(
  settings: Pick<Settings, 'requireSecondOperator' | 'adjustmentApprovalLimit'>,
  { kind, amount, today }: MoneyAct,
): WhyTwo | null {
  const { requireSecondOperator, adjustmentApprovalLimit: limit } = settings;
  if (!requireSecondOperator)
    return kind === 'adjustment' && limit !== null && amount > limit ? 'amount' : null;
  if (limit === null) return today + amount > 0n ? 'no-limit' : null;
  if (amount > limit) return 'amount';
  return today + amount > limit ? 'day-sum' : null;
}

/**
 * How much one operator decides alone, and what of it is left today; null: there is no such limit.
 * Without the second operator it holds for each adjustment of a wallet by itself.
 */
export function limitAlone(
  settings: Pick<Settings, 'requireSecondOperator' | 'adjustmentApprovalLimit'>,
  { kind, today }: Pick<MoneyAct, 'kind' | 'today'>,
): { readonly amount: Money; readonly left: Money | null } | null {
  const { requireSecondOperator, adjustmentApprovalLimit: amount } = settings;
  if (amount === null) return null;
  if (requireSecondOperator) return { amount, left: amount > today ? amount - today : 0n };
  return kind === 'adjustment' ? { amount, left: null } : null;
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

/**
 * The sum of today, UTC. Around midnight clocks of processes differ: what was moved on the day that
 * has begun for one of them counts for the others too.
 */
export const movedOn = ({ day, amount }: MovedAlone, now: Instant): Money =>
  day === dayOf(now) || day === dayOf(now) + 1 ? amount : 0n;

/** Why a command about money waits for a second operator. What two decide does not. */
export const whyWaits = (
  { sumOf }: Pick<DecidedByOperators, 'sumOf'>,
  act: Pick<MoneyAct, 'kind' | 'amount'>,
  view: View,
  now: Instant,
): WhyTwo | null =>
  sumOf === null
    ? null
    : whyMoneyWaits(view.settings, { ...act, today: movedToday(sumOf, view, now) });

/** What operators have moved alone today, of one sum. */
const movedToday = (sumOf: string, view: View, now: Instant): Money =>
  movedOn(view.sums.get(sumOf), now);

/** The sum of the day with one more amount. */
export const movedBy = (
  sumOf: string | null,
  view: View,
  amount: Money,
  now: Instant,
): readonly MovedAlone[] => (sumOf === null ? [] : [movedAlone(view.sums.get(sumOf), amount, now)]);

function movedAlone(before: MovedAlone, amount: Money, now: Instant): MovedAlone {
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
  { actor, asked }: { readonly actor: Operator; readonly asked: AskedWrite | null },
  now: Instant,
): Approval {
  const requested = {
    requestedBy: actor.id,
    requestedName: actor.name,
    requestedAt: now,
    expiresAt: now + APPROVAL_MS,
  };
  return {
    approvalId: approvalId as ApprovalId,
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

/** How many requests of one asker wait at most, so that the others can read each of them. */
const WAITING_MAX = 20;

/** Against one more request of an asker of whom as many wait. */
export const refuseOneMore = (waiting: number): Objection =>
  waiting < WAITING_MAX
    ? undefined
    : refuse(
        'wrong-state',
        `${WAITING_MAX} of your requests wait for a second operator. Withdraw one, or have one decided.`,
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
 * An operator who last gave one of these people a way to sign in does not approve what they ask for,
 * or what is about them: `givenBy`, of each the operator's id.
 */
export const refuseGiver = (givenBy: readonly (string | null)[], who: Who): Objection =>
  givenBy.includes(who.id)
    ? refuse(
        'second-operator',
        'You gave the asker, or a person whom this is about, a password or link: another approver decides.',
      )
    : undefined;

/**
 * What it would do now is not what its second operator was shown; what stands `beside` it changes
 * all the time.
 */
export function refuseOutdated(
  { request }: Pick<Approval, 'request'>,
  now: Approval['request'],
  beside: Approval['request'] = {},
): Objection {
  const names = new Set([...Object.keys(request), ...Object.keys(now)]);
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
 * Against an operator who fetches a secret that `fetcher` gets: an approver has not asked for the
 * key, nor given the asker a way to sign in (`giver`).
 */
export function refuseFetch(
  approval: Approval,
  { fetcher, giver }: { readonly fetcher: Fetcher | null; readonly giver: Objection },
  who: AskingOperator,
  now: Instant,
): Objection {
  const isAsker = approval.requestedBy === who.id;
  if (fetcher === 'merchant')
    return refuse(
      'second-operator',
      'This merchant has an admin with one-time codes, who fetches the key in the portal.',
    );
  if (fetcher === 'approver' && (isAsker || !who.capabilities.has('approve')))
    return refuse(
      'second-operator',
      'A key is fetched by an admin of its merchant with one-time codes, or where there is none by an approver who did not ask for it.',
    );
  if (fetcher === 'approver') return giver ?? refuseNotReady(approval, now);
  return isAsker
    ? refuseNotReady(approval, now)
    : refuse('second-operator', 'Only the operator who asked for it can fetch it.');
}

/**
 * The same of an admin of the key's merchant, who signs in by what `credentialBy` gave them.
 * `asker`: who stands for the operator who asked.
 */
export function refuseFetchByMerchant(
  approval: Approval,
  asker: string,
  { credentialBy }: { readonly credentialBy: string | null },
  now: Instant,
): Objection {
  if (credentialBy === asker)
    return refuse(
      'second-operator',
      'The operator who asked for this key gave you your password or link: another admin must fetch it.',
    );
  return refuseNotReady(approval, now);
}

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

/**
 * What the audit entry of an approved request says of who asked for it. The operator who approves
 * it may write a note for operators of their own.
 */
export const askedWith = ({ asked }: Pick<DecidedByOperators, 'asked'>) =>
  asked !== null && {
    requestedBy: asked.requestedBy,
    ...(typeof asked.request['internalNote'] === 'string' && {
      askedInternalNote: asked.request['internalNote'],
    }),
  };

interface Noted extends Pick<DecidedByOperators, 'actor' | 'asked'> {
  readonly note: string;
}

/** The note of the operator who decides: of what another has asked for, the approver's. */
export const ownNote = ({ asked, note }: Noted): string | null =>
  asked === null ? note : asked.note;

/** The history's note on a move: by two operators it names both. */
export const historyNote = ({ asked, actor, note }: Noted): string =>
  asked === null
    ? note
    : [note, `Asked for by ${asked.requestedName}, approved by ${actor.name}.`, asked.note]
        .filter((part) => part !== null)
        .join(' ');
