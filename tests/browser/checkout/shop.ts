import { randomUUID } from 'node:crypto';
import type { ReasonCode, WalletType } from '@munshi/core';
import { afterAll } from 'vitest';
import {
  type CreatedOrder,
  createMember,
  createMerchant,
  createOrder,
  orderStatus,
  setPresence,
  type TestMember,
  type TestMerchant,
} from '../../support/fixtures.ts';
import { operatorClient } from '../../support/operator-client.ts';
import { type Service, startService } from '../../support/service.ts';
import { expectSound } from '../../support/verify.ts';

/** Above what the member takes in one order: such an order waits for ever. */
export const NOBODY_TAKES = 60_000;

/** A service with one merchant and one member who serves every method. */
export interface Shop {
  readonly service: Service;
  readonly merchant: TestMerchant;
  readonly member: TestMember;
  /** A deposit of 1,500.50, or what `body` says. */
  order(body?: object): Promise<CreatedOrder>;
  statusOf(order: Pick<CreatedOrder, 'orderId'>): Promise<string>;
}

/** To be called at the top level of a test file. Its end checks the invariants and closes the service. */
export async function openShop(name = 'Corner Shop'): Promise<Shop> {
  const service = await startService();
  afterAll(() => expectSound(service).finally(service.close));
  const merchant = await createMerchant(service, { name, balance: '100000000' });
  const member = await createMember(service, {
    float: '100000000',
    maxOpenOrders: 10_000,
    limits: { maximumPerOrder: '50000' },
  });
  return {
    service,
    merchant,
    member,
    order: (body = {}) => createOrder(merchant, { amount: 1500.5, ...body }),
    statusOf: async ({ orderId }) => (await orderStatus(merchant, orderId)).status,
  };
}

export const accountOf = ({ member }: Shop, walletType: WalletType) => {
  const account = member.accounts.find((own) => own.walletType === walletType);
  if (account === undefined) throw new Error(`the member has no ${walletType}`);
  return account;
};

/** Runs `work` while the member is away. */
export async function whileAway<T>({ service, member }: Shop, work: () => Promise<T>): Promise<T> {
  await setPresence(service, member.memberId, false);
  try {
    return await work();
  } finally {
    await setPresence(service, member.memberId, true);
  }
}

interface Named {
  readonly orderId: string;
}

/** What the member and the operator do to an order, as their own faces would. */
export async function memberDoes(
  { service, member }: Shop,
  what: 'confirm' | 'reject',
  { orderId }: Named,
  reasonCode: ReasonCode | null = null,
): Promise<void> {
  const by = { commandId: randomUUID(), orderId, memberId: member.memberId };
  const decision = await service.app.deps.engine.submit(
    what === 'confirm'
      ? { kind: 'member-confirm', ...by, receivedAmount: null, transactionReference: null }
      : { kind: 'member-reject', ...by, reason: 'words for the operator only', reasonCode },
  );
  if (!decision.ok) throw new Error(decision.refusal.message);
}

export async function operatorDoes(
  { service }: Shop,
  what: 'escalate' | 'cancel' | 'resolve',
  { orderId }: Named,
  outcome: 'Completed' | 'Cancelled' = 'Completed',
): Promise<void> {
  const body = {
    note: 'words for the operator only',
    ...(what === 'resolve' ? { outcome } : {}),
  };
  const { status, text } = await operatorClient(service).post(`/orders/${orderId}/${what}`, body);
  if (status !== 200) throw new Error(`${what} answered ${status}: ${text}`);
}
