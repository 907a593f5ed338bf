import { type Approval, hasExpired, type Instant, refuseFetchByMerchant } from '@munshi/core';
import {
  findApproval,
  listApprovedKeys,
  lockApproval,
  updateApproval,
} from '../engine/rows/approvals.ts';
import { lockMerchant } from '../merchants/store.ts';
import { readGivers, readOrigin } from '../people/credentials.store.ts';
import { findPortalUser } from '../people/portal-users.store.ts';
import type { Queryable } from '../platform/database/queryable.ts';
import { found, Refused, refuseOn } from '../platform/refusals.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import { notifyChange, notifyWaiting } from '../writes/waiting-writes.ts';
import type { Work } from '../writes/write.ts';
import type { MadeKey } from './service.ts';
import { issueKey, type OwnKeyCaller, requireKeyCode } from './service.ts';

/** API keys that operators have asked for and approved, and a merchant's own admins fetch. */

interface Fetcher {
  readonly merchantId: string;
  readonly portalUserId: string;
}

/** What this admin may fetch, the newest first. */
export async function listKeyRequests(
  db: Queryable,
  { merchantId, portalUserId }: Fetcher,
  now: Instant,
): Promise<readonly Approval[]> {
  const open = (await listApprovedKeys(db, merchantId)).filter((one) => !hasExpired(one, now));
  if (open.length === 0) return [];
  const who = found(await findPortalUser(db, portalUserId), 'Portal user');
  const askers = open.map(({ requestedBy }) => requestedBy);
  const { people } = await readGivers(db, askers, []);
  const mayFetch = (one: Approval) => {
    const asker = people.get(one.requestedBy) ?? one.requestedBy;
    return refuseFetchByMerchant(one, asker, who, now) === undefined;
  };
  return open.filter(mayFetch);
}

/**
 * Makes an approved key for one of the merchant's admins, by a one-time code: once, within a day of
 * the approval. Throws `not-found`, `role-too-low`, `one-time-code-set-up`, the refusals of
 * refuseFetchByMerchant, and FieldErrors for a wrong code.
 */
export async function fetchRequestedKey(
  deps: Pick<ServiceDeps, 'database' | 'clock' | 'ids' | 'vault' | 'notices'>,
  { caller, merchantId, oneTimeCode }: OwnKeyCaller,
  approvalId: string,
): Promise<Work<MadeKey>> {
  const { pool } = deps.database;
  const fetcher = { merchantId, portalUserId: caller.actor.id };
  const asked = ownRequest(await findApproval(pool, approvalId), fetcher);
  await refuseFetcher(pool, asked, fetcher, deps.clock.now());
  await requireKeyCode(deps, caller.actor, oneTimeCode);
  const after = () => {
    notifyWaiting(deps, asked.approvalId);
    notifyChange(deps, asked);
  };
  return async (client, now) => {
    found(await lockMerchant(client, merchantId), 'Merchant'); // before the request, as operators do
    const approval = ownRequest(await lockApproval(client, approvalId), fetcher);
    await refuseFetcher(client, approval, fetcher, now);
    await updateApproval(client, { ...approval, status: 'done' });
    const { request, requestedBy: askedBy, decidedBy: approvedBy } = approval;
    const key = { merchantId, revokesOthers: request['revokesOthers'] === true };
    const made = await issueKey(client, now, key, deps);
    return { ...made, after, detail: { ...made.detail, approvalId, askedBy, approvedBy } };
  };
}

const ownRequest = (approval: Approval | undefined, { merchantId }: Fetcher): Approval =>
  found(
    approval?.kind === 'api-key' && approval.target === merchantId ? approval : undefined,
    'Request',
  );

async function refuseFetcher(
  db: Queryable,
  approval: Approval,
  { portalUserId }: Fetcher,
  now: Instant,
): Promise<void> {
  const who = found(await findPortalUser(db, portalUserId), 'Portal user');
  if (who.role !== 'admin') throw new Refused('role-too-low', 'Keys are fetched by admins.');
  const asker = await readOrigin(db, approval.requestedBy);
  refuseOn(refuseFetchByMerchant(approval, asker, who, now));
}
