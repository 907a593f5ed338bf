import type { ApprovalView } from '@munshi/api';
import { amountText } from '@munshi/web';

type Kind = ApprovalView['kind'];
type Status = ApprovalView['status'];

/** What will be done, as a sentence begins. */
const kinds: Readonly<Record<Kind, string>> = {
  adjustment: 'Wallet adjustment',
  'float-adjustment': 'Float adjustment',
  'order-confirm': 'Late confirmation',
  'order-resolve': 'Resolve an order',
  'api-key': 'API key and secret',
  'operator-create': 'New operator',
  'operator-change': 'Change of an operator',
  'operator-token': 'Script token',
  'member-password': 'Member’s sign-in',
  settings: 'Settings',
  'operator-recovery': 'Recovery link of an operator',
  'member-recovery': 'Recovery link of a member',
  'portal-link': 'Link for an admin of a merchant',
  'one-time-code-removal': 'Turn one-time codes off',
  'account-change': 'Change of a member’s account',
  'own-keys': 'Let a merchant issue its own keys',
  write: 'Change',
};

const statuses: Readonly<Record<Status, string>> = {
  pending: 'Waiting',
  approved: 'Ready to fetch',
  done: 'Done',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  fallen: 'Dropped',
  expired: 'Expired',
};

/** What will be done: a `write` is called as its endpoint is. */
export const titleOf = ({ kind, summary }: ApprovalView): string =>
  (kind === 'write' ? summary : null) ?? kinds[kind];

/** Every word of C8. */
export const texts = {
  title: 'Approvals',
  lead: 'Requests that wait for a second operator. They cannot be changed, and end after 24 hours.',
  status: 'Status',
  statuses,
  kind: 'What',
  about: 'About',
  everyMerchant: 'Every merchant',
  requester: 'Asked for by',
  age: 'Waits for',
  left: 'Ends in',
  decided: 'Decided',
  you: 'you',
  none: 'Nothing is waiting for a second operator.',
  noneHint: 'Requests appear here when an action needs a second operator.',
  noneFound: 'No request has this status.',
  ready: 'Ready for you',
  approvedAt: 'approved',
  request: 'What will be done',
  decideOn: 'What you decide on',
  reason: 'Reason',
  order: 'The order',
  open: 'Open',
  approverDecides: 'An approver decides this.',
  own: 'You asked for this yourself. Another operator has to approve it.',
  approve: 'Approve',
  approveAs: (kind: string) => `Approve: ${kind}`,
  approveLead: 'It is done at once, with the current rules and amounts.',
  approveSecret: 'Whoever asked for it may then fetch it once, within 24 hours. You never see it.',
  approveKey: 'It may then be fetched once, within 24 hours.',
  keyFetched:
    'An admin of the merchant with one-time codes fetches it in the portal; where there is none, an approver who did not ask, here.',
  note: 'Note (optional)',
  memberReads: 'The member reads this in the app, with the reason that was asked with.',
  decline: 'Decline',
  declineAs: (kind: string) => `Decline: ${kind}`,
  withdraw: 'Withdraw',
  withdrawAs: (kind: string) => `Withdraw: ${kind}`,
  fetch: 'Fetch',
  fetchAs: (kind: string) => `Fetch: ${kind}`,
  fetchLead: 'It is created now and shown only once. Nobody else ever sees it.',
  faster: (who: string, what: string) => `${who} was faster: ${what}.`,
  decidedBy: (name: string) => `by ${name}`,
} as const;

/** Whom or what a request is about, as short as it can be. */
export function aboutOf({ request, target }: ApprovalView): string {
  const { amount, username, name, orderReference, merchant, memberName, rateOf } = request;
  const parts = [
    orderReference ?? username ?? merchant ?? memberName ?? name ?? rateOf,
    typeof amount === 'string' ? amountText(amount, 'PKR') : undefined,
  ];
  const text = parts.filter((part) => part !== undefined && part !== null).join(' · ');
  if (text !== '') return text;
  return request['everyMerchant'] === true ? texts.everyMerchant : `…${target.slice(-8)}`;
}
