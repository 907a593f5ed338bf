import type { MerchantView } from '@munshi/api';
import { Chip } from '@munshi/web-ui';
import { STATUSES } from '../merchant/shown.ts';

const TONES = { active: 'done', suspended: 'needed', closed: 'over' } as const;

export function MerchantStatus({ status }: Pick<MerchantView, 'status'>) {
  return <Chip tone={TONES[status]} label={STATUSES[status]} />;
}
