import type { ApprovalView } from '@munshi/api';
import { amountText } from '@munshi/web';

type Kind = ApprovalView['kind'];
type Status = ApprovalView['status'];

/** What will be done, as a sentence begins. */
const KINDS: Readonly<Record<Kind, string>> = {
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

export const STATUS_NAMES: Readonly<Record<Status, string>> = {
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
  (kind === 'write' ? summary : null) ?? KINDS[kind];

/** Whom or what a request is about, as short as it can be. */
export function aboutOf({ request, target }: ApprovalView): string {
  const { amount, username, name, orderReference, merchant, memberName, rateOf } = request;
  const parts = [
    orderReference ?? username ?? merchant ?? memberName ?? name ?? rateOf,
    typeof amount === 'string' ? amountText(amount, 'PKR') : undefined,
  ];
  const text = parts.filter((part) => part !== undefined && part !== null).join(' · ');
  if (text !== '') return text;
  return request['everyMerchant'] === true ? 'Every merchant' : `…${target.slice(-8)}`;
}
