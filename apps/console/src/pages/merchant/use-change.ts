import { type BodyOf, CHANGE_MERCHANT } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { useSave, useWrite } from '@munshi/web-ui';
import { sayIfItWaits } from '../../say-if-it-waits.tsx';
import type { Merchant } from './shown.ts';

type Change = AsText<BodyOf<typeof CHANGE_MERCHANT>>;

/** Changes a merchant from a form on its page. */
export function useChange({ merchantId, allowedActions }: Merchant) {
  const { send } = useWrite(CHANGE_MERCHANT);
  return useSave(allowedActions.includes('change'), async (body: Change) =>
    sayIfItWaits(await send({ params: { merchantId }, body })),
  );
}
