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

/**
 * Does a write that was approved. Throws `wrong-state` where it would do something else than what
 * its second operator was shown.
 */
export async function performWrite(
  client: pg.PoolClient,
  now: Instant,
  { waitingWrites, ids }: { readonly waitingWrites: WaitingWrites; readonly ids: Ids },
  { asked, request }: Approval,
): Promise<Written<unknown>> {
  const write = await waitingWrites.get(asked?.endpoint ?? '')?.(asked as AskedWrite);
  if (write === undefined)
    throw new Refused('wrong-state', 'This version does not know what was asked for.');
  const { shown } = await write.explain(client, now);
  const changed = [...new Set([...Object.keys(shown), ...Object.keys(request)])].filter(
    (name) => shown[name] !== request[name],
  );
  if (changed.length > 0)
    throw new Refused(
      'wrong-state',
      'It would no longer do what it says here. Decline it, and have it asked for again.',
    );
  return write.work(client, now, ids);
}
