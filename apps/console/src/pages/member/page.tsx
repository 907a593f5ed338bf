import {
  type MemberStandingView,
  type MemberView,
  READ_MEMBER,
  READ_MEMBER_STANDING,
} from '@munshi/api';
import type { AsText } from '@munshi/web';
import { Copy, Loaded, Page, PageTabs, useRead, useRecent } from '@munshi/web-ui';
import type { ComponentType } from 'react';
import { useLocation, useParams } from 'wouter';
import { MemberStatus } from '../members/member-status.tsx';
import { AccountsTab } from './accounts.tsx';
import { AlertsTab } from './alerts.tsx';
import { ChangeMember } from './change-member.tsx';
import { FloatTab } from './float.tsx';
import { AuditTab, OrdersTab } from './lists.tsx';
import { NowTab } from './now.tsx';
import { RecoveryLink } from './recovery-link.tsx';
import { SessionsTab } from './sessions.tsx';
import { StatusAction } from './status-action.tsx';
import { texts } from './texts.ts';

export interface TabProps {
  readonly member: AsText<MemberView>;
  readonly standing: AsText<MemberStandingView>;
}

const TABS: Readonly<Record<keyof typeof texts.tabs, ComponentType<TabProps>>> = {
  now: NowTab,
  orders: OrdersTab,
  accounts: AccountsTab,
  float: FloatTab,
  alerts: AlertsTab,
  sessions: SessionsTab,
  audit: AuditTab,
};
type TabName = keyof typeof TABS;
const NAMES = Object.keys(TABS) as TabName[];

/** C11, one member. */
export default function MemberPage() {
  const { memberId = '', tab } = useParams<{ memberId: string; tab?: string }>();
  const watch = ['member', 'order'];
  const member = useRead(READ_MEMBER, { params: { memberId } }, { watch });
  const standing = useRead(READ_MEMBER_STANDING, { params: { memberId } }, { watch });
  return (
    <Loaded read={member} rows={8}>
      {({ data }) => (
        <Loaded read={standing} rows={8}>
          {({ data: stands }) => (
            <OneMember
              key={memberId}
              member={data}
              standing={stands}
              tab={NAMES.find((name) => name === tab) ?? 'now'}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

function OneMember({ member, standing, tab }: TabProps & { readonly tab: TabName }) {
  const [, go] = useLocation();
  const { memberId, name, username, status, online } = member;
  useRecent({ kind: 'member', path: `/members/${memberId}`, label: name });
  const Shown = TABS[tab];
  return (
    <Page
      title={name}
      beside={<MemberStatus status={status} online={online} />}
      lead={
        <>
          {username} · <Copy value={memberId} what={texts.theId} mono />
        </>
      }
      actions={
        <>
          <ChangeMember member={member} />
          <RecoveryLink member={member} />
          <StatusAction member={member} standing={standing} />
        </>
      }
    >
      <PageTabs
        tabs={texts.tabs}
        value={tab}
        onChange={(next) => go(`/members/${memberId}${next === 'now' ? '' : `/${next}`}`)}
      >
        <Shown member={member} standing={standing} />
      </PageTabs>
    </Page>
  );
}
