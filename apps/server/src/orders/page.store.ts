import {
  type Order,
  payableAmount,
  shortReference,
  upiLink,
  type WalletType,
  withAmount,
} from '@munshi/core';
import type pg from 'pg';
import { SHOWN_ACCOUNT } from '../engine/rows/account.ts';
import { ofOrder } from '../engine/rows/order-row.ts';
import type { ShownAccount } from '../members/accounts.store.ts';
import { columns, from, optional, orNull, type RecordOf, t } from '../platform/database/columns.ts';
import { plainArray, runPipeline } from '../platform/database/pipeline.ts';
import { statement } from '../platform/database/statement.ts';
import { DISPLAY_NAMES } from '../writes/platform-settings.store.ts';

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
  'dueAt',
] as const satisfies readonly (keyof Order)[];

const PAGE_ORDER = columns('o', {
  ...ofOrder(PAGE_PROPERTIES),
  /** As customers know the merchant: its display name, or else its name. */
  merchantName: from('coalesce(m.display_name, m.name)', t.text),
  /** `#rrggbb` in lower case; null: the merchant has none. */
  brandColour: from('m.brand_colour', orNull(t.text)),
  /** The hash of its picture in `logos`, which `/pay/logo/<hash>.webp` answers. */
  logo: from('m.logo', orNull(t.text)),
  /** Where the merchant's customers ask for help; null: no such way. `url` is https. */
  support: columns('m', {
    email: from('support_email', orNull(t.text)),
    phone: from('support_phone', orNull(t.text)),
    url: from('support_url', orNull(t.text)),
  }),
  depositMethods: from('m.deposit_methods', t.listOf<WalletType>()),
  account: optional(columns('a', { ...SHOWN_ACCOUNT, qrAmount: t.boolean }), 'accountId'),
  /** The customer of a withdrawal submitted its account on the page. */
  accountSubmitted: from('v.found is not null', t.boolean),
  /** Names for people by walletType and by provider, where an operator has set them. */
  displayNames: from('s.display_names', DISPLAY_NAMES),
});

/** What the hosted page shows an order from. */
export interface PageOrder extends Omit<RecordOf<typeof PAGE_ORDER>, 'account'> {
  /**
   * The member's account that the order is assigned to; whether the customer may see it is the
   * page's to decide.
   */
  readonly account: PayableAccount | null;
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
  `select ${PAGE_ORDER.list}
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
  optional(PAGE_ORDER, 'orderId'),
);

export interface PageOrderReader {
  /** By the order's id, of the right form. */
  pageOrder(orderId: string): Promise<PageOrder | undefined>;
}

/** Orders for their customers' pages, each by its id; undefined where there is none. */
export async function readPageOrders(
  lane: pg.Client,
  orderIds: readonly string[],
): Promise<readonly (PageOrder | undefined)[]> {
  const [orders] = await runPipeline(lane, [{ ...PAGE_ORDERS, values: [plainArray(orderIds)] }]);
  return orders.map((order) => {
    if (order === null) return undefined;
    const { account } = order;
    return { ...order, account: account && toPay(account, order, account.qrAmount) };
  });
}

function toPay(
  { accountId, walletType, accountNumber, accountTitle, qrPayload }: ShownAccount,
  order: Pick<Order, 'orderType' | 'amount' | 'currency' | 'orderReference'>,
  qrAmount: boolean,
): PayableAccount {
  const { currency, orderReference } = order;
  const payable = payableAmount(order);
  const account = { accountId, walletType, accountNumber, accountTitle };
  const note = shortReference(orderReference);
  return {
    ...account,
    qrPayload:
      qrPayload !== null && qrAmount ? withAmount(qrPayload, payable, currency) : qrPayload,
    upiLink: upiLink({ ...account, qrPayload }, { payable, currency, note }),
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
    account: account === undefined ? null : toPay(account, order, false),
    accountSubmitted: before.accountSubmitted || submitsAccount,
  };
}
