import { Page, PageTabs } from '@munshi/web-ui';
import type { ComponentType } from 'react';
import { useLocation, useParams } from 'wouter';
import { MembersReport } from './members.tsx';
import { MerchantsReport } from './merchants.tsx';
import { texts } from './texts.ts';
import { TrialBalance } from './trial-balance.tsx';

const TABS: Readonly<Record<keyof typeof texts.tabs, ComponentType>> = {
  merchants: MerchantsReport,
  members: MembersReport,
  'trial-balance': TrialBalance,
};
type TabName = keyof typeof TABS;
const NAMES = Object.keys(TABS) as TabName[];

/** What the ledger says of all merchants and members together. The month stays from tab to tab. */
export default function ReportsPage() {
  const { tab } = useParams<{ tab?: string }>();
  const [, go] = useLocation();
  const chosen = NAMES.find((name) => name === tab) ?? 'merchants';
  const Shown = TABS[chosen];
  return (
    <Page title={texts.title} lead={texts.lead}>
      <PageTabs
        tabs={texts.tabs}
        value={chosen}
        onChange={(next) =>
          go(`/reports${next === 'merchants' ? '' : `/${next}`}${location.search}`)
        }
      >
        <Shown />
      </PageTabs>
    </Page>
  );
}
