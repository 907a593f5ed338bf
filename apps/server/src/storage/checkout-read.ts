import type { MemberAccount, Order, WalletType } from '@munshi/core';
import type { Queryable } from './db.ts';
import { partOfOrder } from './order-row.ts';
import { type DisplayNames, readDisplayNames } from './platform-settings.ts';

const PAGE_PROPERTIES = [
  'merchantId',
  'orderId',
  'orderReference',
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
  readonly depositMethods: readonly WalletType[];
  /** The member's account that the order is assigned to; whether the customer may see it is the page's to decide. */
  readonly account: Pick<MemberAccount, 'walletType' | 'accountNumber' | 'accountTitle' | 'qrPayload'> | null;
  /** The customer of a withdrawal submitted its account on the page. */
  readonly accountSubmitted: boolean;
  /** Names for people by walletType and by provider, where an operator has set them. */
  readonly displayNames: DisplayNames;
}

const PAGE_ORDER = `select ${part.list}, coalesce(m.display_name, m.name) as merchant_name, m.brand_colour, m.deposit_methods, s.display_names,
    a.wallet_type as account_method, a.account_number, a.account_title, a.qr_payload,
    exists (select from order_moves v where v.merchant_id = o.merchant_id and v.order_id = o.order_id
      and v.trigger = 'customer-submitted-account') as account_submitted
  from orders o join merchants m on m.merchant_id = o.merchant_id cross join settings s
    left join member_accounts a on a.account_id = o.account_id
  where o.order_id = $1`;

/** One order for its customer's page; undefined when there is none. No locks. */
export async function readPageOrder(db: Queryable, orderId: string): Promise<PageOrder | undefined> {
  const { rows } = await db.query({ name: 'page-order', text: PAGE_ORDER, values: [orderId] });
  const row = rows[0];
  if (row === undefined) return undefined;
  return {
    ...part.read(row),
    merchantName: row.merchant_name,
    brandColour: row.brand_colour,
    depositMethods: row.deposit_methods,
    account:
      row.account_method === null
        ? null
        : { walletType: row.account_method, accountNumber: row.account_number, accountTitle: row.account_title, qrPayload: row.qr_payload },
    accountSubmitted: row.account_submitted,
    displayNames: readDisplayNames(row),
  };
}
