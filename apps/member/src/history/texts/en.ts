import type { MemberOrderView } from '@munshi/api';
import type { Texts } from '../../texts/en.ts';

type Status = MemberOrderView['status'];

/** M10 in English; the shape of every other language. Amounts and names come isolated. */
export const en = {
  search: 'Amount, digits or reference',
  find: 'Search',
  clear: 'Clear the search',
  account: 'Account',
  allAccounts: 'All accounts',
  empty: 'No orders yet',
  emptyLead: 'Orders that are over show here.',
  nothing: 'Nothing found',
  nothingLead: (search: string) => `No order that is over fits ${search}.`,
  nothingOnAccount: 'No order on this account is over.',
  kept: 'These are the last 200 that this phone has kept.',
  tooSlow: 'This search takes too long. Type more of what you look for.',
  today: 'Today',
  yesterday: 'Yesterday',
  received: 'Received',
  paid: 'Paid out',
  failed: (count: number) => (count === 1 ? '1 without payment' : `${count} without payment`),
  share: (percent: string) => `Your share (${percent})`,
  shareOfMonth: (percent: string) => `Your share this month (${percent})`,
  byAccount: 'By account',
  late: 'Confirmed late',
  more: 'Show more',
  month: {
    link: 'A month as a file',
    title: 'A month as a file',
    lead: 'Every order of the month that is over, for a spreadsheet.',
    which: 'Month',
    download: 'Download',
    preparing: 'Getting it ready',
    done: (file: string) => `${file} is in your downloads.`,
  },
  timeline: {
    title: 'What happened',
    tooLate: 'Not confirmed in time: with operations',
    givenOn: 'Not paid in time: given to another member',
    steps: {
      Awaiting: 'Waited for a member',
      Queued: 'Assigned',
      AwaitingCustomerPayment: 'The customer has the account',
      AwaitingMemberConfirmation: 'The customer says paid',
      AwaitingMemberPayout: 'Given out to be paid',
      ManualReview: 'With operations',
      Assigned: 'Assigned',
      Frozen: 'Held',
      Confirmed: 'Completed',
    } satisfies Readonly<Record<Exclude<Status, keyof Texts['outcomes']>, string>>,
    by: {
      you: 'you',
      member: 'another member',
      operator: 'operations',
    },
  },
};

export type HistoryTexts = typeof en;
