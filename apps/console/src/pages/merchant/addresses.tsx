import { TEST_ADDRESS } from '@munshi/api';
import { AddressesForm, callOrThrow, useService } from '@munshi/web-ui';
import type { TabProps } from './shown.ts';
import { useChange } from './use-change.ts';

export function Addresses({ merchant }: TabProps) {
  const { api } = useService();
  const change = useChange(merchant);
  const params = { merchantId: merchant.merchantId };
  return (
    <AddressesForm
      ipWhitelist={merchant.ipWhitelist}
      change={change}
      test={async (body) => (await callOrThrow(api, TEST_ADDRESS, { params, body })).data}
    />
  );
}
