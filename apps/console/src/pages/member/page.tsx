import { READ_MEMBER, READ_MEMBER_STANDING } from '@munshi/api';
import { Copy, Loaded, Page, PageTabs, usePathTab, useRead, useRecent } from '@munshi/web-ui';
import { useParams } from 'wouter';
import { MemberStatus } from '../members/member-status.tsx';
import { AccountsTab } from './accounts.tsx';
import { AlertsTab } from './alerts.tsx';
import { ChangeMember } from './change-member.tsx';
import { FloatTab } from './float.tsx';
import { AuditTab, OrdersTab } from './lists.tsx';
import { OverviewTab } from './overview.tsx';
import { PauseAction } from './pause-action.tsx';
import { RecoveryLink } from './recovery-link.tsx';
import { SessionsTab } from './sessions.tsx';
import type { TabProps } from './shown.ts';
import { StatusAction } from './status-action.tsx';

const TABS = {
  overview: ['Overview', OverviewTab],
  orders: ['Orders', OrdersTab],
  accounts: ['Accounts', AccountsTab],
  float: ['Float', FloatTab],
  alerts: ['Alerts', AlertsTab],
  sessions: ['Sessions', SessionsTab],
  audit: ['Audit', AuditTab],
} as const;

/** C11, one member. */
export default function MemberPage() {
  const { memberId = '' } = useParams();
  const watch = ['member', 'order'];
  const member = useRead(READ_MEMBER, { params: { memberId } }, { watch });
  const standing = useRead(READ_MEMBER_STANDING, { params: { memberId } }, { watch });
  return (
    <Loaded read={member} rows={8}>
      {({ data }) => (
        <Loaded read={standing} rows={8}>
          {({ data: stands }) => <OneMember key={memberId} member={data} standing={stands} />}
        </Loaded>
      )}
    </Loaded>
  );
}

function OneMember({ member, standing }: TabProps) {
  const { memberId, name, username, phone } = member;
  useRecent({ kind: 'member', path: `/members/${memberId}`, label: name });
  const { Shown, ...tab } = usePathTab(`/members/${memberId}`, TABS);
  return (
    <Page
      title={name}
      beside={<MemberStatus {...member} />}
      lead={
        <>
          {username} · {phone === null ? null : <Telephone phone={phone} />}
          <Copy value={memberId} what="the member’s id" mono />
        </>
      }
      actions={
        <>
          <ChangeMember member={member} />
          <PauseAction member={member} />
          <RecoveryLink member={member} />
          <StatusAction member={member} standing={standing} />
        </>
      }
    >
      <PageTabs {...tab}>
        <Shown member={member} standing={standing} />
      </PageTabs>
    </Page>
  );
}

const Telephone = ({ phone }: { readonly phone: string }) => (
  <>
    <a href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>{phone}</a> ·{' '}
  </>
);
