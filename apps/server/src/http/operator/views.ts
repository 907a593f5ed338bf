import type {
  ApiKeyView,
  Given,
  MemberAccountView,
  MemberView,
  MerchantView,
  OperatorView,
} from '@munshi/api';
import {
  type AskingOperator,
  apiKeyActions,
  areIndependent,
  type Control,
  type Instant,
  memberAccountActions,
  memberAdminActions,
  merchantActions,
  operatorActions,
  qrWarnings,
  readQrContent,
} from '@munshi/core';
import type { AccountRecord } from '../../storage/members/member-accounts.ts';
import type { MemberRecord } from '../../storage/members/members.ts';
import type { ApiKeyRecord } from '../../storage/merchants/api-keys.ts';
import type { MerchantRecord } from '../../storage/merchants/merchants.ts';
import type { OperatorRecord } from '../../storage/people/operators.ts';
import { showAccount } from '../accounts.ts';
import { logoPath } from '../values.ts';

/** Merchants, members and operators, as operators see them. */

/** `pathPrefix`: what a proxy takes off before the service's own paths. */
export const showMerchant = (
  merchant: MerchantRecord,
  who: AskingOperator,
  pathPrefix: string,
): Given<MerchantView> => ({
  ...merchant,
  logo: merchant.logo === null ? null : `${pathPrefix}${logoPath(merchant.logo)}`,
  allowedActions: merchantActions(merchant, who),
});

export const showKey = (key: ApiKeyRecord, who: AskingOperator): Given<ApiKeyView> => ({
  ...key,
  allowedActions: apiKeyActions(key, who),
});

/** Who looks at members, when, and what the platform asks of them. */
export interface Viewing {
  readonly who: AskingOperator;
  readonly now: Instant;
  readonly requireSecondOperator: boolean;
  /** Who controls these members. */
  readonly control: Control;
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
  allowedActions: memberAccountActions(
    { ...account, memberId },
    viewing.control,
    viewing.who,
    viewing,
  ),
});

export const showMember = (member: MemberRecord, viewing: Viewing): Given<MemberView> => ({
  ...member,
  accounts: member.accounts.map((account) => showOwnedAccount(member.memberId, account, viewing)),
  controlledByYou: !areIndependent(viewing.control, member.memberId, viewing.who.id),
  allowedActions: memberAdminActions(member, viewing.who),
});

export const showOperator = (
  operator: OperatorRecord,
  who: AskingOperator,
): Given<OperatorView> => ({
  ...operator,
  allowedActions: operatorActions(operator, who),
});
