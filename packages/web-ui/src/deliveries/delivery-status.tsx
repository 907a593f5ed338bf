import type { ListedDeliveryView } from '@munshi/api';
import { Chip } from '../status-chip.tsx';
import { STATUS_NAMES } from './names.ts';

const TONES = {
  pending: 'waiting',
  delivered: 'done',
  abandoned: 'failed',
  superseded: 'over',
} as const;

/** One that is pending after a failed attempt is failing. */
export function DeliveryStatus({
  status,
  attemptsMade,
}: Pick<ListedDeliveryView, 'status' | 'attemptsMade'>) {
  return status === 'pending' && attemptsMade > 0 ? (
    <Chip tone="needed" label={STATUS_NAMES.failing} />
  ) : (
    <Chip tone={TONES[status]} label={STATUS_NAMES[status]} />
  );
}
