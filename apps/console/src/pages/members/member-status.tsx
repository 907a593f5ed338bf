import { Chip } from '@munshi/web-ui';
import { texts } from './texts.ts';

/** Whether a member gets orders: suspended, online or offline. */
export function MemberStatus({
  status,
  online,
}: {
  readonly status: 'active' | 'suspended';
  readonly online: boolean;
}) {
  if (status === 'suspended') return <Chip tone="failed" label={texts.statuses.suspended} />;
  return online ? (
    <Chip tone="done" label={texts.online} />
  ) : (
    <Chip tone="over" label={texts.offline} />
  );
}
