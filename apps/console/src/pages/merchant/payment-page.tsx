import { PREVIEW_PAGE } from '@munshi/api';
import { callOrThrow, PaymentPageForm, useService } from '@munshi/web-ui';
import type { TabProps } from './shown.ts';
import { useChange } from './use-change.ts';

export function PaymentPage({ merchant }: TabProps) {
  const { api } = useService();
  const change = useChange(merchant);
  const params = { merchantId: merchant.merchantId };
  return (
    <PaymentPageForm
      page={merchant}
      change={change}
      draw={async (body, signal) =>
        (await callOrThrow(api, PREVIEW_PAGE, { params, body, signal })).data
      }
    />
  );
}
