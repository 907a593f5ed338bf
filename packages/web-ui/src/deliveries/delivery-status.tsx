import type { ListedDeliveryView } from '@munshi/api';
import { Chip } from '../status-chip.tsx';
import { STATUS_NAMES } from './names.ts';

const TONES = {
  pending: 'waiting',
  delivered: 'done',
  abandoned: 'failed',
  superseded: 'over',
} as const;

/** One that is pending after a failed attempt is retried. */
export function DeliveryStatus({
  status,
  attemptsMade,
}: Pick<ListedDeliveryView, 'status' | 'attemptsMade'>) {
  return status === 'pending' && attemptsMade > 0 ? (
    <Chip tone="needed" label="Retried" />
  ) : (
    <Chip tone={TONES[status]} label={STATUS_NAMES[status]} />
  );
}
