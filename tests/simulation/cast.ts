import { hash, randomUUID } from 'node:crypto';
import sharp from 'sharp';
import {
  createApiKey,
  createMember,
  createMerchant,
  type TestMember,
  type TestMerchant,
} from '../support/fixtures.ts';
import { type MemberClient, memberClient } from '../support/member-client.ts';
import {
  createOperator,
  type OperatorClient,
  operatorClient,
  secondOperator,
  type TestOperator,
} from '../support/operator-client.ts';
import type { Receiver } from '../support/receiver.ts';
import type { Service } from '../support/service.ts';
import { PICTURES } from './acts.ts';
import type { SetupAct } from './model/operator.ts';
import type { Setup } from './setup.ts';

/** A server process, with clients that talk to it. */
export interface Site {
  readonly url: string;
  readonly operators: readonly [OperatorClient, OperatorClient, ...OperatorClient[]];
  /** Members by name. */
  readonly clients: Readonly<Record<string, MemberClient>>;
}

/** Who stands for the model's names, and the service itself. */
export interface Cast {
  readonly service: Service;
  readonly site: Site;
  readonly receiver: Receiver;
  /** By key: each with its merchant. */
  readonly keys: Readonly<Record<string, TestMerchant>>;
  readonly merchantIds: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, TestMember & { readonly token: string }>>;
  readonly accountIds: Readonly<Record<string, string>>;
  readonly orderIds: string[];
  readonly pages: string[];
  /** What members hand in, in base64. */
  readonly pictures: readonly string[];
  /** Requests for a second operator, by the model's number. */
  readonly requestIds: string[];
  /** Admins beside the two approvers of the environment. The first is suspended and reinstated. */
  readonly admins: readonly TestOperator[];
}

/** Clients for a server process of this service. */
export function siteOf(
  service: Service,
  url: string,
  { members, admins }: Pick<Cast, 'members' | 'admins'>,
): Site {
  const at = { ...service, url };
  const clients = Object.entries(members).map(
    ([name, { token }]) => [name, memberClient(url, token)] as const,
  );
  return {
    url,
    operators: [
      operatorClient(at),
      secondOperator(at),
      ...admins.map(({ token }) => operatorClient(at, token)),
    ],
    clients: Object.fromEntries(clients),
  };
}

/** Makes the setup's merchants, members and rules in the service. */
export async function castFor(service: Service, receiver: Receiver, setup: Setup): Promise<Cast> {
  const keys: Record<string, TestMerchant> = {};
  const merchantIds: Record<string, string> = {};
  for (const [
    name,
    {
      hook,
      balance,
      keys: [first = '', ...others],
      ...methods
    },
  ] of Object.entries(setup.merchants)) {
    const merchant = await createMerchant(service, {
      ...methods,
      balance,
      name,
      defaultCallbackUrl: hook ? `${receiver.url}/hook` : null,
    });
    merchantIds[name] = merchant.merchantId;
    keys[first] = merchant;
    for (const key of others)
      keys[key] = { ...merchant, ...(await createApiKey(service, merchant.merchantId)) };
  }
  const members: Record<string, Cast['members'][string]> = {};
  const accountIds: Record<string, string> = {};
  for (const [name, { online, maxOpenOrders, float, accounts }] of Object.entries(setup.members)) {
    const methods = Object.values(accounts).map(({ method }) => method);
    const member = await createMember(service, { name, methods, float, maxOpenOrders, online });
    members[name] = { ...member, token: await signedIn(service, member) };
    for (const [at, [account, limits]] of Object.entries(accounts).entries()) {
      accountIds[account] = member.accounts[at]?.accountId ?? '';
      const limited =
        'minimum_per_order = $2, maximum_per_order = $3, maximum_per_day = $4, currencies = $5';
      const text = `update member_accounts set ${limited}, created_by = 'env-1' where account_id = $1`;
      await service.database.pool.query(text, [
        accountIds[account],
        limits.minimum,
        limits.maximum,
        limits.daily,
        limits.currencies,
      ]);
    }
  }
  const admins = [await createOperator(service, 'admin'), await createOperator(service, 'admin')];
  const site = siteOf(service, service.url, { members, admins });
  const { operators } = site;
  const cast: Cast = {
    service,
    site,
    receiver,
    keys,
    merchantIds,
    members,
    accountIds,
    orderIds: [],
    pages: [],
    pictures: await picturesOf(PICTURES),
    requestIds: [],
    admins,
  };
  for (const [currency, rate] of Object.entries(setup.rates)) {
    if (currency !== 'PKR')
      await operators[0].post('/exchange-rates', `{"currency":"${currency}","rate":${rate}}`);
  }
  for (const rule of setup.feeRules) await operators[0].post('/fee-rules', feeRuleBody(cast, rule));
  await operators[0].patch(
    '/settings',
    `{"adjustmentApprovalLimit":${setup.limit},"requireSecondOperator":${setup.fourEyes},"sendingGraceSeconds":${setup.graceSeconds}}`,
  );
  // The run begins with nobody having moved anything that day.
  await service.database.pool.query('update operator_sums set amount = 0');
  return cast;
}

/** Small ones of one colour each. */
const picturesOf = (count: number): Promise<readonly string[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const background = { r: 30 * n, g: 120, b: 255 - 30 * n };
      const create = { width: 16, height: 16, channels: 3, background } as const;
      return (await sharp({ create }).png().toBuffer()).toString('base64');
    }),
  );

/**
 * A member's session that outlasts every run: signing in is limited and slow, and tested elsewhere.
 */
async function signedIn({ database }: Service, { memberId }: TestMember): Promise<string> {
  const token = randomUUID();
  const text = `insert into sessions (token_hash, kind, principal_id, created_at, expires_at) values ($1, 'member', $2, '2000-01-01', '2100-01-01')`;
  await database.pool.query(text, [Buffer.from(hash('sha256', token), 'hex'), memberId]);
  return token;
}

/** A fee rule as the operator face takes it. */
export function feeRuleBody(
  { merchantIds }: Pick<Cast, 'merchantIds'>,
  rule: (SetupAct & { act: 'fee-rule' })['rule'],
): string {
  const { merchant, kind, method, fixed, percent, minimum, maximum, from, to } = rule;
  const head = `"merchantId":${merchant === null ? null : `"${merchantIds[merchant]}"`},"orderType":"${kind}","walletType":"${method}"`;
  return `{${head},"fixed":${fixed},"percent":${percent},"minimum":${minimum},"maximum":${maximum},"fromAmount":${from},"toAmount":${to}}`;
}
