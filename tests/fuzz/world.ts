import { randomBytes, randomUUID } from 'node:crypto';
import { hashToken } from '../../apps/server/src/people/sessions.service.ts';
import { insertSession } from '../../apps/server/src/people/sessions.store.ts';
import type { Chance } from '../simulation/chance.ts';
import {
  advance,
  type CreatedOrder,
  createApiKey,
  createMember,
  createMerchant,
  createOrder,
  fundMerchant,
  setPresence,
  type TestMerchant,
} from '../support/fixtures.ts';
import { memberClient } from '../support/member-client.ts';
import { createOperator, operatorClient, type TestOperator } from '../support/operator-client.ts';
import { openPage } from '../support/page-client.ts';
import { createPortalUser } from '../support/portal.ts';
import type { Service } from '../support/service.ts';
import type { Operation } from './routes.ts';
import { fitting, type JsonSchema, type KnownValues } from './values.ts';

interface Link {
  readonly orderId: string;
  readonly query: readonly string[];
}

/**
 * What the requests are about: callers and things of every kind, and spare ones for what changes or
 * ends them.
 */
export interface World {
  readonly merchant: TestMerchant;
  readonly links: readonly Link[];
  readonly ids: readonly string[];
  readonly credentials: readonly (readonly [string, string])[];
  idFor(name: string, face: Operation['face'], chance: Chance): string;
  credentialFor(face: Operation['face'], name: string, chance: Chance): [string, string];
  queryValue(name: string, schema: JsonSchema, chance: Chance): string;
  known(operation: string): KnownValues;
  freshKey(chance: Chance): string;
  /** Puts settings, callers and orders back to where they are of use. */
  refresh(): Promise<void>;
}

const PASSWORD = 'a long enough password';
/** One pixel. */
const LOGO =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVQI12MQMgkDAAD4AJ0dST4nAAAAAElFTkSuQmCC';

