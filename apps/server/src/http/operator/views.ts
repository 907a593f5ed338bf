import type {
  ApiKeyView,
  MadeTokenView,
  MemberAccountView,
  MemberView,
  MerchantView,
  OperatorView,
  RecoveryLinkView,
  TokenView,
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
import type { MadeToken } from '../../services/operators.ts';
import type { MadeLink } from '../../services/recovery-links.ts';
import type { AccountRecord } from '../../storage/members/member-accounts.ts';
import type { MemberRecord } from '../../storage/members/members.ts';
import type { ApiKeyRecord } from '../../storage/merchants/api-keys.ts';
import type { MerchantRecord } from '../../storage/merchants/merchants.ts';
import type { OperatorRecord } from '../../storage/people/operators.ts';
import type { TokenRecord } from '../../storage/people/script-tokens.ts';
import { showAccount } from '../accounts.ts';
import { jsonMoney, jsonTime, logoPath } from '../values.ts';

/** Merchants, members and operators, as operators see them. */

/** `pathPrefix`: what a proxy takes off before the service's own paths. */
export const showMerchant = (
  { zones: _, ...merchant }: MerchantRecord,
  who: AskingOperator,
  pathPrefix: string,
): MerchantView => ({
  ...merchant,
  logo: merchant.logo === null ? null : `${pathPrefix}${logoPath(merchant.logo)}`,
  createdAt: jsonTime(merchant.createdAt),
  allowedActions: merchantActions(merchant, who),
});

export const showKey = (key: ApiKeyRecord, who: AskingOperator): ApiKeyView => ({
  keyId: key.keyId,
  prefix: key.prefix,
  createdAt: jsonTime(key.createdAt),
  revokedAt: jsonTime(key.revokedAt),
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
): MemberAccountView => ({
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

export const showMember = (member: MemberRecord, viewing: Viewing): MemberView => ({
  memberId: member.memberId,
  name: member.name,
  username: member.username,
  status: member.status,
  online: member.online,
  maxOpenOrders: member.maxOpenOrders,
  openOrders: member.openOrders,
  floatBalance: jsonMoney(member.floatBalance),
  floatHeld: jsonMoney(member.floatHeld),
  floatOverdrawn: member.floatOverdrawn,
  lastAssignedAt: jsonTime(member.lastAssignedAt),
  createdAt: jsonTime(member.createdAt),
  accounts: member.accounts.map((account) => showOwnedAccount(member.memberId, account, viewing)),
  controlledByYou: !areIndependent(viewing.control, member.memberId, viewing.who.id),
  allowedActions: memberAdminActions(member, viewing.who),
});

export const showOperator = (operator: OperatorRecord, who: AskingOperator): OperatorView => ({
  ...operator,
  createdAt: jsonTime(operator.createdAt),
  lastSignIn: operator.lastSignIn && {
    ...operator.lastSignIn,
    at: jsonTime(operator.lastSignIn.at),
  },
  allowedActions: operatorActions(operator, who),
});

export const showToken = ({
  tokenId,
  name,
  createdAt,
  expiresAt,
  lastUsedAt,
}: TokenRecord): TokenView => ({
  tokenId,
  name,
  createdAt: jsonTime(createdAt),
  expiresAt: jsonTime(expiresAt),
  lastUsedAt: jsonTime(lastUsedAt),
});

export const showMadeToken = ({ expiresAt, ...made }: MadeToken): MadeTokenView => ({
  ...made,
  expiresAt: jsonTime(expiresAt),
});

export const showRecoveryLink = ({ expiresAt, ...made }: MadeLink): RecoveryLinkView => ({
  ...made,
  expiresAt: jsonTime(expiresAt),
});

export const showRevoked = (revoked: number) => ({ revoked });
