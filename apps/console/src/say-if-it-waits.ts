import { notifications } from '@mantine/notifications';

export const WAITS = 'Another operator has to approve it: see Approvals.';

/** Says of what was sent that a second operator decides it, where it was not done at once. */
export function sayIfItWaits({ data }: { readonly data: object }): 'waits' | 'done' {
  if (!('status' in data) || data.status !== 'pendingApproval') return 'done';
  notifications.show({ message: WAITS });
  return 'waits';
}
