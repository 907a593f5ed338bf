import {
  type Accepted,
  accept,
  type Changes,
  type Context,
  type Notice,
  type View,
} from './decision.ts';
import type { MemberId } from './id.ts';
import { movesTo, type Trigger } from './lifecycle.ts';
import { type Assignment, dayOf, type Member, type Need, usedOn } from './matching.ts';
import type { Money } from './money.ts';
import { hasFailed, hasSucceeded, isLegacy, type Order, reservedBy, type Status } from './order.ts';
import { payableAmount } from './payable.ts';
import { type Posting, settlementMoves } from './posting.ts';
import type { Actor, Delivery, Move, Wallet } from './rows.ts';
import { findsNobody } from './sandbox.ts';
import { eventTypeOf, webhookBody } from './webhook-event.ts';

/** Who did what by which command: the part of a move that does not depend on the order. */
export interface Cause {
  readonly trigger: Trigger;
  readonly actor: Actor;
  readonly commandId: string;
  readonly note?: string | null;
}

export const CLOCK = { kind: 'clock', id: null } as const;
export const CUSTOMER = { kind: 'customer', id: null } as const;

type Needing = Pick<Order, 'orderType' | 'walletType' | 'currency' | 'amount' | 'floatAmount'>;

/** What an order needs of a member. */
export function needOf(order: Needing): Need {
  return {
    orderType: order.orderType,
    walletType: order.walletType,
    currency: order.currency,
    amount: payableAmount(order),
    floatAmount: order.floatAmount,
    heldBy: null,
    heldBefore: [],
  };
}

/** The member for an order that nobody has had: in a sandbox some find none. */
export const findFor = (order: Order, view: View, { now }: Context): Assignment | undefined =>
  view.settings.sandbox && findsNobody(order) ? undefined : view.findMember(needOf(order), now);

/** What an order needs of another member than its holder (states.md#awaitingmemberpayout). */
export const needOfAnother = (
  order: Needing & Pick<Order, 'memberId' | 'formerMemberIds'>,
): Need => ({ ...needOf(order), heldBy: order.memberId, heldBefore: order.formerMemberIds });

/** Changes an order by a step of its history that gives it to nobody and does not end it. */
export function moveOrder(
  from: Order,
  patch: Partial<Order>,
  cause: Cause,
  ctx: Context,
  others: Changes = {},
): Accepted<Order> {
  const { order, move } = withMove(from, { ...from, ...patch }, cause, ctx);
  return accept(order, { orders: [order], moves: [move], ...others });
}

/** Records a step of the history. A step that is not in the tables of moves is a bug. */
function withMove(
  from: Order,
  to: Order,
  cause: Cause,
  ctx: Context,
): { order: Order; move: Move } {
  if (!movesTo(from.orderType, from.status, cause.trigger).includes(to.status)) {
    throw new Error(
      `no such move: ${from.orderType} ${from.status} --${cause.trigger}--> ${to.status}`,
    );
  }
  const number = from.moves + 1;
  const { trigger, actor, commandId, note = null } = cause;
  const { merchantId, orderId, memberId } = to;
  return {
    order: { ...to, moves: number },
    move: {
      merchantId,
      orderId,
      number,
      from: from.status,
      to: to.status,
      trigger,
      actor,
      memberId,
      note,
      commandId,
      at: ctx.now,
    },
  };
}

/**
 * The member after getting this order: capacity, the day's usage and, for a deposit, the held float
 * (states.md#who-gets-an-order).
 */
export function holdFor(order: Order, { member, account }: Assignment, ctx: Context): Member {
  const used = {
    ...account,
    day: dayOf(ctx.now),
    dayAmount: usedOn(account, ctx.now) + order.floatAmount,
  };
  return {
    ...member,
    openOrders: member.openOrders + 1,
    floatHeld:
      order.orderType === 'Deposit' ? member.floatHeld + order.floatAmount : member.floatHeld,
    lastAssignedAt: ctx.now,
    accounts: member.accounts.map((own) => (own.accountId === account.accountId ? used : own)),
  };
}

/** The order, with what else changes of it, assigned to that member. */
export function assigned(
  order: Order,
  { member, account }: Assignment,
  patch: Partial<Order>,
  ctx: Context,
): Order {
  return {
    ...order,
    memberId: member.memberId,
    accountId: account.accountId,
    assignedAt: order.assignedAt ?? ctx.now,
    holderSince: ctx.now,
    ...patch,
  };
}

