import type { MerchantView } from '@munshi/api';
import { Chip } from '@munshi/web-ui';
import { texts } from '../merchant/texts.ts';

export const STATUSES = ['active', 'suspended', 'closed'] as const;
const TONES = { active: 'done', suspended: 'needed', closed: 'over' } as const;

export function MerchantStatus({ status }: Pick<MerchantView, 'status'>) {
  return <Chip tone={TONES[status]} label={texts.statuses[status]} />;
}