/** `service` makes the fixtures; `url` is the server that is asked. */
export async function createWorld(service: Service, url: string): Promise<World> {
  const operator = operatorClient(service);
  const merchant = {
    ...(await createMerchant(service, { balance: '90000000', currencies: ['PKR', 'INR', 'BDT'] })),
    url,
  };
  const [stranger, suspended, spare] = [
    await createMerchant(service, { balance: '1000' }),
    await createMerchant(service, { status: 'suspended' }),
    await createMerchant(service, { balance: '100000' }),
  ];
  const revoked = await createApiKey(service, merchant.merchantId);
  await operator.delete(`/merchants/${merchant.merchantId}/api-keys/${revoked.keyId}`);
  const [holder, other, spareMember] = [
    await createMember(service, { float: '90000000', maxOpenOrders: 100_000, password: PASSWORD }),
    await createMember(service, { float: '1000', online: false }),
    await createMember(service, { float: '1000', online: false }),
  ];
  const operators: TestOperator[] = [];
  for (const role of ['admin', 'support', 'viewer'] as const)
    operators.push(await createOperator(service, role));
  const spareOperator = await createOperator(service, 'viewer');
  const sparePortalUser = await createPortalUser(service, spare, 'viewer');
  for (const [currency, rate] of [
    ['INR', 3.3],
    ['BDT', 2.4],
  ]) {
    await operator.post('/exchange-rates', { currency, rate });
  }

  let links: Link[] = [];
  let orders: CreatedOrder[] = [];
  // The admin is of another merchant: what it sets would keep orders from this one.
  const portalUsers = {
    viewer: (await createPortalUser(service, merchant, 'viewer')).portalUserId,
    admin: (await createPortalUser(service, spare, 'admin')).portalUserId,
  };
  let tokens = {
    holder: '',
    other: '',
    ending: '',
    portal: { viewer: '', admin: '', ending: '' },
  };
  const things: Record<string, string> = {};

  // Links that have run out, for late claims.
  const expired = [
    await createOrder(merchant, { amount: 11 }),
    await createOrder(merchant, { amount: 12, walletType: 'ProviderBQR' }),
  ];
  for (const order of expired) await openPage(order).data('open');
  await advance(service, 1_000);

  async function signedIn(kind: 'member' | 'portal', principalId: string): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const now = service.app.deps.clock.now();
    const session = {
      sessionId: randomUUID(),
      tokenHash: hashToken(token),
      kind,
      principalId,
      csrfToken: 'anti-forgery',
      name: null,
      createdAt: now,
      expiresAt: now + 40_000_000,
      address: null,
      userAgent: null,
      previous: null,
    };
    await insertSession(service.database.pool, session);
    return token;
  }

  async function refresh() {
    await operator.patch('/settings', {
      paymentPageTtlSeconds: 900,
      awaitingWithdrawalTimeoutSeconds: 7_200,
      payoutWindowSeconds: 3_600,
      adjustmentApprovalLimit: null,
      displayNames: {},
    });
    for (const { feeRuleId } of (await operator.get('/fee-rules?platform=true&limit=200')).data)
      await operator.delete(`/fee-rules/${feeRuleId}`);
    await operator.patch(`/members/${holder.memberId}`, {
      status: 'active',
      maxOpenOrders: 100_000,
    });
    await setPresence(service, holder.memberId, true);
    await fundMerchant(service, merchant, '90000000'); // withdrawals that were only damaged a little have reserved it
    tokens = {
      holder: await signedIn('member', holder.memberId),
      other: await signedIn('member', other.memberId),
      ending: await signedIn('member', other.memberId),
      portal: {
        viewer: await signedIn('portal', portalUsers.viewer),
        admin: await signedIn('portal', portalUsers.admin),
        ending: await signedIn('portal', portalUsers.admin),
      },
    };
    orders = await createOrders(merchant);
    links = [...orders, ...expired].map(linkOf);
    await remake('keyId', operator.post(`/merchants/${spare.merchantId}/api-keys`));
    await remake(
      'adjustmentId',
      operator.post(`/merchants/${spare.merchantId}/adjustments`, {
        kind: 'credit',
        amount: 5,
        reason: 'fuzz',
      }),
    );
    await remake(
      'feeRuleId',
      operator.post('/fee-rules', {
        merchantId: spare.merchantId,
        orderType: 'Deposit',
        walletType: 'TillID',
        fixed: 1,
      }),
    );
    const account = {
      walletType: 'TillID',
      accountNumber: randomUUID().slice(0, 8),
      accountTitle: 'Spare',
    };
    await remake('accountId', operator.post(`/members/${spareMember.memberId}/accounts`, account));
    const { orderId } = orders[0] as CreatedOrder;
    const handedIn = await memberClient(service.url, tokens.holder).call(
      'POST',
      `/orders/${orderId}/evidence`,
      { kind: 'report', picture: LOGO },
    );
    things['evidenceId'] = handedIn.json.data?.evidenceId ?? randomUUID();
    things['claimId'] =
      (await operator.get('/late-claims?limit=1')).data[0]?.claimId ?? randomUUID();
  }
  /** Where what was sent meanwhile stands in the way, the one before does. */
  async function remake(name: string, made: ReturnType<typeof operator.post>) {
    things[name] = (await made).data?.[name] ?? things[name] ?? randomUUID();
  }
  await openPage(expired[0] as CreatedOrder).post('claim', { transactionDigits: '4321' });
  await refresh();

  const idOf: Readonly<Record<string, (face: Operation['face'], chance: Chance) => string>> = {
    id: (_face, chance) =>
      chance.oneIn(2) ? chance.pick(orders).orderId : chance.pick(orders).orderReference,
    orderId: (_face, chance) => chance.pick(orders).orderId,
    merchantId: (_face, chance) => (chance.oneIn(4) ? stranger.merchantId : spare.merchantId),
    memberId: () => spareMember.memberId,
    operatorId: () => spareOperator.operatorId,
    portalUserId: () => sparePortalUser.portalUserId,
  };
  const keyOf = (one: Pick<TestMerchant, 'apiKey'>): [string, string] => [
    'SVC-API-Key',
    one.apiKey,
  ];
  const bearer = (token: string): [string, string] => ['Authorization', `Bearer ${token}`];

  return {
    merchant,
    get links() {
      return links;
    },
    get ids() {
      return [
        ...orders.slice(0, 3).flatMap((order) => [order.orderId, order.orderReference]),
        spare.merchantId,
        holder.memberId,
        spareOperator.operatorId,
        randomIdOf(orders),
      ];
    },
    get credentials() {
      return [
        ...[
          keyOf(merchant),
          keyOf(stranger),
          keyOf(suspended),
          keyOf(revoked),
          ...operators.map(({ token }) => bearer(token)),
          bearer(tokens.holder),
          bearer(tokens.other),
          bearer(tokens.portal.viewer),
        ],
        ...[
          keyOf({ apiKey: '' }),
          keyOf({ apiKey: `mk_live_${'x'.repeat(32)}` }),
          keyOf({ apiKey: `mk_${'x'.repeat(10_000)}` }),
          keyOf({ apiKey: 'mk_\xff\x80' }),
          bearer(''),
          bearer('op_nobody'),
        ],
        ...[
          bearer(merchant.apiKey),
          bearer('x'.repeat(10_000)),
          ['Authorization', 'Basic dTpw'] as const,
          ['Authorization', 'Bearer'] as const,
          ['Authorization', `bearer  ${merchant.apiKey}`] as const,
        ],
        ['Cookie', `munshi_member=${tokens.holder}`] as const,
      ];
    },
    idFor: (name, face, chance) => idOf[name]?.(face, chance) ?? things[name] ?? randomIdOf(orders),
    credentialFor(face, name, chance) {
      if (face === 'merchant')
        return chance.oneIn(4) && name.startsWith('GET')
          ? bearer(merchant.apiKey)
          : keyOf(merchant);
      if (face === 'member')
        return bearer(
          name.startsWith('DELETE')
            ? tokens.ending
            : chance.oneIn(8)
              ? tokens.other
              : tokens.holder,
        );
      if (face === 'portal') {
        const { viewer, admin, ending } = tokens.portal;
        return bearer(name.startsWith('DELETE') ? ending : chance.pick([viewer, admin]));
      }
      // An advance of years would run all that falls due on the way.
      const [admin, ...weaker] = operators as [TestOperator, ...TestOperator[]];
      return bearer(
        (name.includes('/clock/') || chance.oneIn(5) ? chance.pick(weaker) : admin).token,
      );
    },
    queryValue(name, schema, chance) {
      if (name === 'merchantOrderRef') return chance.pick(orders).merchantOrderRef ?? 'x';
      if (name === 'orderReference' || name === 'search') return chance.pick(orders).orderReference;
      if (name === 'from' || name === 'to')
        return chance.pick(['2026-01-01', '2030-01-01T00:00:00Z', '2026-11-21T00:00:00.123+05:00']);
      if (name === 'cursor') return Buffer.from(randomUUID()).toString('base64url');
      const source = fitting(
        schema.items ?? schema,
        name,
        { merchantId: () => `"${spare.merchantId}"`, memberId: () => `"${holder.memberId}"` },
        chance,
      );
      return source.startsWith('"') ? (JSON.parse(source) as string) : source;
    },
    known(operation) {
      const text = (value: string) => () => JSON.stringify(value);
      const unique = (chance: Chance) =>
        JSON.stringify(`fuzz-${chance.number(2 ** 32)}-${chance.number(2 ** 32)}`);
      return {
        merchantId: text(spare.merchantId),
        memberId: text(spareMember.memberId),
        password: text(PASSWORD),
        username: operation.includes('/session')
          ? (chance) =>
              JSON.stringify(chance.oneIn(4) ? holder.username : `nobody-${chance.number(1_000)}`)
          : unique,
        merchantOrderRef: unique,
        callbackUrl: text('https://hooks.example/munshi'),
        defaultCallbackUrl: text('https://hooks.example/munshi'),
        successUrl: text('https://shop.example/thanks?a=b'),
        failureUrl: text('https://shop.example/sorry'),
        logo: text(LOGO),
        picture: text(LOGO),
        timeZone: text('Europe/London'),
        address: text('192.0.2.7'),
        since: () => JSON.stringify(new Date(service.app.deps.clock.now() - 60_000).toISOString()),
        txnRefDigitsRequired: (chance) => String(4 + chance.number(5)),
        maxRetryCount: (chance) => String(chance.number(11)),
        paymentPageTtlSeconds: text900,
        methods: () => '{"ProviderA":"Wallet A"}',
        providers: () => '{"ProviderA":"Provider A"}',
        customerAccountNumber: text('03001234567'),
      };
    },
    freshKey: (chance) => `key-${chance.number(2 ** 32)}-${chance.number(2 ** 32)}`,
    refresh,
  };
}