interface Handover extends Cause {
  readonly found: Assignment;
  /** Who loses the order, as they are without it. */
  readonly released?: Member | undefined;
  readonly patch: Partial<Order> & Pick<Order, 'status' | 'dueAt'>;
}

/**
 * Gives an order to the member found for it, perhaps from another: the step, both members, and the
 * notices to them.
 */
export function handOver(from: Order, handover: Handover, ctx: Context): Accepted<Order> {
  const { found, released, patch } = handover;
  const { order, move } = withMove(from, assigned(from, found, patch, ctx), handover, ctx);
  const next = holdFor(order, found, ctx);
  const { orderId } = order;
  const notices: Notice[] = [{ memberId: next.memberId, event: 'assigned', orderId }];
  if (released === undefined)
    return accept(order, { orders: [order], moves: [move], members: [next], notices });
  notices.unshift({ memberId: released.memberId, event: 'withdrawn', orderId });
  const members = released.memberId === next.memberId ? [next] : [released, next];
  return accept(order, { orders: [order], moves: [move], members, notices });
}

/** A withdrawal that a member has to pay out in time. */
export const payoutUntil = ({ settings }: View, { now }: Context) =>
  ({ status: 'AwaitingMemberPayout', dueAt: now + settings.payoutWindowMs }) as const;

/**
 * The member after an order ended without settlement: capacity, held float and that day's usage
 * come back.
 */
export function releaseFrom(order: Order, member: Member): Member {
  const floatHeld =
    order.orderType === 'Deposit' ? member.floatHeld - order.floatAmount : member.floatHeld;
  return withFloat(
    { ...returnUsage(order, member), openOrders: member.openOrders - 1 },
    { floatBalance: member.floatBalance, floatHeld },
  );
}

function returnUsage(order: Order, member: Member): Member {
  const day = order.holderSince === null ? undefined : dayOf(order.holderSince);
  return {
    ...member,
    accounts: member.accounts.map((account) =>
      account.accountId === order.accountId && account.day === day
        ? { ...account, dayAmount: lessUsage(account.dayAmount, order.floatAmount) }
        : account,
    ),
  };
}

/** Never below zero: a clock set back to an earlier day has started that day's count again. */
const lessUsage = (used: Money, by: Money): Money => (used > by ? used - by : 0n);

/**
 * The member after the order completed with them: a deposit takes float, a withdrawal adds it, and
 * capacity is free again (states.md#who-gets-an-order).
 */
function settleWith(order: Order, member: Member, inHand: boolean): Member {
  const deposit = order.orderType === 'Deposit';
  const floatBalance = deposit
    ? member.floatBalance - order.floatAmount
    : member.floatBalance + order.floatAmount;
  const floatHeld = inHand && deposit ? member.floatHeld - order.floatAmount : member.floatHeld;
  return withFloat(
    { ...member, openOrders: inHand ? member.openOrders - 1 : member.openOrders },
    { floatBalance, floatHeld },
    !inHand,
  );
}

/**
 * The member with this float. Only a payment that had already happened may take it below what is
 * held (states.md#late-confirmations, decision 2). Anything else is a bug, and the database's check
 * refuses it.
 */
export function withFloat(
  member: Member,
  float: Pick<Member, 'floatBalance' | 'floatHeld'>,
  happened = false,
): Member {
  return {
    ...member,
    ...float,
    floatOverdrawn: (member.floatOverdrawn || happened) && float.floatBalance < float.floatHeld,
  };
}

/**
 * The wallet with these sums. Only a payment that had already happened may take its balance below
 * what is reserved (states.md#late-confirmations, decision 2).
 */
export function withSums(
  wallet: Wallet,
  sums: Pick<Wallet, 'balance' | 'reserved' | 'frozen'>,
  happened = false,
): Wallet {
  return {
    ...wallet,
    ...sums,
    overdrawn: (wallet.overdrawn || happened) && sums.balance < sums.reserved,
  };
}

/**
 * The member who holds an order: loaded if the command's keys say that it settles or releases the
 * order.
 */
export function holderOf(order: Order, view: View): Member | undefined {
  if (order.memberId === null) return undefined;
  const member = view.members.get(order.memberId);
  if (member === undefined) throw new Error(`order ${order.orderId} is held by an unknown member`);
  return member;
}

