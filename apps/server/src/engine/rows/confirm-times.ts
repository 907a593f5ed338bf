import type { Currency, Instant, WalletType } from '@munshi/core';
import { answers, type RecordOf, t } from '../../platform/database/columns.ts';
import { firstIdOf } from '../../platform/database/first-id.ts';
import { readsAll } from '../../platform/database/statement.ts';

const CONFIRM_TIME = answers({
  walletType: t.oneOf<WalletType>(),
  currency: t.oneOf<Currency>(),
  /** The middle of the times from the customer's confirmation to the completion. */
  medianSeconds: t.integer,
});
export type ConfirmTime = RecordOf<typeof CONFIRM_TIME>;

/** SQL for what this part of these times among the rows is not above, in seconds. */
export const confirmPercentile = (part: number): string => `percentile_cont(${part}) within group (
       order by extract(epoch from completed_at - sent_at)
     )`;
export const CONFIRM_MEDIAN = confirmPercentile(0.5);

/** Of a method, the newest. */
const SAMPLE = 500;
/** Fewer say nothing of what is usual. */
const SAMPLE_MIN = 5;

/** How long these methods' deposits took that were created at that time or later. */
export const readConfirmTimes = readsAll(
  'confirm-times',
  // Ids of orders begin with the time of their creation: orders_ended gives the newest first. How old
  // they may be is asked of these alone. Within, it would allow a plan by orders_of_merchant, which
  // looks through every order of that time.
  `select w.wallet_type, o.currency,
     ${CONFIRM_MEDIAN}::integer as median_seconds
   from unnest($1::text[]) as w (wallet_type)
   cross join lateral (
     select order_id, currency, sent_at, completed_at
     from orders
     where status = 'Completed'
       and order_type = 'Deposit'
       and wallet_type = w.wallet_type
     order by order_id desc
     limit ${SAMPLE}
   ) o
   where o.order_id >= $2
     and o.sent_at is not null
   group by 1, 2
   having count(*) >= ${SAMPLE_MIN}`,
  CONFIRM_TIME,
  (methods: readonly WalletType[], since: Instant) => [methods, firstIdOf(since)],
);
