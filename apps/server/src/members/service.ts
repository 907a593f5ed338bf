import { randomUUID } from 'node:crypto';
import type { CreateMember } from '@munshi/api';
import type { AuditEntry, Instant, Member, MemberAccount } from '@munshi/core';
import type pg from 'pg';
import { type Giver, setGiver, setRecovered } from '../people/credentials.store.ts';
import { deleteAllSessionsOf } from '../people/sessions.store.ts';
import { found, refuseTaken } from '../platform/refusals.ts';
import type { Guarded } from '../platform/sign-in/guard.ts';
import { hashNewPassword } from '../platform/sign-in/refuse-guessed.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import type { Asker } from '../writes/waiting-writes.ts';
import { type Done, namesOf, type OperatorCaller, type Work } from '../writes/write.ts';
import {
  findMember,
  insertMember,
  type MemberIdentity,
  type MemberRecord,
  updateMemberIdentity,
} from './store.ts';
import { withdrawDeposits } from './withdrawn-deposits.service.ts';

/** A change of who a member is and how they sign in. */
interface IdentityChange {
  readonly after: MemberRecord;
  /** The fields that are given. */
  readonly identity: Partial<MemberIdentity>;
  readonly passwordHash: string | null;
}

const OPEN_ORDERS_DEFAULT = 10;

/**
 * Adds an active member, offline and without accounts or float. Throws `already-exists` where
 * the username is taken, FieldErrors for a password that is guessed first.
 */
export async function createMember(
  deps: Guarded,
  by: Giver,
  { name, username, password, phone = null, maxOpenOrders = OPEN_ORDERS_DEFAULT }: CreateMember,
): Promise<Work<MemberRecord>> {
  const passwordHash = await hashNewPassword(deps, password);
  return async (client, now, ids) => {
    const memberId = ids.uuid(now);
    const identity = { name, username, phone };
    const member = { memberId, ...identity, passwordHash, maxOpenOrders, createdAt: now };
    await insertMember(client, member).catch(refuseTaken(`The username ${username} is taken.`));
    await setGiver(client, 'member', memberId, by);
    return {
      result: found(await findMember(client, memberId), 'Member'),
      action: 'member.create',
      target: memberId,
      detail: { name, username, maxOpenOrders },
    };
  };
}

/**
 * Changes who a member is and how they sign in; a new password ends their sessions. Throws `already-exists` where the username is taken.
 */
export async function changeIdentity(
  client: pg.PoolClient,
  { after, identity, passwordHash }: IdentityChange,
  now: Instant,
  asker: Asker,
): Promise<Done<MemberRecord>> {
  const { memberId, username } = after;
  const taken = refuseTaken(`The username ${username} is taken.`);
  await updateMemberIdentity(client, after, passwordHash).catch(taken);
  if (passwordHash !== null) {
    await deleteAllSessionsOf(client, memberId);
    await setGiver(client, 'member', memberId, { kind: 'operator', id: asker.id });
    await setRecovered(client, memberId, now);
  }
  const fields = namesOf({ ...identity, ...(passwordHash !== null && { password: '' }) });
  return {
    result: found(await findMember(client, memberId), 'Member'),
    ...(passwordHash !== null && { endsSessionsOf: memberId }),
    action: 'member.identity' as const,
    target: memberId,
    detail: { fields },
  };
}

export type MemberDeps = Pick<ServiceDeps, 'engine' | 'database' | 'log'>;

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
  { database, engine, log }: MemberDeps,
  client: pg.PoolClient,
  actor: OperatorCaller['actor'],
  memberId: string,
  change: MemberChange,
): Promise<Omit<Done<Member>, 'secrets' | 'adds'>> {
  const commandId = randomUUID();
  const command = { kind: 'update-member', commandId, memberId, ...change, actor } as const;
  const { result, audit, after } = await engine.decideIn(client, command);
  const isSuspended = change.status === 'suspended';
  return {
    ...(audit as AuditEntry), // an operator's change is always written down
    result,
    ...(isSuspended && { endsSessionsOf: memberId }),
    async after() {
      after();
      if (isSuspended || change.account?.status === 'suspended')
        await withdrawDeposits({ database, engine, log });
    },
  };
}
