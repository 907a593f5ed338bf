import { type BodyOf, CHANGE_MERCHANT } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { useSave } from '@munshi/web-ui';
import { useMayWait } from '../../effects/use-may-wait.tsx';
import { sayIfItWaits } from '../../say-if-it-waits.tsx';
import type { Merchant } from './shown.ts';

type Change = AsText<BodyOf<typeof CHANGE_MERCHANT>>;

/** Changes a merchant from a form on its page. */
export function useChange({ merchantId, allowedActions }: Merchant) {
  const [ifItWaits, send] = useMayWait(CHANGE_MERCHANT);
  const request = (body: Change) => ({ params: { merchantId }, body });
  return useSave(
    allowedActions.includes('change'),
    async (body: Change) => sayIfItWaits(await send(request(body))),
    (body) => ifItWaits(request(body)),
  );
}
