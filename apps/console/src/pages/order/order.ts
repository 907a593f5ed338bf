import type { OrderDetailView } from '@munshi/api';
import { type AsText, amountText } from '@munshi/web';

/** An order with everything about it, amounts as text. */
export type OrderDetail = AsText<OrderDetailView>;
export type Picture = OrderDetail['evidence'][number];

export const amountOf = ({ amount, currency }: Pick<OrderDetail, 'amount' | 'currency'>) =>
  amountText(amount, currency);

type Claimed = Pick<OrderDetailView['lateClaims'][number], 'transactionDigits' | 'payerAccount'>;
/** How a late claim is found. */
export const claimedBy = ({ transactionDigits, payerAccount }: Claimed) =>
  transactionDigits === null ? `from ${payerAccount}` : `with digits ${transactionDigits}`;

/** Actors without a name. */
export const ACTORS = {
  merchant: 'the merchant',
  customer: 'the customer',
  clock: 'the clock',
  member: 'a member',
  operator: 'an operator',
};

/** A picture by the step that it was handed in with. */
const PICTURE_OF = {
  confirm: (who: string) => `${who}: picture with the confirmation`,
  reject: (who: string) => `${who}: picture with the rejection`,
  report: (who: string) => `${who}: picture with the report`,
  paid: () => 'Customer: picture of the payment',
};
export const pictureOf = ({ kind, memberName }: Picture) => PICTURE_OF[kind](memberName ?? '');

/** What the customer has said of the payment since they confirmed it. */
export const addedTo = ({ timeline }: Pick<OrderDetail, 'timeline'>) =>
  timeline.flatMap((entry) =>
    entry.kind === 'note' && entry.actor.kind === 'customer' ? [entry] : [],
  );

/** The digits that the present ones correct. */
export const formerDigits = (order: Pick<OrderDetail, 'timeline'>): string | null =>
  addedTo(order).find(({ about }) => about === 'correctedDigits')?.note ?? null;
