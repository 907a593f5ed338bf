import { Button } from '@mantine/core';
import { PORTAL_READ_SETTINGS, PORTAL_TEST_WEBHOOK } from '@munshi/api';
import { Refusal, useRead, useWrite } from '@munshi/web-ui';
import { useLocation } from 'wouter';

/** Sends `webhook.test` to the default callback URL, and shows how it goes; for admins. */
export function TestEvent() {
  const [, go] = useLocation();
  const { data: settings } = useRead(PORTAL_READ_SETTINGS, {}, { watch: ['setting'] });
  const test = useWrite(PORTAL_TEST_WEBHOOK);
  if (!settings?.data.allowedActions.includes('change')) return null;
  return (
    <>
      <Refusal error={test.error} />
      <Button
        variant="default"
        loading={test.sending}
        disabled={settings.data.defaultCallbackUrl === null}
        onClick={() =>
          test.send({}).then(
            ({ data: { deliveryId } }) => go(`/deliveries/${deliveryId}`),
            () => {}, // shown by `error`
          )
        }
      >
        Send a test event
      </Button>
    </>
  );
}
