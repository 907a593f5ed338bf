import { Page, PageTabs } from '@munshi/web-ui';
import type { ComponentType } from 'react';
import { useLocation, useParams } from 'wouter';
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
type TabName = keyof typeof TABS;
const NAMES = Object.keys(TABS) as TabName[];

/** P6. */
export default function WebhooksPage() {
  const { tab } = useParams<{ tab?: string }>();
  const [, go] = useLocation();
  const chosen = NAMES.find((name) => name === tab) ?? 'deliveries';
  const Shown = TABS[chosen];
  return (
    <Page title={texts.title} actions={<TestEvent />}>
      <PageTabs
        tabs={texts.tabs}
        value={chosen}
        onChange={(next) => go(`/webhooks${next === 'deliveries' ? '' : `/${next}`}`)}
      >
        <Shown />
      </PageTabs>
    </Page>
  );
}
