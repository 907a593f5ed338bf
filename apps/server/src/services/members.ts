import { randomUUID } from 'node:crypto';
import type { CreateMember } from '@munshi/api';
import { type Instant, isPutBack, type Member, type MemberAccount } from '@munshi/core';
import type pg from 'pg';
import type { Ids } from '../engine/ids.ts';
import type { Queryable } from '../storage/db.ts';
import {
  findMember,
  insertMember,
  type MemberRecord,
  updateMemberIdentity,
} from '../storage/members/members.ts';
import { deleteAllSessionsOf } from '../storage/people/sessions.ts';
import { readPlatformSettings } from '../storage/settings.ts';
import type { ServiceDeps } from './deps.ts';
import { hashNewPassword } from './passwords.ts';
import { accepted, found, refuseTaken } from './refusals.ts';
import { withdrawDeposits } from './withdrawn-deposits.ts';
import { type Caller, recordedWrite, type Written } from './write.ts';

const OPEN_ORDERS_DEFAULT = 10;

/**
 * Adds an active member, offline and without accounts or float. Throws `already-exists` where
 * the username is taken, FieldErrors for a password that is guessed first.
 */
export async function createMember(
  deps: Pick<ServiceDeps, 'database' | 'clock' | 'ids'>,
  caller: Caller,
  { name, username, password, maxOpenOrders = OPEN_ORDERS_DEFAULT }: CreateMember,
  show: (member: MemberRecord) => unknown,
): Promise<MemberRecord> {
  const passwordHash = await hashNewPassword(password);
  const create = async (client: pg.PoolClient, now: Instant, ids: Ids) => {
    const memberId = ids.uuid(now);
    const member = { memberId, name, username, passwordHash, maxOpenOrders, createdAt: now };
    await insertMember(client, member).catch(refuseTaken(`The username ${username} is taken.`));
    return {
      result: found(await findMember(client, memberId), 'Member'),
      action: 'member.create' as const,
      target: memberId,
      detail: { name, username, maxOpenOrders },
    };
  };
  return recordedWrite(deps, caller, create, show);
}

interface Identity {
  readonly name: string | null;
  readonly username: string | null;
  readonly passwordHash: string | null;
}

/**
 * Changes what is not null of who a member is and how they sign in; a new password ends their
 * sessions. Throws `already-exists` where the username is taken.
 */
export async function changeIdentity(
  client: pg.PoolClient,
  memberId: string,
  identity: Identity,
): Promise<Written<MemberRecord>> {
  const { name, username, passwordHash } = identity;
  const taken = refuseTaken(`The username ${username} is taken.`);
  await updateMemberIdentity(client, memberId, identity).catch(taken);
  if (passwordHash !== null) await deleteAllSessionsOf(client, memberId);
  const set = { name, password: passwordHash, username };
  const fields = Object.entries(set).flatMap(([field, value]) => (value === null ? [] : [field]));
  return {
    result: found(await findMember(client, memberId), 'Member'),
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
 * back to pending, because an operator has given them a way to sign in and could use it (D66). Done
 * before that way works: a process that dies in between leaves a member who gets no orders. Unpaid
 * deposits leave the member before this resolves; the minutely job does it after a crash.
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
 * Whether a way to sign in that an operator has given a member may work from now on. Asked with the
 * member's row locked: an account may have been approved since it was put back.
 */
export async function mayGetCredential(db: Queryable, memberId: string): Promise<boolean> {
  const { requireSecondOperator } = await readPlatformSettings(db);
  return !requireSecondOperator || isPutBack(found(await findMember(db, memberId), 'Member'));
}
