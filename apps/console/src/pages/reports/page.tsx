import { Page, PageTabs, usePathTab } from '@munshi/web-ui';
import type { ComponentType } from 'react';
import { MembersReport } from './members.tsx';
import { MerchantsReport } from './merchants.tsx';
import { texts } from './texts.ts';
import { TrialBalance } from './trial-balance.tsx';

const TABS: Readonly<Record<keyof typeof texts.tabs, ComponentType>> = {
  merchants: MerchantsReport,
  members: MembersReport,
  'trial-balance': TrialBalance,
};

/** What the ledger says of all merchants and members together. The month stays from tab to tab. */
export default function ReportsPage() {
  const { Shown, ...tab } = usePathTab('/reports', TABS, { keepsSearch: true });
  return (
    <Page title={texts.title} lead={texts.lead}>
      <PageTabs tabs={texts.tabs} {...tab}>
        <Shown />
      </PageTabs>
    </Page>
  );
}