interface Ending extends Cause {
  readonly to: Status;
  /** For the webhook of a failure. */
  readonly reason?: string;
  /** Who received or paid, where it was not the holder or nobody holds the order any more. */
  readonly settledBy?: Member | undefined;
  readonly patch?: Partial<Order>;
}

/**
 * Takes an order to its outcome: the status and stamps, the member's capacity and float, the
 * wallet, the one settlement posting and the webhook delivery, all in one set of changes. Every end
 * of every order goes through here.
 */
export function endOrder(from: Order, ending: Ending, view: View, ctx: Context): Accepted<Order> {
  const completed = hasSucceeded(ending.to);
  const late = hasFailed(from.status);
  const legacy = isLegacy(from.status);
  const holder = late || legacy ? undefined : holderOf(from, view);
  // An order of an older status may name a member who does not exist (states.md#assigned).
  const named = legacy && from.memberId !== null ? view.members.get(from.memberId) : undefined;
  const settler = ending.settledBy ?? (late ? undefined : (holder ?? named));
  const byHolder = settler !== undefined && settler.memberId === holder?.memberId;

  const ended: Order = {
    ...from,
    status: ending.to,
    dueAt: null,
    liveReference: completed ? from.liveReference : null,
    ...(completed
      ? { completedAt: ctx.now }
      : { failedAt: ctx.now, failureReason: ending.reason ?? null }),
    ...(ending.to === 'Rejected' ? { rejectedAt: ctx.now } : {}),
    ...(ending.to === 'Cancelled' ? { cancelledAt: ctx.now } : {}),
    ...(completed && from.orderType === 'Withdrawal' && from.sentAt === null
      ? { sentAt: ctx.now }
      : {}),
    ...(completed && settler && settler.memberId !== from.memberId
      ? { memberId: settler.memberId, accountId: null }
      : {}),
    ...ending.patch,
  };
  const { order, move } = withMove(from, ended, ending, ctx);

  const members = [
    completed && settler && settleWith(from, settler, byHolder),
    holder && !(completed && byHolder) && releaseFrom(from, holder),
    !completed && named && returnUsage(from, named),
  ].filter((member) => typeof member === 'object');
  const posting = completed ? settlementPosting(order, settler?.memberId ?? null, ctx) : undefined;
  const wallet = walletAfter(from, posting, view);
  const delivery = outcomeDelivery(order, ctx);
  const notice: Notice | undefined = holder && {
    memberId: holder.memberId,
    event: completed && byHolder ? 'completed' : 'withdrawn',
    orderId: order.orderId,
  };
  return accept(order, {
    orders: [order],
    moves: [move],
    ...(members.length > 0 && { members }),
    ...(wallet && { wallets: [wallet] }),
    ...(posting && { postings: [posting] }),
    deliveries: [delivery],
    ...(notice && { notices: [notice] }),
  });
}

function settlementPosting(order: Order, memberId: MemberId | null, ctx: Context): Posting {
  const { merchantId, orderId } = order;
  return {
    merchantId,
    postingId: ctx.newId(),
    kind: 'settlement',
    orderId,
    memberId,
    ...settlementMoves(order, memberId !== null),
    note: null,
    postedAt: ctx.now,
  };
}

/** The wallet after the end of an order; undefined when it does not move. */
function walletAfter(from: Order, posting: Posting | undefined, view: View): Wallet | undefined {
  if (reservedBy(from) === 0n && posting === undefined) return undefined;
  const wallet = view.wallets.get(from.merchantId);
  const { balance, reserved, frozen } = wallet;
  return withSums(
    wallet,
    {
      balance: balance + (posting?.wallet ?? 0n),
      reserved: reserved - reservedBy(from),
      frozen,
    },
    hasFailed(from.status),
  );
}

/** The webhook delivery of an outcome, written with it (W1). */
export function outcomeDelivery(order: Order, ctx: Pick<Context, 'now' | 'newId'>): Delivery {
  const { merchantId, orderId, apiKeyId, callbackUrl } = order;
  return {
    merchantId,
    deliveryId: ctx.newId(),
    subjectId: orderId,
    apiKeyId,
    eventType: eventTypeOf(order),
    url: callbackUrl,
    body: webhookBody(order, ctx.now),
    createdAt: ctx.now,
  };
}
