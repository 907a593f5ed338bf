import type { Order, WalletType } from '@munshi/core';
import type pg from 'pg';
import { readShownAccount, type ShownAccount, shownAccountColumns } from './member-accounts.ts';
import { partOfOrder } from './order-row.ts';
import { plainArray, runPipeline } from './pipeline.ts';
import type { Row } from './rows.ts';
import { type DisplayNames, readDisplayNames } from './settings.ts';
import { statement } from './statement.ts';

const PAGE_PROPERTIES = [
  'merchantId',
  'orderId',
  'orderReference',
  'merchantOrderRef',
  'orderType',
  'walletType',
  'currency',
  'amount',
  'floatAmount',
  'status',
  'memberId',
  'customerAccountNumber',
  'successUrl',
  'failureUrl',
  'txnRefDigitsRequired',
  'payerAccount',
  'transactionDigits',
  'reasonCode',
  'methodSwitches',
  'createdAt',
  'expiresAt',
  'sentAt',
  'completedAt',
  'failedAt',
] as const satisfies readonly (keyof Order)[];

const part = partOfOrder('o', PAGE_PROPERTIES);

/** What the hosted page shows an order from. */
export interface PageOrder extends Pick<Order, (typeof PAGE_PROPERTIES)[number]> {
  /** As customers know the merchant: its display name, or else its name. */
  readonly merchantName: string;
  /** `#rrggbb` in lower case; null: the merchant has none. */
  readonly brandColour: string | null;
  /** The hash of its picture in `logos`, which `/pay/logo/<hash>.webp` answers. */
  readonly logo: string | null;
  /** Where the merchant's customers ask for help; null: no such way. `url` is https. */
  readonly support: {
    readonly email: string | null;
    readonly phone: string | null;
    readonly url: string | null;
  };
  readonly depositMethods: readonly WalletType[];
  /**
   * The member's account that the order is assigned to; whether the customer may see it is the
   * page's to decide.
   */
  readonly account: ShownAccount | null;
  /** The customer of a withdrawal submitted its account on the page. */
  readonly accountSubmitted: boolean;
  /** Names for people by walletType and by provider, where an operator has set them. */
  readonly displayNames: DisplayNames;
}

/** Steps by LATERAL: with EXISTS, planned while there are few, all of them are read. */
const PAGE_ORDERS = statement(
  'page-orders',
  `select ${part.list},
     coalesce(m.display_name, m.name) as merchant_name, m.brand_colour, m.logo,
     m.support_email, m.support_phone, m.support_url, m.deposit_methods,
     s.display_names,
     ${shownAccountColumns('a')},
     v.found is not null as account_submitted
   from unnest($1::uuid[]) with ordinality as q (order_id, n)
   cross join settings s
   left join orders o on o.order_id = q.order_id and o.order_id = any($1::uuid[])
   left join merchants m on m.merchant_id = o.merchant_id
   left join member_accounts a on a.account_id = o.account_id
   left join lateral (
     select true as found
     from order_moves
     where order_id = o.order_id
       and trigger = 'customer-submitted-account'
     limit 1
   ) v on true
   order by q.n`,
);

/** Orders for their customers' pages, each by its id; undefined where there is none. */
export async function readPageOrders(
  lane: pg.Client,
  orderIds: readonly string[],
): Promise<readonly (PageOrder | undefined)[]> {
  const [rows = []] = await runPipeline(lane, [{ ...PAGE_ORDERS, values: [plainArray(orderIds)] }]);
  return rows.map((row) => (row['order_id'] === null ? undefined : readPageOrder(row)));
}

const readPageOrder = (row: Row): PageOrder => ({
  ...part.read(row),
  merchantName: row['merchant_name'],
  brandColour: row['brand_colour'],
  logo: row['logo'],
  support: {
    email: row['support_email'],
    phone: row['support_phone'],
    url: row['support_url'],
  },
  depositMethods: row['deposit_methods'],
  account: readShownAccount(row),
  accountSubmitted: row['account_submitted'],
  displayNames: readDisplayNames(row),
});

/** The same after a command has changed the order; nothing is read again. */
export function withChanges(
  before: PageOrder,
  order: Order,
  account: ShownAccount | undefined,
): PageOrder {
  const submitsAccount =
    before.customerAccountNumber === null && order.customerAccountNumber !== null;
  return {
    ...before,
    ...order,
    account: account ?? null,
    accountSubmitted: before.accountSubmitted || submitsAccount,
  };
}
