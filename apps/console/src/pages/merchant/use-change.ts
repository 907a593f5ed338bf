import { type BodyOf, CHANGE_MERCHANT } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { useSave, useWrite } from '@munshi/web-ui';
import type { Merchant } from './shown.ts';

type Change = AsText<BodyOf<typeof CHANGE_MERCHANT>>;

/** Changes a merchant from a form on its page. */
export function useChange({ merchantId, allowedActions }: Merchant) {
  const { send } = useWrite(CHANGE_MERCHANT);
  return useSave(allowedActions.includes('change'), (body: Change) =>
    send({ params: { merchantId }, body }),
  );
}
