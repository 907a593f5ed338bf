import { randomBytes, randomUUID } from 'node:crypto';
import { WALLET_TYPES } from '@munshi/core';
import type pg from 'pg';
import { addAccount } from '../members/accounts.service.ts';
import { createMember, updateMember } from '../members/service.ts';
import { inTransaction } from '../platform/database/db.ts';
import { execute } from '../platform/database/statement.ts';
import { createSignInGuard } from '../platform/sign-in/guard.ts';
import { insertAudit } from '../writes/audit-log.store.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import { auditEntry, type Done, type Work } from '../writes/write.ts';
import { SANDBOX_OPERATOR } from './moves.service.ts';
import { HOLD_MEMBERS, hasMembers } from './store.ts';

type Deps = Pick<ServiceDeps, 'clock' | 'database' | 'engine' | 'ids' | 'log'>;

/** Two, so that a payout can go to another. */
const NAMES = ['Sandbox Member One', 'Sandbox Member Two'] as const;
const OPEN_ORDERS_MAX = 1_000;
/** A thousand million PKR, in ten thousandths. */
const FLOAT = 1_000_000_000n * 10_000n;

/**
 * Makes members who play themselves, with accounts of every method, where a sandbox has none: its
 * merchants then see their orders end. All of it in one transaction, of the first process that comes.
 */
export async function makeMembers(deps: Deps): Promise<void> {
  if (await hasMembers(deps.database.pool)) return;
  const works = await Promise.all(NAMES.map(newMember));
  const after = await inTransaction(deps.database.pool, async (client) => {
    await execute(client, HOLD_MEMBERS);
    if (await hasMembers(client)) return [];
    const done = [];
    for (const [at, work] of works.entries())
      done.push(...(await makeMember(deps, client, work, at + 1)));
    return done;
  });
  for (const follow of after) await follow();
}

type NewMember = Awaited<ReturnType<typeof newMember>>;

async function newMember(name: string, at: number) {
  const password = randomBytes(24).toString('base64url');
  const member = { name, username: `sandbox-${at + 1}`, password, maxOpenOrders: OPEN_ORDERS_MAX };
  const work = await createMember({ signInGuard: createSignInGuard() }, SANDBOX_OPERATOR, member);
  return { name, work };
}

/** Answers what follows once it is committed. */
async function makeMember(
  deps: Deps,
  client: pg.PoolClient,
  { name, work }: NewMember,
  number: number,
): Promise<(() => void | Promise<void>)[]> {
  const { clock, engine, ids } = deps;
  const after: (() => void | Promise<void>)[] = [];
  async function write<T>(one: Work<T>): Promise<T> {
    const now = clock.now();
    const done = await one(client, now, ids);
    await insertAudit(client, auditEntry(ids, SANDBOX_OPERATOR, done, now));
    if (done.after !== undefined) after.push(done.after);
    return done.result;
  }
  const { memberId } = await write(work);
  for (const walletType of WALLET_TYPES) {
    const accountNumber = `0300000${number}00${WALLET_TYPES.indexOf(walletType)}`;
    const { accountId } = await write(
      addAccount(SANDBOX_OPERATOR, memberId, {
        walletType,
        accountNumber,
        accountTitle: name,
        qrPayload: walletType.endsWith('QR') ? `sandbox:${walletType}:${accountNumber}` : null,
        qrAmount: false,
        currencies: null,
        minimumPerOrder: null,
        maximumPerOrder: null,
        maximumPerDay: null,
      }),
    );
    const account = { accountId, status: 'approved' } as const;
    await write(() => updateMember(deps, client, SANDBOX_OPERATOR, memberId, { account }));
  }
  const command = () => ({ commandId: randomUUID(), memberId, actor: SANDBOX_OPERATOR });
  const float = { amount: FLOAT, reason: 'Float of the sandbox', sumOf: null, asked: null };
  for (const one of [
    { kind: 'adjust-float', ...command(), ...float },
    { kind: 'update-member', ...command(), online: true },
  ] as const)
    await write(async (): Promise<Done<unknown>> => {
      const { audit, ...done } = await engine.decideIn(client, one);
      return { ...(audit as NonNullable<typeof audit>), ...done };
    });
  return after;
}
