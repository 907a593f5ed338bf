import { READ_MERCHANT } from '@munshi/api';
import { Copy, Loaded, Page, PageTabs, usePathTab, useRead, useRecent, When } from '@munshi/web-ui';
import { Redirect, useParams } from 'wouter';
import { MerchantStatus } from '../merchants/status.tsx';
import { AuditTab } from './audit.tsx';
import { MoneyTab } from './money.tsx';
import { OrdersTab } from './orders.tsx';
import { OverviewTab } from './overview.tsx';
import type { TabProps } from './shown.ts';
import { StatusActions } from './status-actions.tsx';
import { AccessTab, MethodsTab, SettingsTab } from './tabs.tsx';

const TABS = {
  overview: ['Overview', OverviewTab],
  orders: ['Orders', OrdersTab],
  money: ['Money', MoneyTab],
  methods: ['Methods and fees', MethodsTab],
  access: ['Access', AccessTab],
  settings: ['Settings', SettingsTab],
  audit: ['Audit', AuditTab],
} as const;

/** Tabs of before, by which links still name what is a part of another one now. */
const MOVED: Readonly<Record<string, keyof typeof TABS>> = {
  statements: 'money',
  fees: 'methods',
  keys: 'access',
  addresses: 'access',
  people: 'access',
  page: 'settings',
  alerts: 'settings',
};

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
  const { tab: named = '' } = useParams();
  const { Shown, ...tab } = usePathTab(`/merchants/${merchantId}`, TABS);
  const moved = MOVED[named];
  if (moved !== undefined)
    return <Redirect replace to={`/merchants/${merchantId}/${moved}#${named}`} />;
  return (
    <Page
      title={name}
      beside={<MerchantStatus status={status} />}
      lead={
        <>
          <Copy value={merchantId} what="the merchant id" mono /> · added{' '}
          <When at={merchant.createdAt} />
        </>
      }
      actions={<StatusActions merchant={merchant} />}
    >
      <PageTabs {...tab}>
        <Shown merchant={merchant} />
      </PageTabs>
    </Page>
  );
}
