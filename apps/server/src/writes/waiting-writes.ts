import {
  type Approval,
  type ApprovalKind,
  type AskedCommand,
  type AskedWrite,
  decided,
  type Instant,
  type MoneyKind,
  newApproval,
} from '@munshi/core';
import type pg from 'pg';
import type { Ids } from '../engine/ids.ts';
import {
  type Hidden,
  insertApproval,
  lockWaitingWrite,
  readHidden,
  updateApproval,
} from '../engine/rows/approvals.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { Refused } from '../platform/refusals.ts';
import type { ServiceDeps } from './deps.ts';
import { lockPlatformSettings } from './platform-settings.store.ts';
import type { Done, OperatorCaller } from './write.ts';

/** Writes of the operator face, of any kind, that wait for a second operator. */

/** What a write is about, and what it would do. */
export interface Explained {
  /** The id of what it is about: of each endpoint one request of an asker waits for it. */
  readonly target: string;
  /** For the second operator. What a field was before is next to it, as `…Before`. */
  readonly shown: Approval['request'];
  /** The same, which changes all the time: a change of it makes no request outdated. */
  readonly beside?: Approval['request'];
}

/** How a request of a write is called. */
export type WriteKind = Exclude<ApprovalKind, MoneyKind>;
/** Those that give a secret: made when the asker fetches it, so that the approver never sees it. */
export type FetchedKind =
  | 'api-key'
  | 'operator-token'
  | 'operator-recovery'
  | 'member-recovery'
  | 'portal-link';

const FETCHED: Readonly<Record<FetchedKind, true>> = {
  'api-key': true,
  'operator-token': true,
  'operator-recovery': true,
  'member-recovery': true,
  'portal-link': true,
};
export const isFetched = (kind: ApprovalKind): kind is FetchedKind => kind in FETCHED;

export type Asker = { readonly id: string };

/** Who has a write done, and who asked for it: the same, but where another has approved it. */
export interface By {
  readonly actor: OperatorCaller['actor'];
  readonly asker: Asker;
}

/** A write, read from its request. Both throw the refusals of the write. */
export interface ReadWrite {
  explain(client: pg.PoolClient, now: Instant, asker: Asker): Promise<Explained>;
  /** Its result as it is shown to the person who fetches its secret. */
  work(client: pg.PoolClient, now: Instant, ids: Ids, by: By): Promise<Done<object>>;
}

/** Reads a request that has waited, by its endpoint (`POST /fee-rules`). */
export type WaitingWrites = Map<
  string,
  (asked: AskedWrite, hidden: Hidden | null) => Promise<ReadWrite>
>;

/** Reads the command of a request that has waited, by its endpoint. */
export type AskedCommands = Map<string, (asked: AskedWrite) => AskedCommand>;

/** Open screens of approvals show what has come. */
export const notifyWaiting = (
  { notices }: Pick<ServiceDeps, 'notices'>,
  approvalId: string,
): void => notices.changed([{ kind: 'approval', id: approvalId }]);

/** Screens read again what an approval has changed: its answer has the request alone. */
export function notifyChange(
  { notices }: Pick<ServiceDeps, 'notices'>,
  { request }: Pick<Approval, 'request'>,
): void {
  const { memberId, merchantId } = request;
  if (typeof merchantId === 'string') notices.ownChanged([{ merchantId, kind: 'setting' }]);
  notices.changed([
    typeof memberId === 'string' ? { kind: 'member', id: memberId } : { kind: 'setting', id: null },
  ]);
}

/** Against a request of which one part waits and another may not. */
export const partWaits = () =>
  new Refused(
    'wrong-state',
    'Part of this needs a second operator: send that part as a request of its own.',
  );

/** Has a write wait. It replaces the asker's own of its endpoint that waits for the same. */
export async function askForWrite(
  client: pg.PoolClient,
  now: Instant,
  ids: Ids,
  {
    actor,
    kind,
    asked,
    hidden,
    write,
  }: {
    readonly actor: OperatorCaller['actor'];
    readonly kind: WriteKind;
    readonly asked: AskedWrite;
    readonly hidden: Hidden | null;
    readonly write: Pick<ReadWrite, 'explain'>;
  },
) {
  const { target, shown: explained, beside } = await write.explain(client, now, actor);
  const shown = { ...explained, ...beside };
  await lockPlatformSettings(client); // so that two asked for at once replace each other
  const earlier = await lockWaitingWrite(client, asked.endpoint, target, actor.id);
  if (earlier !== undefined) {
    const note = 'A newer request has taken its place.';
    await updateApproval(client, decided(earlier, 'withdrawn', actor, note, { now }));
  }
  const approval = newApproval(kind, ids.uuid(now), target, shown, { actor, asked }, now);
  await insertApproval(client, approval, hidden);
  const { approvalId } = approval;
  const named = kind === 'write' && { endpoint: asked.endpoint };
  return {
    result: { status: 'pendingApproval', approvalId, request: shown } as const,
    action: kind === 'write' ? ('approval.request' as const) : (`${kind}.request` as const),
    target,
    detail: { approvalId, ...named, ...shown },
  };
}

