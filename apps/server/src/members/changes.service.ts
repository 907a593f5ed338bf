import { CHANGE_MEMBER, type ChangeMember } from '@munshi/api';
import type pg from 'pg';
import { found } from '../platform/refusals.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import { readPlatformSettings } from '../writes/platform-settings.store.ts';
import { type Explained, partWaits } from '../writes/waiting-writes.ts';
import type { OperatorCaller, Work } from '../writes/write.ts';
import type { AskedIdentity } from './service.ts';
import { changeIdentity, updateMember } from './service.ts';
import { findMember, lockMember, type MemberRecord } from './store.ts';

/** Changes of a member by an operator: who they are and what they may take on. */

/** What an operator's request changes of that. */
export const identityOf = (
  memberId: string,
  { name, username }: Pick<ChangeMember, 'name' | 'username'>,
  passwordHash: string | null,
): AskedIdentity => ({
  memberId,
  name: name ?? null,
  username: username ?? null,
  passwordHash,
});

/** A new password waits while a second operator is required. */
export const identityWaits = ({ passwordHash }: AskedIdentity): boolean =>
  CHANGE_MEMBER.decides.needsTwo(undefined, {
    ...(passwordHash !== null && { password: 'a new one' }),
  });

/** Throws `not-found`. */
export async function explainIdentity(
  client: pg.PoolClient,
  { memberId, name, username, passwordHash }: AskedIdentity,
): Promise<Explained> {
  await lockMember(client, memberId);
  found(await findMember(client, memberId), 'Member');
  const shown = {
    memberId,
    ...(name !== null && { name }),
    ...(username !== null && { username }),
    ...(passwordHash !== null && { password: 'a new one' }),
  };
  return { target: memberId, shown };
}

/** What a request changes of what a member may take on, by the engine. */
const capacityOf = ({ maxOpenOrders, status }: ChangeMember) => ({
  ...(maxOpenOrders !== undefined && { maxOpenOrders }),
  ...(status !== undefined && { status }),
});

/** Whether a request changes more than who a member is. */
export const changesCapacity = (change: ChangeMember): boolean =>
  Object.keys(capacityOf(change)).length > 0;

/**
 * Changes what a member may take on, and in the same request who they are. Throws `not-found`,
 * `already-exists` for a username, and `wrong-state` where a part of it would wait.
 */
export const changeMember =
  (
    deps: Pick<ServiceDeps, 'database' | 'engine' | 'log'>,
    caller: OperatorCaller,
    identity: AskedIdentity,
    change: ChangeMember,
  ): Work<MemberRecord> =>
  async (client) => {
    const { memberId } = identity;
    await lockMember(client, memberId);
    found(await findMember(client, memberId), 'Member');
    if (identityWaits(identity) && (await readPlatformSettings(client)).requireSecondOperator)
      throw partWaits();
    const capacity = capacityOf(change);
    const isCapacity = Object.keys(change).length === Object.keys(capacity).length;
    const named = isCapacity ? undefined : await changeIdentity(client, identity);
    const done = await updateMember(deps, client, caller, memberId, capacity);
    const result = found(await findMember(client, memberId), 'Member');
    return { action: null, target: memberId, ...named, ...done, result };
  };
