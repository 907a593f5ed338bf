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

/** Every word of the page of an order. */
export const texts = {
  title: (amount: string, kind: string) => `${amount} ${kind}`,
  kinds: { Deposit: 'deposit', Withdrawal: 'withdrawal' },
  story: { Deposit: DEPOSIT, Withdrawal: WITHDRAWAL },
  order: 'Order',
  reference: 'the reference',
  happened: 'What happened',
  created: 'Created by your request',
  step: ({ status }: Pick<Step, 'status'>, type: PortalOrderView['orderType']): string =>
    STEPS[type][status] ?? status,
  /** Whom a step names beside what it brought: the other words say who it was. */
  by: { merchant: '', customer: '', member: '', operator: 'by your operator', clock: '' },
  money: 'Money',
  amount: 'Amount',
  /** Of an order with more decimals than can be sent. */
  rounded: { Deposit: 'Customer sends', Withdrawal: 'Customer gets' },
  rate: 'Rate',
  perUnit: (rate: string, currency: string) => `${rate} PKR per ${currency}`,
  fee: 'Fee',
  noFee: 'none',
  intoWallet: 'Into your wallet',
  fromWallet: 'From your wallet',
  ifCompleted: 'if it completes',
  nothingMoved: 'nothing',
  facts: 'Details',
  yourReference: 'Your reference',
  customerReference: 'Customer reference',
  method: 'Method',
  madeAt: 'Created',
  customer: 'Paid to',
  none: 'none',
  sent: 'What you sent',
  sentLead: 'As in your request. Metadata and signature are never shown.',
  key: 'API key',
  idempotencyKey: 'Idempotency-Key',
  callbackUrl: 'Callback URL',
  successUrl: 'Success URL',
  failureUrl: 'Failure URL',
  digitsRequired: 'Digits asked for',
  page: 'Payment page',
  pageLead: {
    Deposit: 'Your customer pays here.',
    Withdrawal: 'Your customer follows the payout here.',
  },
  pageExpires: 'The link works for',
  pageLink: 'the payment link',
  pageOpen: 'Open it',
  pageQr: 'QR code of the payment link',
  webhooks: 'Webhooks',
  noCallback: 'This order has no callback URL, so no webhook is sent.',
  noDeliveries: 'Nothing has been sent yet. A webhook is sent as soon as the order ends.',
  attempts: (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
  next: 'next one in',
  details: 'Attempts and body',
  openDelivery: 'Open the delivery',
  answered: (status: number) => `Your server answered ${status}.`,
  resend: 'Resend the webhook…',
  ask: 'Ask about this order…',
  askTitle: 'Ask your operator about this order',
  askLead:
    'Write your question, then copy the text and send it to your operator. It includes the order.',
  askLeadMail: (address: string) =>
    `Write your question. It includes the order, and opens in your mail program, addressed to ${address}. You can also copy the text.`,
  askSubject: (reference: string) => `Order ${reference}`,
  askMail: 'Write the mail',
  askLabel: 'Your question',
  askStart: (reference: string, own: string | null, status: string) =>
    `About order ${reference}${own === null ? '' : ` (our reference ${own})`}, ${status.toLowerCase()}:\n\n`,
  askCopy: 'Copy the text',
  askCopied: 'Copied',
  close: 'Close',
} as const;
