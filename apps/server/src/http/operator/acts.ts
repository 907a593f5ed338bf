import type { Approval, ApprovalKind, AuditEntry, Instant } from '@munshi/core';
import { money } from '@munshi/core';
import type pg from 'pg';
import { issueKey } from '../../services/api-keys.ts';
import { changeIdentity } from '../../services/members.ts';
import { changeOperator, createOperator, makeToken } from '../../services/operators.ts';
import type { WithSecrets } from '../../services/write.ts';
import type { Hidden } from '../../storage/approvals.ts';
import type { OperatorRole } from '../../storage/sessions.ts';
import { lockPlatformSettings, updatePlatformSettings } from '../../storage/settings.ts';
import type { Deps } from '../deps.ts';
import { showMadeToken, showOperator } from './views.ts';

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
  'api-key': async (client, now, request, _hidden, { vault }) => {
    const revokesOthers = request['revokesOthers'] === true;
    const merchant = { merchantId: String(request['merchantId']), revokesOthers };
    return shown(await issueKey(client, now, merchant, vault), (key) => key);
  },
  'operator-create': async (client, now, request, hidden) => {
    const operator = {
      username: String(request['username']),
      name: String(request['name']),
      role: request['role'] as OperatorRole,
      passwordHash: hidden?.passwordHash ?? null,
    };
    return shown(await createOperator(client, now, operator), showOperator);
  },
  'operator-change': async (client, now, request, hidden) => {
    const change = {
      name: orNull(request, 'name'),
      role: orNull(request, 'role') as OperatorRole | null,
      status: orNull(request, 'status') as 'active' | 'suspended' | null,
      passwordHash: hidden?.passwordHash ?? null,
    };
    const operatorId = String(request['operatorId']);
    return shown(await changeOperator(client, now, operatorId, change), showOperator);
  },
  'operator-token': async (client, now, request) => {
    const token = {
      operatorId: String(request['operatorId']),
      name: String(request['name']),
      expiresInDays: Number(request['expiresInDays']),
    };
    return shown(await makeToken(client, now, token), showMadeToken);
  },
  'member-password': async (client, _now, request, hidden) => {
    const identity = {
      name: orNull(request, 'name'),
      username: orNull(request, 'username'),
      passwordHash: hidden?.passwordHash ?? null,
    };
    const memberId = String(request['memberId']);
    return shown(await changeIdentity(client, memberId, identity), (changed) => changed);
  },
  settings: changeLimits,
};

const orNull = (request: Approval['request'], name: string) => {
  const value = request[name];
  return value === undefined || value === null ? null : String(value);
};

/** As its route answers it. */
const shown = <T>({ result, ...done }: WithSecrets<T>, show: (result: T) => object): Done => ({
  ...done,
  detail: done.detail ?? {},
  answer: show(result),
});

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
