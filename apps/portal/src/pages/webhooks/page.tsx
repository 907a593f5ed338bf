import { Page, PageTabs, usePathTab } from '@munshi/web-ui';
import { TestEvent } from '../../test-event.tsx';
import { Deliveries } from './deliveries.tsx';
import { Health } from './health.tsx';
import { ResendSince } from './resend-since.tsx';
import { Verify } from './verify.tsx';

const TABS = {
  deliveries: ['Deliveries', Deliveries],
  health: ['Health', Health],
  verify: ['Verify them', Verify],
} as const;

/** P6. */
export default function WebhooksPage() {
  const { Shown, ...tab } = usePathTab('/webhooks', TABS);
  return (
    <Page
      title="Webhooks"
      actions={
        <>
          <ResendSince />
          <TestEvent />
        </>
      }
    >
      <PageTabs {...tab}>
        <Shown />
      </PageTabs>
    </Page>
  );
}
