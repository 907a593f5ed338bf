import { Page, PageTabs, usePathTab } from '@munshi/web-ui';
import { Days } from './days.tsx';
import { MembersReport } from './members.tsx';
import { MerchantsReport } from './merchants.tsx';
import { TrialBalance } from './trial-balance.tsx';

const TABS = {
  merchants: ['Merchants', MerchantsReport],
  members: ['Members', MembersReport],
  'trial-balance': ['Trial balance', TrialBalance],
  days: ['Days', Days],
} as const;

/** What the ledger says of all merchants and members together. The month stays from tab to tab. */
export default function ReportsPage() {
  const { Shown, ...tab } = usePathTab('/reports', TABS, { keepsSearch: true });
  return (
    <Page title="Reports" lead="What the ledger says of a month, in PKR, by the time of posting.">
      <PageTabs {...tab}>
        <Shown />
      </PageTabs>
    </Page>
  );
}
