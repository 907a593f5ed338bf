import { PORTAL_READ_SETTINGS } from '@munshi/api';
import { Loaded, Page, PageTabs, usePathTab, useRead } from '@munshi/web-ui';
import { AddressesTab } from './addresses.tsx';
import { AlertsTab } from './alerts.tsx';
import { CallbackTab } from './callback.tsx';
import { PageTab } from './payment-page.tsx';
import { PeopleTab } from './people.tsx';

const TABS = {
  webhooks: ['Webhooks', CallbackTab],
  addresses: ['IP addresses', AddressesTab],
  page: ['Payment page', PageTab],
  alerts: ['Alerts', AlertsTab],
  people: ['People', PeopleTab],
} as const;

/** P8. */
export default function SettingsPage() {
  const { Shown, ...tab } = usePathTab('/settings', TABS);
  const read = useRead(PORTAL_READ_SETTINGS, {}, { watch: ['setting'] });
  return (
    <Page title="Settings and people">
      <PageTabs {...tab}>
        <Loaded read={read}>{({ data }) => <Shown settings={data} />}</Loaded>
      </PageTabs>
    </Page>
  );
}
