import { READ_MERCHANT } from '@munshi/api';
import { Copy, Loaded, Page, PageTabs, usePathTab, useRead, useRecent } from '@munshi/web-ui';
import { useParams } from 'wouter';
import { MerchantStatus } from '../merchants/status.tsx';
import { AddressesTab } from './addresses.tsx';
import { AlertsTab } from './alerts.tsx';
import { AuditTab } from './audit.tsx';
import { FeesTab } from './fees.tsx';
import { KeysTab } from './keys.tsx';
import { MethodsTab } from './methods.tsx';
import { MoneyTab } from './money.tsx';
import { OrdersTab } from './orders.tsx';
import { OverviewTab } from './overview.tsx';
import { PageTab } from './payment-page.tsx';
import { PeopleTab } from './people.tsx';
import type { TabProps } from './shown.ts';
import { StatementsTab } from './statements.tsx';
import { StatusActions } from './status-actions.tsx';

const TABS = {
  overview: ['Overview', OverviewTab],
  money: ['Money', MoneyTab],
  statements: ['Statements', StatementsTab],
  keys: ['Keys', KeysTab],
  methods: ['Methods and currencies', MethodsTab],
  addresses: ['IP addresses', AddressesTab],
  fees: ['Fees', FeesTab],
  page: ['Page', PageTab],
  alerts: ['Alerts', AlertsTab],
  people: ['People', PeopleTab],
  orders: ['Orders', OrdersTab],
  audit: ['Audit', AuditTab],
} as const;

/** C10, one merchant. */
export default function MerchantPage() {
  const { merchantId = '' } = useParams();
  const read = useRead(READ_MERCHANT, { params: { merchantId } }, { watch: ['setting'] });
  return (
    <Loaded read={read} rows={8}>
      {({ data }) => <OneMerchant key={merchantId} merchant={data} />}
    </Loaded>
  );
}

function OneMerchant({ merchant }: TabProps) {
  const { merchantId, name, status } = merchant;
  useRecent({ kind: 'merchant', path: `/merchants/${merchantId}`, label: name });
  const { Shown, ...tab } = usePathTab(`/merchants/${merchantId}`, TABS);
  return (
    <Page
      title={name}
      beside={<MerchantStatus status={status} />}
      lead={<Copy value={merchantId} what="the merchant id" mono />}
      actions={<StatusActions merchant={merchant} />}
    >
      <PageTabs {...tab}>
        <Shown merchant={merchant} />
      </PageTabs>
    </Page>
  );
}
