import type { MerchantView } from '@munshi/api';
import { Chip } from '@munshi/web-ui';
import { texts } from '../merchant/texts.ts';

const TONES = { active: 'done', suspended: 'needed', closed: 'over' } as const;

export function MerchantStatus({ status }: Pick<MerchantView, 'status'>) {
  return <Chip tone={TONES[status]} label={texts.statuses[status]} />;
}
