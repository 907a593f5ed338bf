import { randomUUID } from 'node:crypto';
import type { CreateMember } from '@munshi/api';
import type { Member, MemberAccount } from '@munshi/core';
import type pg from 'pg';
import { deleteAllSessionsOf } from '../people/sessions.store.ts';
import { found, refuseTaken } from '../platform/refusals.ts';
import type { Guarded } from '../platform/sign-in/guard.ts';
import { hashNewPassword } from '../platform/sign-in/refuse-guessed.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import { readPlatformSettings } from '../writes/platform-settings.store.ts';
import type { Caller, Done, Work } from '../writes/write.ts';
import { findMember, insertMember, type MemberRecord, updateMemberIdentity } from './store.ts';
import { withdrawDeposits } from './withdrawn-deposits.service.ts';

/** A change of who a member is and how they sign in. */
export interface AskedIdentity {
  readonly memberId: string;
  readonly name: string | null;
  readonly username: string | null;
  readonly passwordHash: string | null;
}

const OPEN_ORDERS_DEFAULT = 10;

/**
 * Adds an active member, offline and without accounts or float. Throws `already-exists` where
 * the username is taken, FieldErrors for a password that is guessed first.
 */
export async function createMember(
  deps: Guarded,
  { name, username, password, maxOpenOrders = OPEN_ORDERS_DEFAULT }: CreateMember,
): Promise<Work<MemberRecord>> {
  const passwordHash = await hashNewPassword(deps, password);
  return async (client, now, ids) => {
    const memberId = ids.uuid(now);
    const member = { memberId, name, username, passwordHash, maxOpenOrders, createdAt: now };
    await insertMember(client, member).catch(refuseTaken(`The username ${username} is taken.`));
    return {
      result: found(await findMember(client, memberId), 'Member'),
      action: 'member.create',
      target: memberId,
      detail: { name, username, maxOpenOrders },
    };
  };
}

/**
 * Changes what is not null of who a member is and how they sign in; a new password ends their
 * sessions. Throws `already-exists` where the username is taken.
 */
export async function changeIdentity(
  client: pg.PoolClient,
  { memberId, ...identity }: AskedIdentity,
): Promise<Done<MemberRecord>> {
  const { name, username, passwordHash } = identity;
  const taken = refuseTaken(`The username ${username} is taken.`);
  await updateMemberIdentity(client, { memberId, ...identity }).catch(taken);
  if (passwordHash !== null) await deleteAllSessionsOf(client, memberId);
  const set = { name, password: passwordHash, username };
  const fields = Object.entries(set).flatMap(([field, value]) => (value === null ? [] : [field]));
  return {
    result: found(await findMember(client, memberId), 'Member'),
    ...(passwordHash !== null && { endsSessionsOf: memberId }),
    action: 'member.identity' as const,
    target: memberId,
    detail: { fields: fields.join(', ') },
  };
}

interface MemberChange {
  readonly status?: Member['status'];
  readonly maxOpenOrders?: number;
  readonly account?: Pick<MemberAccount, 'accountId' | 'status'>;
}

/**
 * Changes, in the transaction of a write, what decides whether a member gets orders. Where that
 * suspends the member or an account, unpaid deposits leave them before the write is answered; the
 * minutely job does it after a crash.
 */
export async function updateMember(
  deps: Pick<ServiceDeps, 'engine' | 'database' | 'log'>,
  client: pg.PoolClient,
  { actor, once }: Caller,
  memberId: string,
  change: MemberChange,
): Promise<Pick<Done<Member>, 'endsSessionsOf' | 'after'>> {
  const { commandId } = once;
  const command = { kind: 'update-member', commandId, memberId, ...change, actor } as const;
  const { after } = await deps.engine.decideIn(client, command, once);
  const isSuspended = change.status === 'suspended';
  return {
    ...(isSuspended && { endsSessionsOf: memberId }),
    async after() {
      after();
      if (isSuspended || change.account?.status === 'suspended') await withdrawDeposits(deps);
    },
  };
}

/**
 * While a second operator is required: takes a member offline and every approved account of theirs
 * back to pending, in the transaction that gives them a way to sign in, because the person who gives
 * it could use it (security.md#two-operators). Answers what follows its commit: unpaid deposits
 * leave them; the minutely job does it after a crash.
 */
export async function putAccountsBack(
  deps: Pick<ServiceDeps, 'engine' | 'database' | 'log'>,
  client: pg.PoolClient,
  memberId: string,
): Promise<() => Promise<void>> {
  if (!(await readPlatformSettings(client)).requireSecondOperator) return async () => {};
  const actor = { kind: 'clock', id: null } as const;
  const commandId = randomUUID();
  const command = { kind: 'update-member', commandId, memberId, putBack: 'credential' } as const;
  const { after } = await deps.engine.decideIn(client, { ...command, actor });
  return async () => {
    after();
    await withdrawDeposits(deps);
  };
}
