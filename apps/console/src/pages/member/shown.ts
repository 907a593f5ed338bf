import type { MemberAccountView, MemberStandingView, MemberView } from '@munshi/api';
import type { AsText } from '@munshi/web';

/** What every tab of a member's page gets. */
export interface TabProps {
  readonly member: AsText<MemberView>;
  readonly standing: AsText<MemberStandingView>;
}

export type Account = AsText<MemberAccountView>;

export const ACCOUNT_STATUSES = {
  pending: 'Waiting',
  approved: 'Approved',
  suspended: 'Suspended',
};
