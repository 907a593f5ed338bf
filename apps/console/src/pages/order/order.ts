import type { OrderDetailView } from '@munshi/api';
import { type AsText, amountText } from '@munshi/web';

/** An order with everything about it, amounts as text. */
export type OrderDetail = AsText<OrderDetailView>;
export type Picture = OrderDetail['evidence'][number];

export const amountOf = ({ amount, currency }: Pick<OrderDetail, 'amount' | 'currency'>) =>
  amountText(amount, currency);
