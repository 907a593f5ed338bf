import { CHANGE_MERCHANT_ALERT_SETTINGS, READ_MERCHANT_ALERT_SETTINGS } from '@munshi/api';
import { AlertsForm, Loaded, useRead } from '@munshi/web-ui';
import { useMayWait } from '../../effects/use-may-wait.tsx';
import { sayIfItWaits } from '../../say-if-it-waits.tsx';
import type { TabProps } from './shown.ts';

/** What the merchant is alerted to, as its own admins set it in the portal. */
export function Alerts({ merchant: { merchantId } }: TabProps) {
  const params = { merchantId };
  const read = useRead(READ_MERCHANT_ALERT_SETTINGS, { params }, { watch: ['setting'] });
  const [ifItWaits, send] = useMayWait(CHANGE_MERCHANT_ALERT_SETTINGS);
  return (
    <Loaded read={read}>
      {({ data }) => (
        <AlertsForm
          settings={data}
          send={async (body) => sayIfItWaits(await send({ params, body }))}
          ifItWaits={(body) => ifItWaits({ params, body })}
          noMail="No mail is sent from here: SMTP_URL and MAIL_FROM are not set."
        />
      )}
    </Loaded>
  );
}
