import type { Approval, ApprovalKind, Instant, OperatorRole } from '@munshi/core';
import type pg from 'pg';
import type { MemberRecord } from '../storage/members/members.ts';
import type { MerchantRecord } from '../storage/merchants/merchants.ts';
import type { Hidden } from '../storage/people/approvals.ts';
import type { OperatorRecord } from '../storage/people/operators.ts';
import type { PlatformSettings } from '../storage/settings.ts';
import { allowOwnKeys, issueKey } from './api-keys.ts';
import type { ServiceDeps } from './deps.ts';
import { changeAccount, type OwnedAccount } from './member-accounts.ts';
import { changeIdentity } from './members.ts';
import { removeCode } from './one-time-codes.ts';
import { changeOperator, createOperator, type MadeToken, makeToken } from './operators.ts';
import { type MadeLink, makeRecoveryLink } from './recovery-links.ts';
import { changeLimits } from './settings.ts';
import type { OperatorCaller, WithSecrets } from './write.ts';

/** What may have to wait for a second operator, besides money: by its kind, how it is done (D66). */

/** What each operation answers when it is done. */
export interface Results {
  'api-key': { readonly keyId: string; readonly prefix: string };
  'operator-create': OperatorRecord;
  'operator-change': OperatorRecord;
  'operator-token': MadeToken;
  'member-password': MemberRecord;
  settings: PlatformSettings;
  'operator-recovery': MadeLink;
  'member-recovery': MadeLink;
  'one-time-code-removal': { readonly removed: true };
  'account-change': OwnedAccount;
  'own-keys': MerchantRecord;
}
export type OperationKind = keyof Results;
export type MoneyKind = Exclude<ApprovalKind, OperationKind | 'write'>;

/** Carries out what a request names, in a transaction. */
type Perform<Kind extends OperationKind> = (
  client: pg.PoolClient,
  now: Instant,
  given: {
    readonly request: Approval['request'];
    readonly hidden: Hidden | null;
    /** Who has it done now. */
    readonly actor: OperatorCaller['actor'];
  },
  deps: Pick<ServiceDeps, 'vault' | 'ids' | 'pageOrigin'> & {
    readonly operatorTokens: readonly { readonly operatorId: string }[];
  },
) => Promise<WithSecrets<Results[Kind]>>;

export const OPERATIONS: { readonly [Kind in OperationKind]: Perform<Kind> } = {
  'api-key': (client, now, { request }, deps) =>
    issueKey(
      client,
      now,
      {
        merchantId: String(request['merchantId']),
        revokesOthers: request['revokesOthers'] === true,
      },
      deps,
    ),
  'operator-create': (client, now, { request, hidden }, { ids }) =>
    createOperator(client, now, ids, {
      username: String(request['username']),
      name: String(request['name']),
      role: request['role'] as OperatorRole,
      passwordHash: hidden?.passwordHash ?? null,
    }),
  'operator-change': (client, now, { request, hidden }, { operatorTokens }) =>
    changeOperator(client, now, String(request['operatorId']), {
      tokenAdmins: operatorTokens.map(({ operatorId }) => operatorId),
      name: textOrNull(request['name']),
      role: textOrNull(request['role']) as OperatorRole | null,
      status: textOrNull(request['status']) as OperatorRecord['status'] | null,
      passwordHash: hidden?.passwordHash ?? null,
    }),
  'operator-token': (client, now, { request }, { ids }) =>
    makeToken(client, now, ids, {
      operatorId: String(request['operatorId']),
      name: String(request['name']),
      expiresInDays: Number(request['expiresInDays']),
    }),
  'member-password': (client, _now, { request, hidden }) =>
    changeIdentity(client, String(request['memberId']), {
      name: textOrNull(request['name']),
      username: textOrNull(request['username']),
      passwordHash: hidden?.passwordHash ?? null,
    }),
  settings: (client, _now, { request }) => changeLimits(client, request),
  'operator-recovery': (client, now, { request, actor }, deps) =>
    makeRecoveryLink(client, now, linkOf('operator', request, actor), deps),
  'member-recovery': (client, now, { request, actor }, deps) =>
    makeRecoveryLink(client, now, linkOf('member', request, actor), deps),
  'one-time-code-removal': (client, _now, { request }) =>
    removeCode(client, String(request['operatorId'])),
  'account-change': (client, now, { request }) => changeAccount(client, now, request),
  'own-keys': (client, _now, { request }) =>
    allowOwnKeys(client, {
      merchantId: String(request['merchantId']),
      allowed: request['allowed'] === true,
    }),
};

const linkOf = <Face>(
  face: Face,
  request: Approval['request'],
  actor: { readonly id: string },
) => ({
  face,
  principalId: String(request['principalId']),
  madeBy: actor.id,
});

const textOrNull = (value: Approval['request'][string] | undefined) =>
  value === undefined || value === null ? null : String(value);

/** What is shown beside the result, this once. */
export type SecretsOf<Kind extends OperationKind> = Kind extends 'api-key'
  ? { readonly apiKey: string; readonly signingSecret: string }
  : Kind extends 'operator-token'
    ? { readonly token: string }
    : Kind extends 'operator-recovery' | 'member-recovery'
      ? { readonly link: string }
      : unknown;
