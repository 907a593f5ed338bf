import { randomUUID } from 'node:crypto';
import type { CreateMember } from '@munshi/api';
import { isPutBack, type Member, type MemberAccount } from '@munshi/core';
import type pg from 'pg';
import { deleteAllSessionsOf } from '../people/sessions.store.ts';
import { accepted, found, refuseTaken } from '../platform/refusals.ts';
import type { Guarded } from '../platform/sign-in/guard.ts';
import { hashNewPassword } from '../platform/sign-in/refuse-guessed.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import { readPlatformSettings } from '../writes/platform-settings.store.ts';
import type {} from '../writes/waiting-writes.ts';
import type { Caller, Done, Work } from '../writes/write.ts';
import {
  findMember,
  insertMember,
  lockMember,
  type MemberRecord,
  updateMemberIdentity,
} from './store.ts';
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
 * Changes what decides whether a member gets orders. Where that suspends the member or an account,
 * unpaid deposits leave them before this resolves; the minutely job does it after a crash.
 */
export async function updateMember(
  deps: Pick<ServiceDeps, 'engine' | 'database' | 'log' | 'notices'>,
  { actor, once }: Caller,
  memberId: string,
  change: MemberChange,
): Promise<void> {
  const command = {
    kind: 'update-member',
    commandId: once.commandId,
    memberId,
    ...change,
  } as const;
  accepted(await deps.engine.submit({ ...command, actor }, once));
  if (change.status === 'suspended') deps.notices.sessionsEnded(memberId);
  if (change.status === 'suspended' || change.account?.status === 'suspended')
    await withdrawDeposits(deps);
}

/**
 * While a second operator is required: takes a member offline and every approved account of theirs
 * back to pending, because the person who gives them a way to sign in could use it
 * (security.md#two-operators). Unpaid deposits leave them before this resolves; the minutely job
 * does it after a crash.
 */
export async function putAccountsBack(
  deps: Pick<ServiceDeps, 'engine' | 'database' | 'log'>,
  memberId: string,
): Promise<void> {
  if (!(await readPlatformSettings(deps.database.pool)).requireSecondOperator) return;
  const actor = { kind: 'clock', id: null } as const;
  const commandId = randomUUID();
  const command = { kind: 'update-member', commandId, memberId, putBack: 'credential' } as const;
  accepted(await deps.engine.submit({ ...command, actor }));
  await withdrawDeposits(deps);
}

/**
 * Runs what gives a member a way to sign in, after their accounts were put back: a process that
 * dies in between leaves a member who gets no orders. `give` asks `requireBack` in its transaction,
 * and is run again where that has found another state.
 */
export async function giveCredential<T>(
  deps: Pick<ServiceDeps, 'engine' | 'database' | 'log'>,
  memberId: string,
  give: () => Promise<T>,
): Promise<T> {
  for (;;) {
    await putAccountsBack(deps, memberId);
    try {
      return await give();
    } catch (error) {
      if (!(error instanceof NotBack)) throw error;
    }
  }
}

/** Since the accounts were put back, one was approved, or the member came online. */
class NotBack extends Error {}

/** Locks a member, and throws where orders reach them although a second operator is required. */
export async function requireBack(client: pg.PoolClient, memberId: string): Promise<void> {
  await lockMember(client, memberId);
  const { requireSecondOperator } = await readPlatformSettings(client);
  if (requireSecondOperator && !isPutBack(found(await findMember(client, memberId), 'Member')))
    throw new NotBack('the accounts of this member must be put back first');
}
