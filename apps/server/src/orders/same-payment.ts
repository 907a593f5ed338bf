import { payableOf } from '../engine/rows/payable.ts';

/** SQL of what deposits are compared with: columns of another one, or parameters. */
interface Payment {
  /** `= …` or `= any(…)`. */
  readonly digits: string;
  readonly accountId: string;
  readonly payerAccount: string;
  readonly payable: string;
  readonly currency: string;
  readonly from: string;
  readonly to: string;
}

/**
 * The deposits `x` that were said to be paid with the same payment (apis.md#orders): the same
 * digits on the same account, the same digits and payable amount on any, or the same QR payer and payable
 * amount.
 * Two conditions, each for an index of its own: orders_digits, orders_payer.
 */
export const samePayment = (of: Payment) => ({
  digits: `x.transaction_digits ${of.digits}
         and x.sent_at between ${of.from} and ${of.to}
         and (x.account_id = ${of.accountId}
           or (${payableOf('x')} = ${of.payable} and x.currency = ${of.currency}))`,
  payer: `x.payer_account = ${of.payerAccount}
         and x.sent_at between ${of.from} and ${of.to}
         and ${payableOf('x')} = ${of.payable}
         and x.currency = ${of.currency}`,
});
