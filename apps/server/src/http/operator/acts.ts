import { hash, randomBytes, randomInt } from 'node:crypto';
import type { Approval, ApprovalKind, AuditEntry, Instant } from '@munshi/core';
import { money } from '@munshi/core';
import type pg from 'pg';
import { uuidV7 } from '../../engine/ids.ts';
import { insertApiKey, revokeApiKeys } from '../../storage/api-keys.ts';
import { fallApprovals, type Hidden } from '../../storage/approvals.ts';
import { updateMemberIdentity } from '../../storage/members.ts';
import { lockMerchant } from '../../storage/merchants.ts';
import {
  findOperator,
  insertOperator,
  type OperatorRecord,
  updateOperator,
} from '../../storage/operators.ts';
import { lockPlatformSettings, updatePlatformSettings } from '../../storage/platform-settings.ts';
import {
  DAY_MS,
  deleteAllSessionsOf,
  insertSession,
  type OperatorRole,
} from '../../storage/sessions.ts';
import type { Deps } from '../deps.ts';
import { jsonTime, Refused } from '../json.ts';
import { hashToken } from '../session.ts';
import { found, refuseTaken } from './write.ts';

/**
 * What may have to wait for a second operator, besides money: done at once, or as it was asked for
 * when it is approved (D66).
 */

export type ActKind = Exclude<
  ApprovalKind,
  'adjustment' | 'float-adjustment' | 'order-confirm' | 'order-resolve'
>;

interface Done {
  readonly answer: object;
  /** Shown once, to whoever asked. */
  readonly secrets?: object;
  readonly action: string;
  readonly target: string;
  readonly detail: AuditEntry['detail'];
}

type Perform = (
  client: pg.PoolClient,
  now: Instant,
  request: Approval['request'],
  hidden: Hidden | null,
  deps: Pick<Deps, 'vault'>,
) => Promise<Done>;

/**
 * These give a secret: an approved one is made when its requester fetches it, and the approver
 * never sees it.
 */
export const FETCHED: ReadonlySet<ApprovalKind> = new Set(['api-key', 'operator-token']);

export const PERFORM: Readonly<Record<ActKind, Perform>> = {
  'api-key': issueKey,
  'operator-create': createOperator,
  'operator-change': changeOperator,
  'operator-token': makeToken,
  'member-password': changeIdentity,
  settings: changeLimits,
};

const text = (value: Approval['request'][string] | undefined) =>
  value === undefined || value === null ? null : String(value);

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const KEY_START = 'mk_live_';
const KEY_LENGTH = 32;
const SECRET_START = 'sksec_';
const SECRET_LENGTH = 40;
const PREFIX_LENGTH = 8;

const alphanumerics = (length: number) =>
  Array.from({ length }, () => ALPHANUMERIC[randomInt(ALPHANUMERIC.length)]).join('');

async function issueKey(
  client: pg.PoolClient,
  now: Instant,
  request: Approval['request'],
  _hidden: Hidden | null,
  { vault }: Pick<Deps, 'vault'>,
): Promise<Done> {
  const merchantId = String(request['merchantId']);
  const revokesOthers = request['revokesOthers'] === true;
  const apiKey = `${KEY_START}${alphanumerics(KEY_LENGTH)}`;
  const signingSecret = `${SECRET_START}${alphanumerics(SECRET_LENGTH)}`;
  const prefix = apiKey.slice(KEY_START.length, KEY_START.length + PREFIX_LENGTH);
  found(await lockMerchant(client, merchantId), 'Merchant');
  const revoked = revokesOthers ? await revokeApiKeys(client, merchantId, now) : [];
  const keyId = uuidV7(now);
  await insertApiKey(client, {
    merchantId,
    keyId,
    keyHash: hash('sha256', apiKey),
    prefix,
    createdAt: now,
    ...vault.seal(signingSecret, { merchantId, keyId }),
  });
  const detail = { keyId, prefix, revoked: revoked.join(', ') };
  const action = revokesOthers ? 'api-key.regenerate' : 'api-key.create';
  return {
    answer: { keyId, prefix },
    secrets: { apiKey, signingSecret },
    action,
    target: merchantId,
    detail,
  };
}

export const showOperator = (operator: OperatorRecord) => ({
  ...operator,
  createdAt: jsonTime(operator.createdAt),
});

