import { Chip } from '@munshi/web-ui';

/** Whether a member gets orders: suspended, paused, online or offline. */
export function MemberStatus({
  status,
  online,
  maxOpenOrders,
}: {
  readonly status: 'active' | 'suspended';
  readonly online: boolean;
  readonly maxOpenOrders: number;
}) {
  if (status === 'suspended') return <Chip tone="failed" label="Suspended" />;
  if (maxOpenOrders === 0) return <Chip tone="needed" label="New orders paused" />;
  return online ? <Chip tone="done" label="Online" /> : <Chip tone="over" label="Offline" />;
}
