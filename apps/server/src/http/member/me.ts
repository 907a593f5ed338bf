import { randomUUID } from 'node:crypto';
import { MEMBER_ME, MEMBER_PRESENCE, type NoOrdersReason, type OwnMember } from '@munshi/api';
import { formatMoney, type Instant, type Member, usedOn, WALLET_CURRENCY } from '@munshi/core';
import type { FastifyInstance } from 'fastify';
import { accepted, found } from '../../services/refusals.ts';
import { findMember, type MemberRecord } from '../../storage/members.ts';
import { showAccount } from '../accounts.ts';
import { bind } from '../bind.ts';
import type { Deps } from '../deps.ts';
import { jsonMoney, jsonTime } from '../values.ts';

/** GET /me and POST /presence. */
export function meRoutes(app: FastifyInstance, { database, clock, engine }: Deps): void {
  bind(app, MEMBER_ME, async ({ member }) => ({ data: await me(member.principal.memberId) }));

  bind(app, MEMBER_PRESENCE, async ({ member, body }) => {
    const { memberId } = member.principal;
    const decision = await engine.submit({
      kind: 'update-member',
      commandId: randomUUID(),
      memberId,
      online: body.online,
      actor: { kind: 'member', id: memberId },
    });
    accepted(decision);
    return { data: await me(memberId) };
  });

  async function me(memberId: string): Promise<OwnMember> {
    return showMe(found(await findMember(database.pool, memberId), 'Member'), clock.now());
  }
}

function showMe(member: MemberRecord, now: Instant): OwnMember {
  const {
    memberId,
    name,
    username,
    status,
    online,
    maxOpenOrders,
    openOrders,
    floatBalance,
    floatHeld,
  } = member;
  return {
    memberId,
    name,
    username,
    status,
    online,
    currency: WALLET_CURRENCY,
    float: {
      balance: jsonMoney(floatBalance),
      held: jsonMoney(floatHeld),
      free: jsonMoney(floatBalance - floatHeld),
    },
    capacity: { maxOpenOrders, openOrders, free: Math.max(0, maxOpenOrders - openOrders) },
    lastAssignedAt: jsonTime(member.lastAssignedAt),
    accounts: member.accounts.map((account) => showAccount(account, now)),
    noOrdersBecause: whyNoOrders(member, now),
  };
}

/**
 * Every condition of matching (D26) that this member fails now, each with what helps. Empty when
 * orders can come.
 */
export function whyNoOrders(member: Member, now: Instant): readonly NoOrdersReason[] {
  const { status, online, openOrders, maxOpenOrders, floatBalance, floatHeld, accounts } = member;
  const approved = accounts.filter((account) => account.status === 'approved');
  const pending = accounts.filter((account) => account.status === 'pending').length;
  const free = floatBalance - floatHeld;
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
  if (openOrders >= maxOpenOrders) {
    stop(
      'capacity-full',
      'everything',
      `You have ${openOrders} open ${openOrders === 1 ? 'order' : 'orders'} of at most ${maxOpenOrders}. Finish one first.`,
    );
  }
  if (free <= 0n) {
    const held = `${formatMoney(floatHeld)} of ${formatMoney(floatBalance)} ${WALLET_CURRENCY} is held by open deposits`;
    stop(
      'no-float',
      'deposits',
      `You have no float for deposits: ${held}. Finish deposits, pay withdrawals out, or ask the operator for float.`,
    );
  }
  for (const { accountId, accountNumber, maximumPerDay, ...account } of approved) {
    const used = usedOn(account, now);
    if (maximumPerDay === null || used < maximumPerDay) continue;
    const limit = `${formatMoney(used)} of ${formatMoney(maximumPerDay)} ${WALLET_CURRENCY}`;
    stop(
      'daily-limit',
      'account',
      `Account ${accountNumber} has taken ${limit} today. It goes on at midnight UTC.`,
      accountId,
    );
  }
  return reasons;
}
