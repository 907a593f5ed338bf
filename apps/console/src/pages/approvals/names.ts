import type { ApprovalView } from '@munshi/api';
import { type AsText, amountText } from '@munshi/web';

export type Request = AsText<ApprovalView>;
type Kind = Request['kind'];
type Status = Request['status'];

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

const OUTCOMES: Readonly<Record<string, string>> = { Completed: 'complete', Cancelled: 'cancel' };

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
export function titleOf({ kind, summary, request }: Request): string {
  if (kind === 'write') return summary ?? KINDS.write;
  const act = actOf(kind, request);
  return act === undefined ? KINDS[kind] : `${KINDS[kind]}: ${act}`;
}

function actOf(kind: Kind, { kind: adjustment, amount, outcome }: Request['request']) {
  switch (kind) {
    case 'adjustment':
      return String(adjustment);
    case 'float-adjustment':
      return String(amount).startsWith('-') ? 'take' : 'add';
    case 'order-resolve':
      return OUTCOMES[String(outcome)];
    default:
      return undefined;
  }
}

/** Whom or what a request is about, by name. */
export function aboutOf({ about, request }: Request): string {
  const { merchantName, memberName, name, orderReference } = about;
  const { rateOf, username } = request;
  const whose = [merchantName ?? memberName, name ?? orderReference];
  const text = whose.filter((part) => part !== null).join(' · ');
  if (text !== '') return text;
  if (request['everyMerchant'] === true) return 'Every merchant';
  return String(username ?? rateOf ?? 'The platform');
}

/** Its amount; empty where it is not about money. */
export const amountOf = ({ amount, currency }: Request): string =>
  amount === null || currency === null ? '' : amountText(amount, currency);
