import type { QueuesView } from '@munshi/api';

export type Queue = QueuesView['queues'][number]['queue'];

/** What each queue is called, and where it is worked through. */
export const QUEUE_NAMES: Readonly<Record<Queue, string>> = {
  paidNotConfirmed: 'Paid, not confirmed',
  payoutsInDoubt: 'Payouts in doubt',
  lateClaims: 'Late claims',
  aboutToRunOut: 'About to run out',
  waitingForMember: 'Waiting for a member',
  moneySeen: 'Money seen, not confirmed',
  escalatedUnpaid: 'Escalated, not paid',
  toApprove: 'To approve',
  accountsToApprove: 'Accounts to approve',
  webhooksFailing: 'Webhooks failing',
};

/** The queue that `/queues` shows where its address names none. */
export const FIRST_QUEUE = 'paidNotConfirmed' satisfies Queue;

const ELSEWHERE: Readonly<Partial<Record<Queue, string>>> = {
  lateClaims: '/late-claims',
  toApprove: '/approvals',
  accountsToApprove: '/members?accountStatus=pending',
  webhooksFailing: '/webhooks',
};
export const queuePath = (queue: Queue): string => ELSEWHERE[queue] ?? `/queues?queue=${queue}`;
