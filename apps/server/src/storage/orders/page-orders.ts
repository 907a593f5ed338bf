import { type Order, shortReference, upiLink, type WalletType, withAmount } from '@munshi/core';
import type pg from 'pg';
import {
  readShownAccount,
  type ShownAccount,
  shownAccountColumns,
} from '../members/member-accounts.ts';
import { plainArray, runPipeline } from '../pipeline.ts';
import type { Row } from '../rows.ts';
import { type DisplayNames, readDisplayNames } from '../settings.ts';
import { statement } from '../statement.ts';
import { partOfOrder } from './order-row.ts';

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
  readonly account: PayableAccount | null;
  /** The customer of a withdrawal submitted its account on the page. */
  readonly accountSubmitted: boolean;
  /** Names for people by walletType and by provider, where an operator has set them. */
  readonly displayNames: DisplayNames;
}

/** An account with what the payer's app is given. */
export interface PayableAccount extends ShownAccount {
  /** The content of its QR code: with the order's amount, where it has a place for one. */
  readonly qrPayload: string | null;
  /** Opens a UPI app with everything filled in; null where there is no such link. */
  readonly upiLink: string | null;
}

/** Steps by LATERAL: with EXISTS, planned while there are few, all of them are read. */
const PAGE_ORDERS = statement(
  'page-orders',
  `select ${part.list},
     coalesce(m.display_name, m.name) as merchant_name, m.brand_colour, m.logo,
     m.support_email, m.support_phone, m.support_url, m.deposit_methods,
     s.display_names,
     ${shownAccountColumns('a')}, a.qr_amount,
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

function readPageOrder(row: Row): PageOrder {
  const order = part.read(row);
  const account = readShownAccount(row);
  return {
    ...order,
    merchantName: row['merchant_name'],
    brandColour: row['brand_colour'],
    logo: row['logo'],
    support: {
      email: row['support_email'],
      phone: row['support_phone'],
      url: row['support_url'],
    },
    depositMethods: row['deposit_methods'],
    account: account && payable(account, order, row['qr_amount']),
    accountSubmitted: row['account_submitted'],
    displayNames: readDisplayNames(row),
  };
}

function payable(
  account: ShownAccount,
  { amount, currency, orderReference }: Pick<Order, 'amount' | 'currency' | 'orderReference'>,
  qrAmount: boolean,
): PayableAccount {
  const { qrPayload } = account;
  const note = shortReference(orderReference);
  return {
    ...account,
    qrPayload: qrPayload !== null && qrAmount ? withAmount(qrPayload, amount, currency) : qrPayload,
    upiLink: upiLink(account, { amount, currency, note }),
  };
}

/**
 * The same after a command has changed the order; nothing is read again. `account` has no QR code:
 * whether one takes the amount is read with the order.
 */
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
    account: account === undefined ? null : payable(account, order, false),
    accountSubmitted: before.accountSubmitted || submitsAccount,
  };
}
