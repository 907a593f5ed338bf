import { PORTAL_SETTINGS } from '@munshi/api';
import { Loaded, Page, PageTabs, useRead } from '@munshi/web-ui';
import type { ComponentType } from 'react';
import { useLocation, useParams } from 'wouter';
import { AddressesTab } from './addresses.tsx';
import { AlertsTab } from './alerts.tsx';
import { CallbackTab } from './callback.tsx';
import { PageTab } from './payment-page.tsx';
import { PeopleTab } from './people.tsx';
import { texts } from './texts.ts';
import type { TabProps } from './use-settings.ts';

const TABS: Readonly<Record<keyof typeof texts.tabs, ComponentType<TabProps>>> = {
  webhooks: CallbackTab,
  addresses: AddressesTab,
  page: PageTab,
  alerts: AlertsTab,
  people: PeopleTab,
};
type TabName = keyof typeof TABS;
const NAMES = Object.keys(TABS) as TabName[];

/** P8. */
export default function SettingsPage() {
  const { tab } = useParams<{ tab?: string }>();
  const [, go] = useLocation();
  const read = useRead(PORTAL_SETTINGS, {}, { watch: ['setting'] });
  const chosen = NAMES.find((name) => name === tab) ?? 'webhooks';
  const Shown = TABS[chosen];
  return (
    <Page title={texts.title}>
      <PageTabs
        tabs={texts.tabs}
        value={chosen}
        onChange={(next) => go(`/settings${next === 'webhooks' ? '' : `/${next}`}`)}
      >
        <Loaded read={read}>{({ data }) => <Shown settings={data} />}</Loaded>
      </PageTabs>
    </Page>
  );
}
