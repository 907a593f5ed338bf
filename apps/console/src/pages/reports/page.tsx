import { Page, PageTabs, Skeleton, usePathTab } from '@munshi/web-ui';
import { lazy, Suspense } from 'react';
import { Days } from './days.tsx';
import { MembersReport } from './members.tsx';
import { MerchantsReport } from './merchants.tsx';
import { TrialBalance } from './trial-balance.tsx';

const Orders = lazy(() => import('./orders.tsx'));
/** Loaded with its charts when it is opened. */
const OrdersReport = () => (
  <Suspense fallback={<Skeleton rows={8} />}>
    <Orders />
  </Suspense>
);

const TABS = {
  merchants: ['Merchants', MerchantsReport],
  members: ['Members', MembersReport],
  orders: ['Orders', OrdersReport],
  'trial-balance': ['Trial balance', TrialBalance],
  days: ['Days', Days],
} as const;

/**
 * What the ledger says of all merchants and members together, and how orders have done. The month
 * stays from tab to tab.
 */
export default function ReportsPage() {
  const { Shown, ...tab } = usePathTab('/reports', TABS, { keepsSearch: true });
  return (
    <Page
      title="Reports"
      lead="What the ledger says, in PKR, by the time of posting, and how orders have done."
    >
      <PageTabs {...tab}>
        <Shown />
      </PageTabs>
    </Page>
  );
}
