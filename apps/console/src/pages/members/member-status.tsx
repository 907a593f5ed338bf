import { Chip } from '@munshi/web-ui';

/** Whether a member gets orders: suspended, online or offline. */
export function MemberStatus({
  status,
  online,
}: {
  readonly status: 'active' | 'suspended';
  readonly online: boolean;
}) {
  if (status === 'suspended') return <Chip tone="failed" label="Suspended" />;
  return online ? <Chip tone="done" label="Online" /> : <Chip tone="over" label="Offline" />;
}
