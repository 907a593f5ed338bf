import { randomUUID } from 'node:crypto';
import { type Money, money } from '@munshi/core';
import { expect } from 'vitest';
import {
  createMember,
  createMerchant,
  signBody,
  type TestMember,
  type TestMerchant,
} from '../../support/fixtures.ts';
import { pace } from '../../support/pace.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import type { Service } from '../../support/service.ts';
import { type Client, createClient, type Request } from './client.ts';
import type { Fleet } from './fleet.ts';
import { type Random, seeded } from './size.ts';

/** An order that a merchant wants, and the outcome that it received. */
export interface Wish {
  readonly merchant: TestMerchant;
  readonly idempotencyKey: string;
  /** As signed and sent, the same at every try. */
  readonly body: string;
  readonly orderType: 'Deposit' | 'Withdrawal';
  readonly amount: Money;
  readonly fee: Money;
  /** Undefined when the answer was that the balance does not cover it. */
  orderId?: string;
  orderReference?: string;
}

/** Every answer, to be compared with what the service says later. */
export interface Answered {
  /** Answered ones only. */
  readonly wishes: readonly Wish[];
  /** The digits by which a customer saw that the payment is being checked. */
  readonly paid: ReadonlyMap<string, string>;
  /** The order's status by the answer to a member. */
  readonly ended: ReadonlyMap<string, 'Completed' | 'Rejected'>;
}

/**
 * Merchants, customers and members at work, each through their own face, until they are stopped.
 */
