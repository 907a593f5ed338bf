import { payableOf } from '../engine/rows/payable.ts';

/** SQL of what deposits are compared with: columns of another one, or parameters. */
interface Payment {
  /** An array. */
  readonly digits: string;
  readonly accountId: string;
  readonly memberId: string;
  readonly payerAccount: string;
  readonly payable: string;
  readonly currency: string;
  readonly from: string;
  readonly to: string;
}

/**
 * The orders `x` that may be paid with the same payment (apis.md#orders): deposits with the same
 * digits on the same account, with the same digits and payable amount on any, or with the same QR
 * payer and payable amount; and what the member has noted a transaction of that ends with the
 * digits. Three conditions, each for an index of its own: orders_digits, orders_payer, orders_noted.
 */
export const samePayment = (of: Payment) => ({
  digits: `x.transaction_digits = any(${of.digits})
         and x.sent_at between ${of.from} and ${of.to}
         and (x.account_id = ${of.accountId}
           or (${payableOf('x')} = ${of.payable} and x.currency = ${of.currency}))`,
  noted: `x.member_id = ${of.memberId}
         and x.member_transaction_reference is not null
         and x.sent_at between ${of.from} and ${of.to}
         and exists (
           select
           from unnest(${of.digits}) as said (digits)
           where right('00000000' || regexp_replace(x.member_transaction_reference, '[^0-9]', '', 'g'),
             length(said.digits)) = said.digits
         )`,
  payer: `x.payer_account = ${of.payerAccount}
         and x.sent_at between ${of.from} and ${of.to}
         and ${payableOf('x')} = ${of.payable}
         and x.currency = ${of.currency}`,
});
