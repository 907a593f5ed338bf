import { randomBytes } from 'node:crypto';
import { WALLET_TYPES } from '@munshi/core';
import { addAccount } from '../members/accounts.service.ts';
import { createMember, updateMember } from '../members/service.ts';
import type { MemberRecord } from '../members/store.ts';
import { accepted } from '../platform/refusals.ts';
import { createSignInGuard } from '../platform/sign-in/guard.ts';
import type { ServiceDeps } from '../writes/deps.ts';
import { recordedWrite, type Work } from '../writes/write.ts';
import { SANDBOX_OPERATOR } from './moves.service.ts';
import { hasMembers } from './store.ts';

type Deps = Pick<ServiceDeps, 'clock' | 'database' | 'engine' | 'ids' | 'log'>;

/** Two, so that a payout can go to another. */
const NAMES = ['Sandbox Member One', 'Sandbox Member Two'] as const;
const OPEN_ORDERS_MAX = 1_000;
/** A thousand million PKR, in ten thousandths. */
const FLOAT = 1_000_000_000n * 10_000n;

/**
 * Makes members who play themselves, with accounts of every method, where a sandbox has none: its
 * merchants need nobody else to see their orders end.
 */
export async function makeMembers(deps: Deps): Promise<void> {
  if (await hasMembers(deps.database.pool)) return;
  for (const [at, name] of NAMES.entries()) await makeMember(deps, name, at + 1);
}

async function makeMember(deps: Deps, name: string, number: number): Promise<void> {
  const write = <T>(work: Work<T>) =>
    recordedWrite(deps, { actor: SANDBOX_OPERATOR, once: newCommand(deps), boundKey: null }, work);
  const username = `sandbox-${number}`;
  const password = randomBytes(24).toString('base64url');
  const create = await createMember({ signInGuard: createSignInGuard() }, SANDBOX_OPERATOR, {
    name,
    username,
    password,
    maxOpenOrders: OPEN_ORDERS_MAX,
  });
  const { memberId } = (await write(create)) as MemberRecord;
  for (const walletType of WALLET_TYPES) {
    const accountNumber = `0300000${number}00${WALLET_TYPES.indexOf(walletType)}`;
    const { accountId } = await write(
      addAccount(SANDBOX_OPERATOR, memberId, {
        walletType,
        accountNumber,
        accountTitle: name,
        qrPayload: walletType.endsWith('QR') ? `sandbox:${walletType}:${accountNumber}` : null,
        qrAmount: false,
        minimumPerOrder: null,
        maximumPerOrder: null,
        maximumPerDay: null,
      }),
    );
    await write((client) =>
      updateMember(deps, client, SANDBOX_OPERATOR, memberId, {
        account: { accountId, status: 'approved' },
      }),
    );
  }
  const { engine, ids, clock } = deps;
  const command = () => ({ commandId: ids.uuid(clock.now()), memberId, actor: SANDBOX_OPERATOR });
  const reason = 'Float of the sandbox';
  const two = { sumOf: null, asked: null };
  accepted(
    await engine.submit({ kind: 'adjust-float', ...command(), ...two, amount: FLOAT, reason }),
  );
  accepted(await engine.submit({ kind: 'update-member', ...command(), online: true }));
}

const newCommand = ({ ids, clock }: Deps) => ({
  commandId: ids.uuid(clock.now()),
  mayBeDone: false,
});
