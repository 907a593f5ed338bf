import {
  type Attention,
  attentionOf,
  type ChecklistStep,
  type Day,
  type Instant,
  NO_ALERTS,
  type OrderType,
  type Period,
  presentZone,
  SIGNATURE_ERRORS,
  type Wallet,
} from '@munshi/core';
import { findWallet } from '../engine/rows/wallets.ts';
import { findAlertSettings } from '../merchant-alerts/store.ts';
import { daysOf } from '../merchants/days.ts';
import { findMerchant, type MerchantRecord } from '../merchants/store.ts';
import {
  countEndedBeforeLastHour,
  countEndedInLastHour,
  type OwnOutcomes,
  readOutcomesOf,
} from '../orders/outcomes.store.ts';
import { BoundedMap } from '../platform/bounded-map.ts';
import { withinTime } from '../platform/database/limited.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { refusingSlow } from '../platform/database/slow.ts';
import { paced } from '../platform/lasting.ts';
import { found } from '../platform/refusals.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import { countRefusedSince, readActiveKeys, readFailingReceivers, readSetUp } from './store.ts';

/** How a merchant does today, as its people see it first (portal.md#figures-and-alerts). */
export interface PortalHome {
  readonly asOf: Instant;
  readonly wallet: Wallet;
  /** Of the days. */
  readonly timeZone: string;
  /** Today goes on. */
  readonly days: readonly [today: OwnDay, yesterday: OwnDay];
  readonly attention: readonly Attention[];
  /** The newest first. */
  readonly activeKeys: Awaited<ReturnType<typeof readActiveKeys>>;
  readonly checklist: Readonly<Record<ChecklistStep, boolean>>;
  /** It has never made an order. */
  readonly isNew: boolean;
}
export interface OwnDay {
  readonly day: Day;
  readonly outcomes: Readonly<Record<OrderType, OwnOutcomes>>;
}

const READ_EVERY_MS = 1_000;
const MERCHANTS_MAX = 1_000;
const HOUR_MS = 3_600_000;
/** With these a request was refused before its signature was found right. */
const UNSIGNED: readonly string[] = Object.keys(SIGNATURE_ERRORS).filter(
  (code) => code !== 'SIGNATURE_REPLAYED',
);

/** Reads each merchant's at most once a second in this process. Throws `not-found`, `too-slow`. */
export function createPortalHome({
  database: { pool },
  clock,
}: Pick<ServiceDeps, 'database' | 'clock'>): (merchantId: string) => Promise<PortalHome> {
  const read = (merchantId: string) =>
    refusingSlow(
      () => 'Try again in a while.',
      () =>
        withinTime({ pool, reader: merchantId }, (client) =>
          readHome(client, merchantId, clock.now()),
        ),
    );
  const homes = new BoundedMap<string, () => Promise<PortalHome>>(MERCHANTS_MAX);
  return (merchantId) => {
    const own = homes.get(merchantId) ?? paced(READ_EVERY_MS, () => read(merchantId));
    homes.set(merchantId, own);
    return own();
  };
}

async function readHome(client: Queryable, merchantId: string, now: Instant): Promise<PortalHome> {
  const merchant = found(await findMerchant(client, merchantId), 'Merchant');
  const wallet = found(await findWallet(client, merchantId), 'Merchant');
  const [today, yesterday] = daysOf(merchant, now);
  const outcomes = (period: Period) => readOutcomesOf(client, merchantId, period);
  const days = [
    { day: today.day, outcomes: await outcomes(today.period) },
    { day: yesterday.day, outcomes: await outcomes(yesterday.period) },
  ] as const;
  const setUp = await readSetUp(client, merchantId, UNSIGNED);
  const activeKeys = await readActiveKeys(client, merchantId);
  const attention = attentionOf(
    {
      failingReceivers: await readFailingReceivers(client, merchantId),
      available: wallet.balance - wallet.reserved,
      withdrawnYesterday: days[1].outcomes.Withdrawal.sum,
      lastHour: await countEndedInLastHour(client, merchantId, now),
      yesterday: await countEndedBeforeLastHour(client, merchantId, yesterday.period, now),
      refused: await countRefusedSince(client, merchantId, now - HOUR_MS),
      // For a new merchant it is a step of the checklist.
      hasCallbackUrl: merchant.defaultCallbackUrl !== null || !setUp.hasOrders,
      activeKeys,
      limits: (await findAlertSettings(client, merchantId)) ?? NO_ALERTS,
    },
    now,
  );
  const checklist = checklistOf(merchant, setUp);
  const timeZone = presentZone(merchant.zones);
  const isNew = !setUp.hasOrders;
  return { asOf: now, wallet, timeZone, days, attention, activeKeys, checklist, isNew };
}

const checklistOf = (
  { ipWhitelist }: MerchantRecord,
  setUp: Awaited<ReturnType<typeof readSetUp>>,
): PortalHome['checklist'] => ({
  'api-key': setUp.hasKey,
  'signed-request': setUp.hasSigned,
  'webhook-received': setUp.hasDelivered,
  'webhook-verified': setUp.hasVerified,
  'return-addresses': setUp.hasReturnAddresses,
  'ip-list': ipWhitelist.enabled,
});