/** Reads a request again. Throws `wrong-state` where another version has asked for it. */
export async function readWaitingWrite(
  { waitingWrites }: { readonly waitingWrites: WaitingWrites },
  db: Queryable,
  approval: Approval,
): Promise<ReadWrite> {
  const asked = approval.asked ?? askedBefore(approval);
  const read = waitingWrites.get(asked?.endpoint ?? '');
  if (asked === undefined || read === undefined)
    throw new Refused('wrong-state', 'This version does not know what was asked for.');
  return read(asked, await readHidden(db, approval.approvalId));
}

/** The command of a request about money; undefined of every other one. */
export function readAskedCommand(
  { askedCommands }: { readonly askedCommands: AskedCommands },
  approval: Approval,
): AskedCommand | undefined {
  const asked = approval.asked ?? askedBefore(approval);
  return asked && askedCommands.get(asked.endpoint)?.(asked);
}

/**
 * The same of a request of the version before, which names what it does by its kind. Remove it in
 * the next version.
 */
function askedBefore({ kind, request, target }: Approval): AskedWrite | undefined {
  const { operatorId, memberId, accountId, merchantId, principalId, ...rest } = request;
  const about = (endpoint: string, params: Record<string, unknown>, body: object = {}) => ({
    endpoint,
    params: params as Record<string, string>,
    body: JSON.stringify(body),
  });
  const only = (...names: readonly string[]) =>
    Object.fromEntries(Object.entries(rest).filter(([name]) => names.includes(name)));
  const amounts = (...names: readonly string[]) =>
    `{${Object.entries(only(...names))
      .map(([name, value]) => `"${name}":${value}`)
      .join(',')}}`;
  switch (kind) {
    case 'adjustment': {
      const { kind: adjustment, amount, reason } = rest;
      const body = `{"kind":${JSON.stringify(adjustment)},"amount":${amount},"reason":${JSON.stringify(reason)}}`;
      return { ...about('POST /merchants/:merchantId/adjustments', { merchantId }), body };
    }
    case 'float-adjustment': {
      const body = `{"amount":${rest['amount']},"reason":${JSON.stringify(rest['reason'])}}`;
      return { ...about('POST /members/:memberId/float-adjustments', { memberId }), body };
    }
    case 'order-confirm': {
      const member = memberId === null ? {} : { memberId };
      const body = { note: rest['note'], ...member };
      return about('POST /orders/:orderId/confirm', { orderId: target }, body);
    }
    case 'order-resolve':
      return about('POST /orders/:orderId/resolve', { orderId: target }, only('note', 'outcome'));
    case 'api-key': {
      const path = '/merchants/:merchantId/api-keys';
      return about(`POST ${path}${rest['revokesOthers'] ? '/regenerate' : ''}`, { merchantId });
    }
    case 'own-keys':
      return about('POST /merchants/:merchantId/own-keys', { merchantId }, only('allowed'));
    case 'operator-create':
      return about('POST /operators', {}, only('username', 'name', 'role'));
    case 'operator-change':
      return about('PATCH /operators/:operatorId', { operatorId }, only('name', 'role', 'status'));
    case 'operator-token':
      return about(
        'POST /operators/:operatorId/tokens',
        { operatorId },
        only('name', 'expiresInDays'),
      );
    case 'operator-recovery':
      return about('POST /operators/:operatorId/recovery-link', { operatorId: principalId });
    case 'member-recovery':
      return about('POST /members/:memberId/recovery-link', { memberId: principalId });
    case 'one-time-code-removal':
      return about('DELETE /operators/:operatorId/one-time-code', { operatorId });
    case 'member-password':
      return about('PATCH /members/:memberId', { memberId }, only('name', 'username'));
    case 'account-change':
      return {
        ...about('PATCH /member-accounts/:accountId', { accountId }),
        body: amounts('minimumPerOrder', 'maximumPerOrder', 'maximumPerDay', 'qrAmount'),
      };
    case 'settings':
      return {
        ...about('PATCH /settings', {}),
        body: amounts('adjustmentApprovalLimit', 'requireSecondOperator', 'requireOneTimeCode'),
      };
    default:
      return undefined;
  }
}
