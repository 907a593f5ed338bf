import type { PortalOrderDetail, PortalOrderView } from '@munshi/api';

type Status = PortalOrderView['status'];
type Step = PortalOrderDetail['steps'][number];

/** What has become of a deposit, in plain words. */
const DEPOSIT: Readonly<Record<Status, string>> = {
  Queued: 'The customer has not opened the payment page yet.',
  Awaiting:
    'No account is free to take the payment yet. The customer is shown one as soon as it is.',
  Assigned: 'The customer has been shown where to pay.',
  AwaitingCustomerPayment: 'The customer sees where to pay, and has not confirmed a payment yet.',
  AwaitingMemberConfirmation: 'The customer says they have paid. The payment is being checked.',
  AwaitingMemberPayout: 'It is being paid out.',
  ManualReview: 'Your operator is looking into it. A webhook is sent as soon as it is decided.',
  Frozen: 'Your operator has put it on hold.',
  Completed: 'The customer has paid, and the money is in your wallet.',
  Confirmed: 'The customer has paid, and the money is in your wallet.',
  Rejected: 'The payment was looked for and not found.',
  Expired: 'The customer did not pay in time.',
  CancelledTimeout: 'No account was free to take the payment in time.',
  Cancelled: 'It was cancelled.',
  CancelledAuto: 'The customer cancelled it, or the account they were shown became unavailable.',
};

/** What has become of a withdrawal, in plain words. */
const WITHDRAWAL: Readonly<Record<Status, string>> = {
  ...DEPOSIT,
  Queued: 'It is waiting to be paid out. The money is reserved in your wallet.',
  Awaiting:
    'It is waiting for the customer’s account, or for somebody to pay it out. The money is reserved in your wallet.',
  Assigned: 'Somebody is about to pay it out.',
  AwaitingMemberPayout: 'It is being paid out. The money is reserved in your wallet.',
  Completed: 'The customer was paid, and the money has left your wallet.',
  Confirmed: 'The customer was paid, and the money has left your wallet.',
  Rejected: 'It could not be paid out. The money is available again.',
  Expired: 'It was not paid out in time. The money is available again.',
  CancelledTimeout:
    'The customer gave no account, or nobody could pay it out, in time. The money is available again.',
  Cancelled: 'It was cancelled. The money is available again.',
  CancelledAuto: 'The customer cancelled it. The money is available again.',
};

/** What a step has brought; members are never named. */
const DEPOSIT_STEPS: Readonly<Record<Exclude<Status, 'AwaitingMemberPayout'>, string>> = {
  Queued: 'Created by your request',
  Awaiting: 'Waiting for a free account',
  Assigned: 'The customer is shown where to pay',
  AwaitingCustomerPayment: 'The customer is shown where to pay',
  AwaitingMemberConfirmation: 'The customer says they have paid',
  ManualReview: 'Under review by your operator',
  Frozen: 'Put on hold by your operator',
  Completed: 'The payment is confirmed',
  Confirmed: 'The payment is confirmed',
  Rejected: 'The payment was not found',
  Expired: 'The time to pay is over',
  Cancelled: 'Cancelled',
  CancelledTimeout: 'Cancelled: no account was free in time',
  CancelledAuto: 'Cancelled by the system',
};

const WITHDRAWAL_STEPS: Readonly<
  Record<Exclude<Status, 'AwaitingCustomerPayment' | 'AwaitingMemberConfirmation'>, string>
> = {
  Queued: 'Created by your request',
  Awaiting: 'Waiting to be paid out',
  Assigned: 'Taken, to be paid out',
  AwaitingMemberPayout: 'Taken, to be paid out',
  ManualReview: 'Under review by your operator',
  Frozen: 'Put on hold by your operator',
  Completed: 'Paid out',
  Confirmed: 'Paid out',
  Rejected: 'Could not be paid out',
  Expired: 'Not paid out in time',
  Cancelled: 'Cancelled',
  CancelledTimeout: 'Cancelled: not paid out in time',
  CancelledAuto: 'Cancelled by the system',
};

const STEPS: Readonly<
  Record<PortalOrderView['orderType'], Readonly<Partial<Record<Status, string>>>>
> = { Deposit: DEPOSIT_STEPS, Withdrawal: WITHDRAWAL_STEPS };

/** What has become of an order. */
export const STORY = { Deposit: DEPOSIT, Withdrawal: WITHDRAWAL };

/** What a step has brought. */
export const brought = (
  { status }: Pick<Step, 'status'>,
  type: PortalOrderView['orderType'],
): string => STEPS[type][status] ?? status;
