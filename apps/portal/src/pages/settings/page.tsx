import { PORTAL_READ_SETTINGS } from '@munshi/api';
import { Loaded, Page, PageTabs, usePathTab, useRead } from '@munshi/web-ui';
import type { ComponentType } from 'react';
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

/** P8. */
export default function SettingsPage() {
  const { Shown, ...tab } = usePathTab('/settings', TABS);
  const read = useRead(PORTAL_READ_SETTINGS, {}, { watch: ['setting'] });
  return (
    <Page title={texts.title}>
      <PageTabs tabs={texts.tabs} {...tab}>
        <Loaded read={read}>{({ data }) => <Shown settings={data} />}</Loaded>
      </PageTabs>
    </Page>
  );
}
