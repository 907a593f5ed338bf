import type { ActiveOrSuspended } from './active.ts';
import type { MemberId } from './id.ts';
import { type Currency, METHODS, type OrderType, type WalletType } from './method.ts';
import type { Money } from './money.ts';
import type { Instant } from './order.ts';

export const ACCOUNT_STATUSES = ['pending', 'approved', 'suspended'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

/**
 * A member's wallet or bank account, to receive into and pay from. Limits and usage in wallet
 * currency.
 */
export interface MemberAccount {
  readonly accountId: string;
  readonly walletType: WalletType;
  readonly accountNumber: string;
  readonly accountTitle: string;
  readonly qrPayload: string | null;
  readonly status: AccountStatus;
  /** Its member takes no new orders on it for now. */
  readonly paused: boolean;
  /** Of the orders that it takes; null: of every currency. */
  readonly currencies: readonly Currency[] | null;
  readonly minimumPerOrder: Money | null;
  readonly maximumPerOrder: Money | null;
  readonly maximumPerDay: Money | null;
  /** The UTC day that `dayAmount` counts, as days since the epoch. */
  readonly day: number;
  readonly dayAmount: Money;
}

/** What an account may take, without its number and QR content. */
export type AccountTerms = Omit<
  MemberAccount,
  'accountId' | 'accountNumber' | 'accountTitle' | 'qrPayload'
>;

/** A member with what is needed to choose one. Float in wallet currency. */
export interface Member {
  readonly memberId: MemberId;
  readonly status: ActiveOrSuspended;
  readonly online: boolean;
  readonly maxOpenOrders: number;
  readonly openOrders: number;
  readonly floatBalance: Money;
  /** The part of the balance that open deposits hold. */
  readonly floatHeld: Money;
  /** A late confirmation took the float below what is held. */
  readonly floatOverdrawn: boolean;
  readonly lastAssignedAt: Instant | null;
  /** When a recovery link of theirs was last used, or an operator gave them a password. */
  readonly recoveredAt: Instant | null;
  readonly accounts: readonly MemberAccount[];
}

/** What an order needs of a member. */
export interface Need {
  readonly orderType: OrderType;
  readonly walletType: WalletType;
  readonly currency: Currency;
  /**
   * In the order's currency: what the customer sends (payableAmount), by which two open deposits on
   * one account are distinguished.
   */
  readonly amount: Money;
  /** In wallet currency: what limits and float must cover. */
  readonly floatAmount: Money;
  /** The holder who has to lose the order; null: it is in no hand, or may stay. */
  readonly heldBy: string | null;
  /** Members who held it before: they come after all others (states.md#awaitingmemberpayout). */
  readonly heldBefore: readonly string[];
}

/** What is known before the order is priced: amounts are null in a foreign currency. */
export interface ExpectedNeed extends Omit<Need, 'floatAmount'> {
  readonly floatAmount: Money | null;
}

export interface Assignment {
  readonly member: Member;
  readonly account: MemberAccount;
}

export interface Choice extends Assignment {
  /**
   * The account has an open deposit of the same amount, like every other one that could take the
   * order (states.md#who-gets-an-order).
   */
  readonly equalDeposit: boolean;
  /** The member has held it before, like every other one who could take the order. */
  readonly heldBefore: boolean;
}

const DAY_MS = 86_400_000;
export const dayOf = (at: Instant): number => Math.floor(at / DAY_MS);
export const startOfUtcDay = (day: number): Instant => day * DAY_MS;

/** The account's usage on the day of `at`. */
export const usedOn = (account: Pick<MemberAccount, 'day' | 'dayAmount'>, at: Instant): Money =>
  account.day === dayOf(at) ? account.dayAmount : 0n;

/**
 * Whether this account serves the method: exactly it for a deposit, its provider for a withdrawal
 * (states.md#who-gets-an-order).
 */
export function serves(
  account: Pick<MemberAccount, 'walletType'>,
  need: Pick<Need, 'orderType' | 'walletType'>,
): boolean {
  return need.orderType === 'Deposit'
    ? account.walletType === need.walletType
    : METHODS[account.walletType].provider === METHODS[need.walletType].provider;
}

type Takes = Pick<MemberAccount, 'currencies'>;

/** Whether the account takes orders in this currency (states.md#who-gets-an-order). */
export const takesCurrency = ({ currencies }: Takes, currency: Currency): boolean =>
  currencies === null || currencies.includes(currency);

/** Whether `other` takes every currency that `account` does. */
export const takesNoOtherCurrency = ({ currencies }: Takes, other: Takes): boolean =>
  other.currencies === null ||
  (currencies?.every((currency) => takesCurrency(other, currency)) ?? false);

/** Why a member cannot take an order now, in the order in which it is looked at. */
export const MEMBER_OBJECTIONS = [
  'suspended',
  'offline',
  'full',
  'float-too-small',
  'has-it',
] as const;
export type MemberObjection = (typeof MEMBER_OBJECTIONS)[number];

/** Why an account does not cover it. */
export const ACCOUNT_OBJECTIONS = [
  'other-method',
  'other-currency',
  'not-approved',
  'paused',
  'below-minimum',
  'above-maximum',
  'day-used-up',
] as const;
export type AccountObjection = (typeof ACCOUNT_OBJECTIONS)[number];

type Room = Pick<Member, 'online' | 'status' | 'openOrders' | 'maxOpenOrders'>;

function roomObjection(member: Room): MemberObjection | undefined {
  if (member.status !== 'active') return 'suspended';
  if (!member.online) return 'offline';
  return member.openOrders < member.maxOpenOrders ? undefined : 'full';
}

/** Whether the member can take one more order at all (states.md#who-gets-an-order). */
export const hasRoom = (member: Room): boolean => roomObjection(member) === undefined;

/** The first that keeps the member from one more order now, regardless of the account. */
export function memberObjection(
  member: Omit<Member, 'accounts' | 'floatOverdrawn' | 'recoveredAt'>,
  need: ExpectedNeed,
): MemberObjection | undefined {
  const objection = roomObjection(member);
  if (objection !== undefined) return objection;
  const { orderType, floatAmount, heldBy } = need;
  if (
    orderType === 'Deposit' &&
    floatAmount !== null &&
    member.floatBalance - member.floatHeld < floatAmount
  )
    return 'float-too-small';
  return heldBy === member.memberId ? 'has-it' : undefined;
}

/** Whether the member can take one more order now, regardless of the account. */
export const isAvailable = (
  member: Omit<Member, 'accounts' | 'floatOverdrawn' | 'recoveredAt'>,
  need: ExpectedNeed,
): boolean => memberObjection(member, need) === undefined;

/** Whether the account takes new orders at all. */
export const isOffered = ({ status, paused }: Pick<MemberAccount, 'status' | 'paused'>): boolean =>
  status === 'approved' && !paused;

/** The first that the account's method, currencies, approval and limits have against the order. */
export function accountObjection(
  account: AccountTerms,
  need: ExpectedNeed,
  at: Instant,
): AccountObjection | undefined {
  if (!serves(account, need)) return 'other-method';
  if (!takesCurrency(account, need.currency)) return 'other-currency';
  if (account.status !== 'approved') return 'not-approved';
  if (account.paused) return 'paused';
  const { minimumPerOrder, maximumPerOrder, maximumPerDay } = account;
  const { floatAmount } = need;
  if (floatAmount === null) return undefined;
  if (minimumPerOrder !== null && floatAmount < minimumPerOrder) return 'below-minimum';
  if (maximumPerOrder !== null && floatAmount > maximumPerOrder) return 'above-maximum';
  return maximumPerDay !== null && usedOn(account, at) + floatAmount > maximumPerDay
    ? 'day-used-up'
    : undefined;
}

/** Whether the account's currencies, approval and limits cover the order (states.md#who-gets-an-order). */
export const covers = (account: AccountTerms, need: ExpectedNeed, at: Instant): boolean =>
  accountObjection(account, need, at) === undefined;

/** Whether one of the member's accounts may take the order now (states.md#who-gets-an-order). */
export const couldTake = (
  member: Omit<Member, 'accounts' | 'floatOverdrawn' | 'recoveredAt'> & {
    readonly accounts: readonly AccountTerms[];
  },
  need: ExpectedNeed,
  at: Instant,
) => isAvailable(member, need) && member.accounts.some((account) => covers(account, need, at));

/**
 * Whether the member may now be given a waiting withdrawal that they could not before
 * (states.md#awaiting): they had no free capacity, or an account was approved, is no longer paused
 * or regained some of its daily limit.
 */
export function canTakeMore(before: Member, after: Member, at: Instant): boolean {
  if (!hasRoom(after)) return false;
  if (!hasRoom(before)) return true;
  return after.accounts.some((account) => {
    const was = before.accounts.find(({ accountId }) => accountId === account.accountId);
    if (was === undefined || account === was || !isOffered(account)) return false;
    return (
      !isOffered(was) || (account.maximumPerDay !== null && usedOn(account, at) < usedOn(was, at))
    );
  });
}

/**
 * The member and account to take the order, undefined when nobody is eligible; `candidates` are
 * sorted by `byTurn`. A receiving account without an open deposit of the same amount comes first
 * (states.md#who-gets-an-order), as does a member who has not held the payout yet
 * (states.md#awaitingmemberpayout); then the member whose turn it is (decision 7), then the account
 * with the lower id, so that the choice is the same wherever it is made.
 */
export function chooseMember(
  candidates: Iterable<Member>,
  need: Need,
  at: Instant,
  hasOpenDeposit: (accountId: string, payable: Money) => boolean,
): Choice | undefined {
  let withEqual: Choice | undefined;
  let again: Choice | undefined;
  for (const member of candidates) {
    if (!isAvailable(member, need)) continue;
    let account: MemberAccount | undefined;
    for (const own of member.accounts) {
      if (!covers(own, need, at)) continue;
      if (need.orderType === 'Deposit' && hasOpenDeposit(own.accountId, need.amount)) {
        if (
          withEqual === undefined ||
          (withEqual.member === member && own.accountId < withEqual.account.accountId)
        )
          withEqual = { member, account: own, equalDeposit: true, heldBefore: false };
      } else if (account === undefined || own.accountId < account.accountId) account = own;
    }
    if (account === undefined) continue;
    const heldBefore = need.heldBefore.includes(member.memberId);
    const choice = { member, account, equalDeposit: false, heldBefore };
    if (!heldBefore) return choice;
    again ??= choice;
  }
  return again ?? withEqual;
}

type Turn = Pick<Member, 'memberId' | 'openOrders' | 'lastAssignedAt'>;

/**
 * Negative when `a` is to be served before `b` (decision 7). The member index sorts its hints by
 * the same rule.
 */
export function byTurn(a: Turn, b: Turn): number {
  if (a.openOrders !== b.openOrders) return a.openOrders - b.openOrders;
  const lastA = a.lastAssignedAt ?? Number.NEGATIVE_INFINITY;
  const lastB = b.lastAssignedAt ?? Number.NEGATIVE_INFINITY;
  if (lastA !== lastB) return lastA < lastB ? -1 : 1;
  return a.memberId < b.memberId ? -1 : a.memberId > b.memberId ? 1 : 0;
}