const text900 = () => '900';
const randomIdOf = (orders: readonly CreatedOrder[]) =>
  orders[0]?.orderId.replace(/.$/, '0') ?? randomUUID();

function linkOf({ orderId, paymentPageUrl }: CreatedOrder): Link {
  return { orderId, query: new URL(paymentPageUrl).search.slice(1).split('&') };
}

/** Orders of every kind at every stage that a page or a member can meet. */
async function createOrders(merchant: TestMerchant): Promise<CreatedOrder[]> {
  const orders: CreatedOrder[] = [];
  for (const walletType of ['ProviderA', 'ProviderAQR', 'ProviderBQR', 'TillID', 'BankAccount']) {
    for (const step of ['created', 'opened', 'confirmed']) {
      const order = await createOrder(merchant, {
        walletType,
        amount: 10 + orders.length,
        callbackUrl: 'https://hooks.example/munshi',
      });
      if (step !== 'created') await openPage(order).post('open');
      if (step === 'confirmed')
        await openPage(order).post('confirm', { transactionDigits: '1234' });
      orders.push(order);
    }
  }
  orders.push(await createOrder(merchant, { orderType: 'Withdrawal', amount: 20 }));
  orders.push(
    await createOrder(merchant, {
      orderType: 'Withdrawal',
      amount: 21,
      customerAccountNumber: '03001234567',
      customerAccountName: 'A. Customer',
    }),
  );
  orders.push(
    await createOrder(merchant, {
      orderType: 'Withdrawal',
      amount: 22,
      walletType: 'BankAccount',
      customerAccountNumber: '1',
      failureUrl: 'https://shop.example/',
    }),
  );
  return orders;
}
