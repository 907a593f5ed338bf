import { type BodyOf, CHANGE_MERCHANT } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { useWrite } from '@munshi/web-ui';
import { useState } from 'react';
import type { Merchant } from './page.tsx';

type Change = AsText<BodyOf<typeof CHANGE_MERCHANT>>;

/** Changes a merchant from a form on its page. */
export function useChange({ merchantId, allowedActions }: Merchant) {
  const { send, sending, error } = useWrite(CHANGE_MERCHANT);
  const [saved, setSaved] = useState(false);
  return {
    mayChange: allowedActions.includes('change'),
    sending,
    error,
    /** True until something is typed again. */
    saved,
    touch: () => setSaved(false),
    save: (body: Change) =>
      send({ params: { merchantId }, body }).then(
        () => setSaved(true),
        () => {}, // shown by `error`
      ),
  };
}
