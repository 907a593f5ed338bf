import type { OrderView } from '@munshi/api';
import { Chip, type Tone } from './status-chip.tsx';

type Status = OrderView['status'];

/** How each status looks, and the words that it has for operators. */
const LOOKS: Readonly<Record<Status, readonly [tone: Tone, label: string]>> = {
  Awaiting: ['waiting', 'Waiting for a member'],
  Queued: ['waiting', 'Page not opened yet'],
  AwaitingCustomerPayment: ['busy', 'Customer pays'],
  AwaitingMemberConfirmation: ['busy', 'Member confirms'],
  AwaitingMemberPayout: ['busy', 'Member pays out'],
  ManualReview: ['review', 'Manual review'],
  Completed: ['done', 'Completed'],
  Rejected: ['failed', 'Rejected'],
  Expired: ['over', 'Expired'],
  CancelledTimeout: ['over', 'Cancelled, out of time'],
  Cancelled: ['over', 'Cancelled'],
  CancelledAuto: ['over', 'Cancelled by the system'],
  Assigned: ['busy', 'Assigned'],
  Frozen: ['needed', 'Frozen'],
  Confirmed: ['done', 'Confirmed'],
};

export const statusLabel = (status: Status): string => LOOKS[status][1];

/** An order's status; in manual review also whether the customer says to have paid. */
export function OrderStatus({ status, stage }: Pick<OrderView, 'status' | 'stage'>) {
  const [tone, label] = LOOKS[status];
  const paid = status === 'ManualReview' && stage === 'Sent';
  return <Chip tone={tone} label={label} {...(paid && { detail: 'customer paid' })} />;
}
