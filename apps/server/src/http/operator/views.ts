import { type Instant, type MemberAccount, WALLET_CURRENCY, type Wallet } from '@munshi/core';
import type { MadeToken } from '../../services/operators.ts';
import type { ApiKeyRecord } from '../../storage/api-keys.ts';
import type { MemberRecord } from '../../storage/members.ts';
import type { MerchantRecord } from '../../storage/merchants.ts';
import type { OperatorRecord } from '../../storage/operators.ts';
import type { TokenRecord } from '../../storage/script-tokens.ts';
import { showAccount } from '../accounts.ts';
import { jsonMoney, jsonTime } from '../json.ts';

/** Merchants, members and operators, as operators see them. */

export const showMerchant = (merchant: MerchantRecord) => ({
  ...merchant,
  createdAt: jsonTime(merchant.createdAt),
});

export const showBalance = ({ balance, reserved, frozen, overdrawn }: Wallet) => ({
  availableBalance: jsonMoney(balance - reserved),
  reservedBalance: jsonMoney(reserved),
  frozenBalance: jsonMoney(frozen),
  walletBalance: jsonMoney(balance),
  overdrawn,
  currency: WALLET_CURRENCY,
});

export const showKey = ({ keyId, prefix, createdAt, revokedAt }: ApiKeyRecord) => ({
  keyId,
  prefix,
  createdAt: jsonTime(createdAt),
  revokedAt: jsonTime(revokedAt),
});

export const showOwnedAccount = (memberId: string, account: MemberAccount, at: Instant) => ({
  ...showAccount(account, at),
  memberId,
});

export const showMember = (member: MemberRecord, at: Instant) => ({
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
  accounts: member.accounts.map((account) => showOwnedAccount(member.memberId, account, at)),
});

export const showOperator = (operator: OperatorRecord) => ({
  ...operator,
  createdAt: jsonTime(operator.createdAt),
});

export const showToken = ({ tokenId, name, createdAt, expiresAt, lastUsedAt }: TokenRecord) => ({
  tokenId,
  name,
  createdAt: jsonTime(createdAt),
  expiresAt: jsonTime(expiresAt),
  lastUsedAt: jsonTime(lastUsedAt),
});

export const showMadeToken = ({ operatorId, tokenId, name, expiresAt }: MadeToken) => ({
  operatorId,
  tokenId,
  name,
  expiresAt: jsonTime(expiresAt),
});

export const showRevoked = (revoked: number) => ({ revoked });
