import { notifications } from '@mantine/notifications';

export const WAITS = 'Another operator has to approve it: see Approvals.';

/**
 * What to say of what was sent where a second operator decides it, with the service's hint of what
 * is missing; undefined where it was done at once.
 */
export function waitsText(data: object, text: string = WAITS): string | undefined {
  if (!('status' in data) || data.status !== 'pendingApproval') return undefined;
  return 'hint' in data ? `${text} ${data.hint}` : text;
}

/** Says it, where it was not done at once. */
export function sayIfItWaits({ data }: { readonly data: object }, text?: string): 'waits' | 'done' {
  const message = waitsText(data, text);
  if (message === undefined) return 'done';
  notifications.show({ message });
  return 'waits';
}
