import { PORTAL_TEST_ADDRESS } from '@munshi/api';
import { AddressesForm, callOrThrow, useService } from '@munshi/web-ui';
import { type TabProps, useChange } from './use-settings.ts';

export function AddressesTab({ settings }: TabProps) {
  const { api } = useService();
  const change = useChange(settings);
  return (
    <AddressesForm
      ipWhitelist={settings.ipWhitelist}
      change={change}
      test={async (body) => (await callOrThrow(api, PORTAL_TEST_ADDRESS, { body })).data}
      yourAddress={settings.yourAddress}
    />
  );
}
