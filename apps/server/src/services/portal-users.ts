import type { ChangePortalUser, CreatePortalUser } from '@munshi/api';
import type { Instant } from '@munshi/core';
import type pg from 'pg';
import type { Ids } from '../engine/ids.ts';
import { findMerchant } from '../storage/merchants.ts';
import {
  findPortalUser,
  insertPortalUser,
  lockPortalUser,
  type PortalUserRecord,
  updatePortalUser,
} from '../storage/portal-users.ts';
import { deleteAllSessionsOf } from '../storage/sessions.ts';
import type { ServiceDeps } from './deps.ts';
import { hashNewPassword } from './passwords.ts';
import { found, refuseTaken } from './refusals.ts';
import { changesOf, namesOf, type OperatorCaller, recordedWrite } from './write.ts';

/** The people of a merchant, as operators let them in. */

type Deps = Pick<ServiceDeps, 'database' | 'clock' | 'ids'>;
type Show = (user: PortalUserRecord) => unknown;

/**
 * Adds somebody who may sign in to the portal of a merchant. Throws `not-found`, `already-exists`
 * where the username is taken, and FieldErrors for a password that is guessed first.
 */
export async function createPortalUser(
  deps: Deps,
  caller: OperatorCaller,
  merchantId: string,
  { username, name = username, role, password }: CreatePortalUser,
  show: Show,
): Promise<PortalUserRecord> {
  const passwordHash = await hashNewPassword(password);
  const create = async (client: pg.PoolClient, now: Instant, ids: Ids) => {
    found(await findMerchant(client, merchantId), 'Merchant');
    const portalUserId = ids.uuid(now);
    const user = { portalUserId, merchantId, username, name, role, passwordHash, createdAt: now };
    await insertPortalUser(client, user).catch(refuseTaken(`The username ${username} is taken.`));
    return {
      result: found(await findPortalUser(client, portalUserId), 'Portal user'),
      action: 'portal-user.create',
      target: portalUserId,
      detail: { merchantId, username, role },
    };
  };
  return recordedWrite(deps, caller, create, show);
}

/**
 * Changes the fields that are given. A new password, another role and a suspension end the user's
 * sign-ins. Throws `not-found`, and FieldErrors as above.
 */
export async function changePortalUser(
  deps: Deps & Pick<ServiceDeps, 'notices'>,
  caller: OperatorCaller,
  portalUserId: string,
  change: ChangePortalUser,
  show: Show,
): Promise<PortalUserRecord> {
  const { password, ...fields } = change;
  const passwordHash = password === undefined ? null : await hashNewPassword(password);
  const write = async (client: pg.PoolClient) => {
    const before = found(await lockPortalUser(client, portalUserId), 'Portal user');
    const after = { ...before, ...fields };
    await updatePortalUser(client, after, passwordHash);
    const stays = passwordHash === null && after.role === before.role && after.status === 'active';
    if (!stays) await deleteAllSessionsOf(client, portalUserId);
    return {
      result: after,
      action: 'portal-user.update',
      target: portalUserId,
      detail: {
        fields: namesOf(change),
        ...changesOf(before, after, ['name', 'role', 'status']),
      },
    };
  };
  const changed = await recordedWrite(deps, caller, write, show);
  deps.notices.sessionsEnded(portalUserId);
  return changed;
}
