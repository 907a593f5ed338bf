import { PORTAL_PREVIEW_PAGE } from '@munshi/api';
import { callOrThrow, PaymentPageForm, useService } from '@munshi/web-ui';
import { type TabProps, useChange } from './use-settings.ts';

export function PageTab({ settings }: TabProps) {
  const { api } = useService();
  const change = useChange(settings);
  return (
    <PaymentPageForm
      page={settings}
      change={change}
      draw={async (body, signal) =>
        (await callOrThrow(api, PORTAL_PREVIEW_PAGE, { body, signal })).data
      }
    />
  );
}
