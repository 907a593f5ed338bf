import type { Endpoint } from '@munshi/api';
import {
  type Approval,
  type ApprovalId,
  type ApprovalKind,
  type AskedWrite,
  type AuditAction,
  type AuditEntry,
  decided,
  FETCHED_KINDS,
  type FetchedKind,
  type Instant,
  type MemberId,
  MONEY_KINDS,
  type MoneyKind,
  newApproval,
  refuseOneMore,
} from '@munshi/core';
import type pg from 'pg';
import type { Ids } from '../engine/ids.ts';
import {
  countWaiting,
  type Hidden,
  insertApproval,
  lockAsker,
  lockWaitingWrite,
  readHidden,
  updateApproval,
} from '../engine/rows/approvals.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { Refused, refuseOn } from '../platform/refusals.ts';
import type { ServiceDeps } from './deps.ts';
import type { Done, OperatorCaller } from './write.ts';

/** Writes of the operator face, of any kind, that wait for a second operator. */

/** What a write is about, and what it would do. */
export interface Explained {
  /**
   * The id of what it is about: of each endpoint one request of an asker waits for it. Null: the
   * request itself, so that several wait.
   */
  readonly target: string | null;
  /** For the second operator. What a field was before is next to it, as `…Before`. */
  readonly shown: Approval['request'];
  /** The same, which changes all the time: a change of it makes no request outdated. */
  readonly beside?: Approval['request'];
  /** How the audit log has the request, where not by its kind and target. */
  readonly logged?: Pick<AuditEntry, 'action' | 'target'>;
}

export const isFetched = (kind: ApprovalKind): kind is FetchedKind =>
  FETCHED_KINDS.some((one) => one === kind);

export type Asker = { readonly id: string };

/** Who has a write done, and who asked for it: the same, but where another has approved it. */
export interface By {
  readonly actor: OperatorCaller['actor'];
  readonly asker: Asker;
  /** In which sum of the day counts what one operator decides; null: two have. */
  readonly sumOf: string | null;
  /** The request, as it is approved; null: one operator decides. */
  readonly approval: Approval | null;
}

/** A write, read from its request. Both throw the refusals of the write. */
export interface ReadWrite {
  explain(client: pg.PoolClient, now: Instant, asker: Asker): Promise<Explained>;
  /** Its result as it is shown to the person who fetches its secret. */
  work(client: pg.PoolClient, now: Instant, ids: Ids, by: By): Promise<Done<object>>;
}

/** A write of which a request may wait. */
export interface WaitingWrite {
  readonly endpoint: Endpoint;
  /** Reads a request that has waited. Throws FieldErrors. */
  readAgain(asked: AskedWrite, hidden: Hidden | null): Promise<ReadWrite>;
}

/** As requests that wait name what they ask: `POST /fee-rules`. */
export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

/** Open screens of approvals show what has come. */
export const notifyWaiting = (
  { notices }: Pick<ServiceDeps, 'notices'>,
  approvalId: ApprovalId,
): void => notices.changed([{ kind: 'approval', id: approvalId }]);

/** Screens read again what an approval has changed: its answer has the request alone. */
export function notifyChange(
  { notices }: Pick<ServiceDeps, 'notices'>,
  { request }: Pick<Approval, 'request'>,
): void {
  const { memberId, merchantId } = request;
  if (typeof merchantId === 'string') notices.ownChanged([{ merchantId, kind: 'setting' }]);
  notices.changed([
    typeof memberId === 'string'
      ? { kind: 'member', id: memberId as MemberId }
      : { kind: 'setting', id: null },
  ]);
}

/** Against a request of which one part waits and another may not. */
export const partWaits = () =>
  new Refused(
    'wrong-state',
    'Part of this needs a second operator: send that part as a request of its own.',
  );

/** Takes back the asker's own request of an endpoint that waits for the same. */
export async function withdrawEarlier(
  client: pg.PoolClient,
  now: Instant,
  { actor, endpoint, target }: { actor: OperatorCaller['actor']; endpoint: string; target: string },
): Promise<void> {
  const earlier = await lockWaitingWrite(client, endpoint, target, actor.id);
  if (earlier === undefined) return;
  const note = 'A newer request has taken its place.';
  await updateApproval(client, decided(earlier, 'withdrawn', actor, note, { now }));
}

/**
 * Has a write wait. It replaces the asker's own of its endpoint that waits for the same. Throws the
 * refusal of refuseOneMore.
 */
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
    readonly kind: ApprovalKind;
    readonly asked: AskedWrite;
    readonly hidden: Hidden | null;
    readonly write: Pick<ReadWrite, 'explain'>;
  },
) {
  const { target, shown: explained, beside, logged } = await write.explain(client, now, actor);
  const { endpoint } = asked;
  const shown = { ...explained, ...beside };
  await lockAsker(client, actor.id);
  if (target !== null) await withdrawEarlier(client, now, { actor, endpoint, target });
  refuseOn(refuseOneMore(await countWaiting(client, actor.id, now)));
  const approvalId = ids.uuid<ApprovalId>(now);
  const about = target ?? approvalId;
  const approval = newApproval(kind, approvalId, about, shown, { actor, asked }, now);
  await insertApproval(client, approval, hidden);
  const named = kind === 'write' && { endpoint };
  return {
    result: approval,
    action: requestAction(kind),
    target: about,
    ...logged,
    detail: { approvalId, ...named, ...shown },
  };
}

/** How the audit log has a request. One about money is `logged` by an action of its own. */
const requestAction = (kind: ApprovalKind): AuditAction =>
  kind === 'write' || isAboutMoney(kind) ? 'approval.request' : `${kind}.request`;

const isAboutMoney = (kind: ApprovalKind): kind is MoneyKind =>
  MONEY_KINDS.some((one) => one === kind);

/** Reads a request again. Throws `wrong-state` where another version has asked for it. */
export async function readWaitingWrite(
  writes: readonly WaitingWrite[],
  db: Queryable,
  { approvalId, asked }: Approval,
): Promise<ReadWrite> {
  const write = writes.find(({ endpoint }) => nameOf(endpoint) === asked?.endpoint);
  if (asked === null || write === undefined)
    throw new Refused('wrong-state', 'This version does not know what was asked for.');
  return write.readAgain(asked, await readHidden(db, approvalId));
}
