import type { NoOrdersReason } from '@munshi/api';
import {
  type Instant,
  type Member,
  type Money,
  moneyText,
  usedOn,
  WALLET_CURRENCY,
} from '@munshi/core';

/**
 * Every condition of matching (states.md#who-gets-an-order) that this member fails now, each with
 * what helps. Empty when orders can come.
 */
export function whyNoOrders(member: Member, now: Instant): readonly NoOrdersReason[] {
  const { status, online, openOrders, maxOpenOrders, floatBalance, floatHeld, accounts } = member;
  const approved = accounts.filter((account) => account.status === 'approved');
  const pending = accounts.filter((account) => account.status === 'pending').length;
  const free = floatBalance - floatHeld;
  const text = (of: Money) => moneyText(of, WALLET_CURRENCY);
  const reasons: NoOrdersReason[] = [];
  const stop = (
    code: NoOrdersReason['code'],
    stops: NoOrdersReason['stops'],
    message: string,
    accountId: string | null = null,
  ) => reasons.push({ code, stops, accountId, message });

  if (status === 'suspended')
    stop('suspended', 'everything', 'You are suspended. Ask the operator.');
  if (!online) stop('offline', 'everything', 'You are offline. Come online to get orders.');
  if (approved.length === 0) {
    const next =
      pending > 0
        ? `${pending} of yours ${pending === 1 ? 'waits' : 'wait'} for the operator.`
        : 'Add one, and ask the operator to approve it.';
    stop('no-approved-account', 'everything', `None of your accounts is approved. ${next}`);
  }
  const paused = approved.filter((account) => account.paused);
  if (approved.length > 0 && paused.length === approved.length)
    stop('all-accounts-paused', 'everything', 'You have paused all your accounts. Resume one.');
  else
    for (const { accountId, accountNumber } of paused)
      stop(
        'account-paused',
        'account',
        `You have paused account ${accountNumber}. Resume it to get orders there.`,
        accountId,
      );
  if (maxOpenOrders === 0)
    stop('orders-paused', 'everything', 'The operator has paused new orders for you. Ask them.');
  else if (openOrders >= maxOpenOrders) {
    stop(
      'capacity-full',
      'everything',
      `You have ${openOrders} open ${openOrders === 1 ? 'order' : 'orders'} of at most ${maxOpenOrders}. Finish one first.`,
    );
  }
  if (free <= 0n) {
    const held = `${text(floatHeld)} of ${text(floatBalance)} is held by open deposits`;
    stop(
      'no-float',
      'deposits',
      `You have no float for deposits: ${held}. Pay withdrawals out, or ask the operator for float.`,
    );
  }
  for (const { accountId, accountNumber, maximumPerDay, ...account } of approved) {
    const used = usedOn(account, now);
    if (maximumPerDay === null || used < maximumPerDay) continue;
    const limit = `${text(used)} of ${text(maximumPerDay)}`;
    stop(
      'daily-limit',
      'account',
      `Account ${accountNumber} has taken ${limit} today. It goes on at midnight UTC.`,
      accountId,
    );
  }
  return reasons;
}
