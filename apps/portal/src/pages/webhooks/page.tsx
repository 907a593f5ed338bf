import { Page, PageTabs, usePathTab } from '@munshi/web-ui';
import type { ComponentType } from 'react';
import { TestEvent } from '../../test-event.tsx';
import { Deliveries } from './deliveries.tsx';
import { Health } from './health.tsx';
import { texts } from './texts.ts';
import { Verify } from './verify.tsx';

const TABS: Readonly<Record<keyof typeof texts.tabs, ComponentType>> = {
  deliveries: Deliveries,
  health: Health,
  verify: Verify,
};

/** P6. */
export default function WebhooksPage() {
  const { Shown, ...tab } = usePathTab('/webhooks', TABS);
  return (
    <Page title={texts.title} actions={<TestEvent />}>
      <PageTabs tabs={texts.tabs} {...tab}>
        <Shown />
      </PageTabs>
    </Page>
  );
}
