import type { Given, MemberAccountView, MemberView } from '@munshi/api';
import {
  type AskingOperator,
  type Instant,
  memberAccountActions,
  memberAdminActions,
  qrWarnings,
  readQrContent,
} from '@munshi/core';
import { showAccount } from './accounts.routes.ts';
import type { AccountRecord } from './accounts.store.ts';
import type { MemberRecord } from './store.ts';

/** Members and their accounts, as operators see them. */

/** Who looks at members, and when. */
export interface Viewing {
  readonly who: AskingOperator;
  readonly now: Instant;
}

export const showOwnedAccount = (
  memberId: string,
  account: AccountRecord,
  viewing: Viewing,
): Given<MemberAccountView> => ({
  ...showAccount(account, viewing.now),
  memberId,
  createdBy: account.createdBy,
  qrContent: account.qrPayload === null ? null : readQrContent(account.qrPayload),
  qrWarnings: qrWarnings(account),
  allowedActions: memberAccountActions(account, viewing.who),
});

export const showMember = (member: MemberRecord, viewing: Viewing): Given<MemberView> => ({
  ...member,
  accounts: member.accounts.map((account) => showOwnedAccount(member.memberId, account, viewing)),
  credentialByYou: member.credentialBy === viewing.who.id,
  allowedActions: memberAdminActions(member, viewing.who),
});