async function createOperator(
  client: pg.PoolClient,
  now: Instant,
  request: Approval['request'],
  hidden: Hidden | null,
): Promise<Done> {
  const [operatorId, username, name, role] = [
    uuidV7(now),
    String(request['username']),
    String(request['name']),
    request['role'] as OperatorRole,
  ];
  const taken = refuseTaken(`The username ${username} is taken.`);
  await insertOperator(client, {
    operatorId,
    username,
    name,
    role,
    passwordHash: hidden?.passwordHash ?? null,
    createdAt: now,
  }).catch(taken);
  const operator = found(await findOperator(client, operatorId, now), 'Operator');
  return {
    answer: showOperator(operator),
    action: 'operator.create',
    target: operatorId,
    detail: { username, role },
  };
}

const RANKS = ['viewer', 'support', 'admin'];
export const isPromotion = (before: string, after: string): boolean =>
  RANKS.indexOf(after) > RANKS.indexOf(before);

async function changeOperator(
  client: pg.PoolClient,
  now: Instant,
  request: Approval['request'],
  hidden: Hidden | null,
): Promise<Done> {
  const operatorId = String(request['operatorId']);
  const before = found(await findOperator(client, operatorId, now), 'Operator');
  const [name, role, status] = [
    text(request['name']),
    text(request['role']) as OperatorRole | null,
    text(request['status']) as 'active' | 'suspended' | null,
  ];
  const passwordHash = hidden?.passwordHash ?? null;
  await updateOperator(client, operatorId, { name, role, status, passwordHash });
  if (passwordHash !== null) await deleteAllSessionsOf(client, operatorId);
  if (status === 'suspended' || (role !== null && isPromotion(role, before.role)))
    await fallApprovals(client, operatorId);
  const after = found(await findOperator(client, operatorId, now), 'Operator');
  const fields = [
    ...(name ? ['name'] : []),
    ...(passwordHash ? ['password'] : []),
    ...(role ? ['role'] : []),
    ...(status ? ['status'] : []),
  ].join(', ');
  return {
    answer: showOperator(after),
    action: 'operator.update',
    target: operatorId,
    detail: { fields, role: after.role, status: after.status },
  };
}

async function makeToken(
  client: pg.PoolClient,
  now: Instant,
  request: Approval['request'],
): Promise<Done> {
  const [operatorId, name, expiresInDays] = [
    String(request['operatorId']),
    String(request['name']),
    Number(request['expiresInDays']),
  ];
  const token = `op_${randomBytes(32).toString('base64url')}`;
  const { status } = found(await findOperator(client, operatorId, now), 'Operator');
  if (status !== 'active') throw new Refused('wrong-state', 'This operator is suspended.');
  const tokenId = uuidV7(now);
  const session = {
    sessionId: tokenId,
    tokenHash: hashToken(token),
    kind: 'operator-token',
    principalId: operatorId,
    csrfToken: null,
    name,
    createdAt: now,
  } as const;
  const expiresAt = now + expiresInDays * DAY_MS;
  await insertSession(client, { ...session, expiresAt });
  const answer = { operatorId, tokenId, name, expiresAt: jsonTime(expiresAt) };
  return {
    answer,
    secrets: { token },
    action: 'operator.token',
    target: operatorId,
    detail: { tokenId, name, expiresInDays },
  };
}

async function changeIdentity(
  client: pg.PoolClient,
  _now: Instant,
  request: Approval['request'],
  hidden: Hidden | null,
): Promise<Done> {
  const [memberId, name, username] = [
    String(request['memberId']),
    text(request['name']),
    text(request['username']),
  ];
  const passwordHash = hidden?.passwordHash ?? null;
  await updateMemberIdentity(client, memberId, { name, username, passwordHash }).catch(
    refuseTaken(`The username ${username} is taken.`),
  );
  if (passwordHash !== null) await deleteAllSessionsOf(client, memberId);
  const fields = [
    ...(name ? ['name'] : []),
    ...(passwordHash ? ['password'] : []),
    ...(username ? ['username'] : []),
  ].join(', ');
  return { answer: { memberId }, action: 'member.identity', target: memberId, detail: { fields } };
}

/** The limit above which money waits, and whether anything does. */
async function changeLimits(
  client: pg.PoolClient,
  _now: Instant,
  request: Approval['request'],
): Promise<Done> {
  const before = await lockPlatformSettings(client);
  const { adjustmentApprovalLimit: limit, requireSecondOperator: required } = request;
  await updatePlatformSettings(client, {
    ...before,
    ...(limit !== undefined && {
      adjustmentApprovalLimit: limit === null ? null : money(String(limit)),
    }),
    ...(required !== undefined && { requireSecondOperator: required === true }),
  });
  return {
    answer: {},
    action: 'settings.update',
    target: 'settings',
    detail: { ...request, fields: Object.keys(request).sort().join(', ') },
  };
}
