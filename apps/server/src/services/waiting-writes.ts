import { type Approval, type AskedWrite, decided, type Instant, newApproval } from '@munshi/core';
import type pg from 'pg';
import type { Ids } from '../engine/ids.ts';
import { insertApproval, lockWaitingWrite, updateApproval } from '../storage/people/approvals.ts';
import { lockPlatformSettings } from '../storage/settings.ts';
import { Refused } from './refusals.ts';
import type { OperatorCaller, Written } from './write.ts';

/** Writes of the operator face that wait for a second operator, whatever they change (D66). */

/** What a write is about, and what it would do. */
export interface Explained {
  /** The id of what it is about: of each endpoint one request waits for it. */
  readonly target: string;
  /** For the second operator. What a field was before stands beside it, as `…Before`. */
  readonly shown: Approval['request'];
}

/** A write, read from its request. Both throw the refusals of the write. */
export interface ReadWrite {
  explain(client: pg.PoolClient, now: Instant): Promise<Explained>;
  work(client: pg.PoolClient, now: Instant, ids: Ids): Promise<Written<unknown>>;
}

/** Reads a request that has waited, by its endpoint (`POST /fee-rules`). */
export type WaitingWrites = Map<string, (asked: AskedWrite) => Promise<ReadWrite>>;

/** Has a write wait. It replaces the one of its endpoint that waits for the same. */
export async function askForWrite(
  client: pg.PoolClient,
  now: Instant,
  ids: Ids,
  {
    actor,
    asked,
    write,
  }: {
    readonly actor: OperatorCaller['actor'];
    readonly asked: AskedWrite;
    readonly write: ReadWrite;
  },
) {
  const { target, shown } = await write.explain(client, now);
  await lockPlatformSettings(client); // so that two who ask at once replace each other
  const earlier = await lockWaitingWrite(client, asked.endpoint, target);
  if (earlier !== undefined) {
    const note = 'A newer request has taken its place.';
    await updateApproval(client, decided(earlier, 'withdrawn', actor, note, { now }));
  }
  const approval = newApproval('write', ids.uuid(now), target, shown, actor, now);
  await insertApproval(client, { ...approval, asked }, null);
  const { approvalId } = approval;
  return {
    result: { status: 'pendingApproval', approvalId } as const,
    action: 'approval.request' as const,
    target,
    detail: { approvalId, endpoint: asked.endpoint, ...shown },
  };
}

/** Reads a request again. Throws `wrong-state` where another version has asked for it. */
export async function readWaitingWrite(
  { waitingWrites }: { readonly waitingWrites: WaitingWrites },
  { asked }: Approval,
): Promise<ReadWrite> {
  const read = asked === null ? undefined : waitingWrites.get(asked.endpoint);
  if (asked === null || read === undefined)
    throw new Refused('wrong-state', 'This version does not know what was asked for.');
  return read(asked);
}