export interface Traffic {
  readonly client: Client;
  readonly answered: Answered;
  readonly merchants: readonly TestMerchant[];
  readonly receiver: Receiver;
  /** Resolves when so many more requests have been answered. */
  progress(answers: number): Promise<void>;
  /**
   * Merchants want nothing more; resolves when all that customers and members have begun is done.
   */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** What the merchants have at first: one has plenty, one soon too little for its withdrawals. */
export const BALANCES = ['10000000', '2000'] as const;
const PASSWORD = 'a long enough password';
/** A withdrawal costs the merchant 3 and a deposit 2.5 % and 1, by every method. */
const FEES = {
  Deposit: { fixed: '1', percent: '2.5' },
  Withdrawal: { fixed: '3', percent: '0' },
} as const;

interface TrafficOptions {
  readonly shoppers?: number;
  readonly members?: number;
  readonly onCut?: (request: Request) => Promise<void>;
  /** Of the version that `service` is of, where that is another one. */
  readonly fixtures?: Fixtures;
}
export interface Fixtures {
  readonly createMerchant: typeof createMerchant;
  readonly createMember: typeof createMember;
}

export async function startTraffic(
  service: Service,
  fleet: Fleet,
  options: TrafficOptions = {},
): Promise<Traffic> {
  const { shoppers = 16, members: memberCount = 6, onCut } = options;
  const make = options.fixtures ?? { createMerchant, createMember };
  const random = seeded();
  const receiver = await startReceiver();
  const merchants = await Promise.all(
    BALANCES.map((balance) =>
      make.createMerchant(service, { balance, defaultCallbackUrl: receiver.url }),
    ),
  );
  await insertFees(service);
  const members = await Promise.all(
    Array.from({ length: memberCount }, () =>
      make.createMember(service, {
        methods: METHODS,
        float: '100000000',
        maxOpenOrders: 40,
        password: PASSWORD,
      }),
    ),
  );
  const client = createClient(fleet, onCut);
  const wishes: Wish[] = [];
  const paid = new Map<string, string>();
  const ended = new Map<string, 'Completed' | 'Rejected'>();
  let wanting = true;
  let working = true;

  const shops = Array.from({ length: shoppers }, (_, number) =>
    shop(merchants[number % merchants.length] as TestMerchant),
  );
  const desks = members.map(desk);
  const running = Promise.all([...shops, ...desks]);
  running.catch(() => {}); // thrown to the caller that awaits progress or the stop

  /**
   * A merchant's backend: one order after the other, each until it is answered, followed by its
   * customer and a look at it.
   */
  async function shop(merchant: TestMerchant) {
    while (wanting) {
      const wish = newWish(merchant, random);
      const headers = {
        'SVC-API-Key': merchant.apiKey,
        'Idempotency-Key': wish.idempotencyKey,
        'Content-Type': 'application/json',
      };
      const reply = await client.ask({
        method: 'POST',
        path: '/api/merchant/orders',
        headers,
        body: wish.body,
      });
      wishes.push(wish);
      if (reply.status === 422 && wish.orderType === 'Withdrawal' && merchant !== merchants[0])
        continue;
      expect(reply).toMatchObject({ status: 200 });
      wish.orderId = reply.json.data.orderId;
      wish.orderReference = reply.json.data.orderReference;
      if (wish.orderType === 'Deposit') await pay(reply.json.data);
      const look = await client.ask({
        path: `/api/merchant/orders/${wish.orderId}/status`,
        headers: { 'SVC-API-Key': merchant.apiKey },
      });
      expect(look).toMatchObject({ status: 200, json: { data: { orderId: wish.orderId } } });
    }
  }

  /** A customer on the hosted page. A deposit that finds no member is left alone. */
  async function pay({
    orderId,
    paymentPageUrl,
  }: {
    readonly orderId: string;
    readonly paymentPageUrl: string;
  }) {
    const { pathname, search } = new URL(paymentPageUrl);
    const post = async (action: string, body: object) => {
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
      const reply = await client.ask({
        method: 'POST',
        path: `${pathname}/${action}${search}`,
        headers,
        body: JSON.stringify(body),
      });
      expect(reply).toMatchObject({ status: 200 });
      return reply.json.data as { readonly status: string };
    };
    if ((await post('open', {})).status === 'Awaiting') return;
    const transactionDigits = String(1000 + random(9000));
    await post('confirm', { transactionDigits });
    paid.set(orderId, transactionDigits);
  }

  /**
   * A member: confirms most of what is in hand, rejects some. With nothing in hand after the last
   * wish they go home.
   */
  async function desk(member: TestMember) {
    const json = { 'Content-Type': 'application/json' };
    const signedIn = await client.ask({
      method: 'POST',
      path: '/api/member/session',
      headers: json,
      body: JSON.stringify({ username: member.username, password: PASSWORD }),
    });
    expect(signedIn).toMatchObject({ status: 200 });
    const headers = { ...json, Authorization: `Bearer ${signedIn.json.data.token}` };
    while (working) {
      const last = !wanting;
      const list = await client.ask({ path: '/api/member/orders?state=open&limit=50', headers });
      expect(list).toMatchObject({ status: 200 });
      const ready = (list.json.data as { orderId: string; allowedActions: string[] }[]).filter(
        ({ allowedActions }) => allowedActions.includes('confirm'),
      );
      for (const { orderId } of ready) {
        const [action, end, body] =
          random(8) === 0
            ? (['reject', 'Rejected', { reason: 'nothing came' }] as const)
            : (['confirm', 'Completed', {}] as const);
        const reply = await client.ask({
          method: 'POST',
          path: `/api/member/orders/${orderId}/${action}`,
          headers,
          body: JSON.stringify(body),
        });
        expect(reply).toMatchObject({ status: 200, json: { data: { status: end } } });
        ended.set(orderId, end);
      }
      if (ready.length === 0 && last) return;
      if (ready.length === 0) await pace(20); // a member looks again a little later
    }
  }

  return {
    client,
    answered: { wishes, paid, ended },
    merchants,
    receiver,
    async progress(answers) {
      const goal = client.seen.answered + answers;
      const reached = expect
        .poll(() => client.seen.answered, { interval: 2 })
        .toBeGreaterThanOrEqual(goal);
      await Promise.race([reached, running.then(() => reached)]);
    },
    async stop() {
      wanting = false;
      await Promise.all(shops);
      await running;
    },
    async close() {
      wanting = false;
      working = false;
      await running.catch(() => {});
      await receiver.close();
    },
  };
}

async function insertFees({ database }: Service) {
  for (const [orderType, { fixed, percent }] of Object.entries(FEES)) {
    for (const walletType of METHODS) {
      await database.pool.query(
        `insert into fee_rules (fee_rule_id, order_type, wallet_type, fixed, percent, valid_from) values ($1, $2, $3, $4, $5, '2020-01-01')`,
        [randomUUID(), orderType, walletType, fixed, percent],
      );
    }
  }
}

const METHODS = ['ProviderA', 'ProviderB', 'TillID'] as const;

/** Amounts are whole and small, so that fees are exact and a member's float never runs out. */
function newWish(merchant: TestMerchant, random: Random): Wish {
  const orderType = random(3) === 0 ? 'Withdrawal' : 'Deposit';
  const units = 10 + random(90);
  const body = {
    orderType,
    amount: units,
    walletType: METHODS[random(METHODS.length)],
    merchantOrderRef: randomUUID(),
    ...(orderType === 'Withdrawal' ? { customerAccountNumber: '03001234567' } : {}),
  };
  const amount = money(String(units));
  const fee = orderType === 'Withdrawal' ? money('3') : money('1') + (amount * 25n) / 1000n;
  return {
    merchant,
    idempotencyKey: randomUUID(),
    body: signBody(body, merchant.signingSecret),
    orderType,
    amount,
    fee,
  };
}
