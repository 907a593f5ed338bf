import { CHANGE_MEMBER, type ChangeMember } from '@munshi/api';
import type { Instant } from '@munshi/core';
import type pg from 'pg';
import { found } from '../platform/refusals.ts';
import type { By, Explained } from '../writes/waiting-writes.ts';
import { changesOf, type Done } from '../writes/write.ts';
import { changeIdentity, type MemberDeps, updateMember } from './service.ts';
import { findMember, keepCapacity, lockMember, type MemberRecord } from './store.ts';

/** A change of a member by an operator: who they are, how they sign in, what they may take on. */
export interface AskedMemberChange {
  readonly memberId: string;
  readonly change: Omit<ChangeMember, 'password'>;
  readonly passwordHash: string | null;
}

/** The member before and after, locked. Throws `not-found`. */
async function lockChanged(client: pg.PoolClient, { memberId, change }: AskedMemberChange) {
  await lockMember(client, memberId);
  const before = found(await findMember(client, memberId), 'Member');
  return { before, after: { ...before, ...change } };
}

const passwordOf = ({ passwordHash }: AskedMemberChange) =>
  passwordHash === null ? {} : { password: 'a new one' };

/** Whether it waits while a second operator is required. */
export async function memberChangeWaits(
  client: pg.PoolClient,
  asked: AskedMemberChange,
): Promise<boolean> {
  const { before } = await lockChanged(client, asked);
  return CHANGE_MEMBER.decides.needsTwo(before, { ...asked.change, ...passwordOf(asked) });
}

/** What a second operator is shown. Throws `not-found`. */
export async function explainMemberChange(
  client: pg.PoolClient,
  asked: AskedMemberChange,
): Promise<Explained> {
  const { before, after } = await lockChanged(client, asked);
  const { memberId } = before;
  const changes = changesOf(before, after, asked.change);
  return { target: memberId, shown: { memberId, ...changes, ...passwordOf(asked) } };
}

/** Throws `not-found`, and `already-exists` for a username that is taken. */
export async function changeMember(
  deps: MemberDeps,
  client: pg.PoolClient,
  asked: AskedMemberChange,
  now: Instant,
  { actor, asker }: By,
): Promise<Done<MemberRecord>> {
  const { before, after } = await lockChanged(client, asked);
  const { memberId } = before;
  const { passwordHash, change } = asked;
  const { maxOpenOrders, status, ...identity } = change;
  const isNamed = Object.keys(identity).length > 0 || passwordHash !== null;
  const named = isNamed
    ? await changeIdentity(client, { after, identity, passwordHash }, now, asker)
    : undefined;
  const capacity = {
    ...(maxOpenOrders !== undefined && { maxOpenOrders }),
    ...(status !== undefined && { status }),
  };
  const changes = changesOf(before, after, change);
  if (named !== undefined && Object.keys(capacity).length === 0)
    return { ...named, detail: { ...named.detail, ...changes } };
  if (maxOpenOrders === 0 && before.maxOpenOrders > 0) await keepCapacity(client, before);
  const done = await updateMember(deps, client, actor, memberId, capacity);
  const result = found(await findMember(client, memberId), 'Member');
  return { ...named, ...done, detail: { ...named?.detail, ...done.detail, ...changes }, result };
}
