import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { anyOf } from './any-of.ts';

/** What the answer of a write says that waits for a second operator. */
interface Waiting {
  readonly status: 'pendingApproval';
  readonly approvalId?: string;
  readonly approvers?: readonly string[];
  readonly hint?: string;
}
const isWaiting = (data: object): data is Waiting =>
  'status' in data && data.status === 'pendingApproval';

/** Who can approve it, and the service's hint of what is missing. */
export const waitsText = ({ approvers = [], hint }: Pick<Waiting, 'approvers' | 'hint'>): string =>
  [`Waits for ${approvers.length === 0 ? 'an approver' : anyOf(approvers)}.`, hint]
    .filter((part) => part !== undefined)
    .join(' ');

/**
 * What to say of what was sent where a second operator decides it, with a link to the request;
 * undefined where it was done at once. `then`: what follows the approval.
 */
export function whatWaits(data: object, then?: string): ReactNode {
  if (!isWaiting(data)) return undefined;
  return (
    <>
      {waitsText(data)} {then === undefined ? null : `${then} `}
      <Link href={`/approvals?open=${data.approvalId}`}>Open the request</Link>
    </>
  );
}

/** Says it, where it was not done at once. */
export function sayIfItWaits({ data }: { readonly data: object }, then?: string): 'waits' | 'done' {
  const message = whatWaits(data, then);
  if (message === undefined) return 'done';
  notifications.show({ message });
  return 'waits';
}
