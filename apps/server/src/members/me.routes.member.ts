import { randomUUID } from 'node:crypto';
import { type Given, MEMBER_READ_ME, MEMBER_SET_PRESENCE, type OwnMember } from '@munshi/api';
import { type Currency, type Instant, WALLET_CURRENCY } from '@munshi/core';
import { endStop, findStop, type MissedAlertStop } from '../member-alerts/missed.store.ts';
import { readOrderCurrencies } from '../merchants/store.ts';
import type { MemberCaller, MemberFace } from '../people/access.member.ts';
import type { Deps } from '../people/deps.ts';
import { bind } from '../platform/http/bind.ts';
import { compressed } from '../platform/http/compressed.ts';
import { accepted, found } from '../platform/refusals.ts';
import { type PlatformSettings, readPlatformSettings } from '../writes/platform-settings.store.ts';
import { showAccount } from './accounts.routes.ts';
import { whyNoOrders } from './no-orders.service.ts';
import { findMember, type MemberRecord } from './store.ts';

/** GET /me and POST /presence. */
export function meRoutes(face: MemberFace, { database, clock, engine }: Deps): void {
  const readMe = async (_request: unknown, { principal }: MemberCaller) => ({
    data: await me(principal.memberId),
  });
  bind(face, MEMBER_READ_ME, readMe, { onSend: compressed });

  bind(face, MEMBER_SET_PRESENCE, async ({ body }, caller) => {
    const { memberId } = caller.principal;
    const decision = await engine.submit({
      kind: 'update-member',
      commandId: randomUUID(),
      memberId,
      online: body.online,
      actor: { kind: 'member', id: memberId },
    });
    accepted(decision);
    if (body.online) await endStop(database.pool, memberId, clock.now());
    return { data: await me(memberId) };
  });

  async function me(memberId: string): Promise<Given<OwnMember>> {
    const [member, settings, stop, orderCurrencies] = await Promise.all([
      findMember(database.pool, memberId),
      readPlatformSettings(database.pool),
      findStop(database.pool, memberId),
      readOrderCurrencies(database.pool),
    ]);
    return showMe(found(member, 'Member'), { settings, stop, orderCurrencies }, clock.now());
  }
}

interface Beside {
  readonly orderCurrencies: readonly Currency[];
  readonly settings: Pick<PlatformSettings, 'displayNames' | 'memberShareBasisPoints'>;
  readonly stop: MissedAlertStop | undefined;
}

function showMe(
  member: MemberRecord,
  { settings, stop, orderCurrencies }: Beside,
  now: Instant,
): Given<OwnMember> {
  const { maxOpenOrders, openOrders, floatBalance, floatHeld } = member;
  return {
    ...member,
    currency: WALLET_CURRENCY,
    float: {
      balance: floatBalance,
      held: floatHeld,
      free: floatBalance - floatHeld,
    },
    capacity: { maxOpenOrders, openOrders, free: Math.max(0, maxOpenOrders - openOrders) },
    takenOffline: stop ?? null,
    accounts: member.accounts.map((account) => showAccount(account, now)),
    orderCurrencies,
    noOrdersBecause: whyNoOrders(member, now),
    shareBasisPoints: settings.memberShareBasisPoints,
    displayNames: settings.displayNames,
  };
}
