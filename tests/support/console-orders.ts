import { randomUUID } from 'node:crypto';
import type { Command } from '@munshi/core';
import {
  createMember,
  createMerchant,
  createOrder,
  everybodyOffline,
  type TestMember,
  type TestMerchant,
} from './fixtures.ts';
import { type OperatorClient, operatorClient } from './operator-client.ts';
import type { Service } from './service.ts';

/** Orders in the states that operators meet, for tests of the console. */
export interface ConsoleOrders {
  readonly merchant: TestMerchant;
  readonly operator: OperatorClient;
  /** A deposit in a member's hand. */
  inHand(body?: Body): Promise<Made>;
  /** One whose customer says to have paid, with these digits. */
  paid(digits: string, body?: Body): Promise<Made>;
  /** The same, taken into review. */
  inReview(digits: string, body?: Body): Promise<Made>;
  /** One that failed after its customer had seen the account. */
  failed(body?: Body): Promise<Made>;
  /** A failed one whose customer claims to have paid. */
  claimed(digits: string, body?: Body): Promise<Made & { readonly claimId: string }>;
  /** A withdrawal in a member's hand. */
  payout(body?: Body): Promise<Made>;
}

type Body = Readonly<Record<string, unknown>>;
interface Made {
  readonly orderId: string;
  readonly orderReference: string;
  readonly member: TestMember;
}

/** Every order has a new member of its own, who is Sana Iqbal unless a name is given. */
export async function consoleOrders(service: Service): Promise<ConsoleOrders> {
  const { engine, clock } = service.app.deps;
  const operator = operatorClient(service);
  const merchant = await createMerchant(service, {
    balance: '498700',
    name: 'Bazaar Online',
    defaultCallbackUrl: 'https://shop.example/munshi/hook',
  });
  const submit = async (command: Command) => {
    const decision = await engine.submit(command);
    if (!decision.ok) throw new Error(decision.refusal.message);
  };
  const about = (orderId: string) => ({ commandId: randomUUID(), orderId });
  const note = { note: 'The member cannot be reached.' };

  async function inHand({ memberName = 'Sana Iqbal', ...body }: Body = {}) {
    await everybodyOffline(service);
    const member = await createMember(service, {
      name: String(memberName),
      float: '195000',
      maxOpenOrders: 20,
    });
    const order = await createOrder(merchant, { amount: 2500, txnRefDigitsRequired: 4, ...body });
    if (body['orderType'] !== 'Withdrawal')
      await submit({ kind: 'open-page', ...about(order.orderId), need: undefined });
    return { ...order, member };
  }
  async function paid(digits: string, body: Body = {}) {
    const order = await inHand(body);
    await submit({ kind: 'confirm-payment', ...about(order.orderId), transactionDigits: digits });
    return order;
  }
  async function failed(body: Body = {}) {
    const order = await inHand(body);
    await operator.post(`/orders/${order.orderId}/cancel`, { note: 'The customer asked.' });
    return order;
  }
  return {
    merchant,
    operator,
    inHand,
    paid,
    failed,
    async inReview(digits, body) {
      const order = await paid(digits, body);
      await operator.post(`/orders/${order.orderId}/escalate`, note);
      return order;
    },
    async claimed(digits, body) {
      const order = await failed(body);
      const claimId = randomUUID();
      await service.database.pool.query(
        `insert into late_claims
           (merchant_id, order_id, number, claim_id, transaction_digits, claimed_at)
         values ($1, $2, 1, $3, $4, $5)`,
        [merchant.merchantId, order.orderId, claimId, digits, new Date(clock.now())],
      );
      return { ...order, claimId };
    },
    payout: (body = {}) =>
      inHand({
        orderType: 'Withdrawal',
        customerAccountNumber: '03001234567',
        customerAccountName: 'Ayesha Khan',
        ...body,
      }),
  };
}
