import { chanceOf } from './chance.ts';
import { fraction, units } from './model/arithmetic.ts';
import { type FeeRuleText, ruleOf } from './model/operator.ts';
import type { Model, ModelAccount, ModelMember, ModelMerchant } from './model/state.ts';
import { ALL_METHODS, type Currency, type Method, PAYOUT_METHODS } from './model/tables.ts';

/**
 * The small world that a run begins with: everything runs short in a few steps. Amounts as they are
 * written.
 */
export interface Setup {
  readonly startedAt: number;
  /** How many processes serve it. */
  readonly servers: 1 | 2;
  readonly merchants: Readonly<Record<string, MerchantSetup>>;
  readonly members: Readonly<Record<string, MemberSetup>>;
  readonly feeRules: readonly FeeRuleText[];
  readonly rates: Readonly<Partial<Record<Currency, string>>>;
  readonly limit: string | null;
  readonly fourEyes: boolean;
  /** `sendingGraceSeconds`. */
  readonly graceSeconds: number;
}

export interface MerchantSetup {
  readonly hook: boolean;
  readonly depositMethods: readonly Method[];
  readonly withdrawalMethods: readonly Method[];
  readonly currencies: readonly Currency[];
  readonly balance: string;
  readonly keys: readonly string[];
}

export interface MemberSetup {
  readonly online: boolean;
  readonly maxOpenOrders: number;
  readonly float: string;
  readonly accounts: Readonly<Record<string, AccountSetup>>;
}

export interface AccountSetup {
  readonly method: Method;
  readonly currencies: readonly Currency[] | null;
  readonly minimum: string | null;
  readonly maximum: string | null;
  readonly daily: string | null;
}

const MEMBERS: Readonly<Record<string, readonly Method[]>> = {
  asma: ['ProviderA', 'ProviderATillID', 'TillID'],
  bilal: ['ProviderA', 'ProviderAQR', 'ProviderB'],
  chand: ['ProviderBQR', 'ProviderB', 'BankAccount'],
  dina: ['ProviderA', 'ProviderB', 'TillID', 'BankAccount', 'ProviderBQR'],
};

/** More of one method than the engine locks for an order: in some worlds, beside the others. */
const CROWD = 9;

const BASE: FeeRuleText = {
  merchant: null,
  kind: 'Deposit',
  method: 'ProviderA',
  fixed: '1',
  percent: '1.5',
  minimum: null,
  maximum: '9',
  from: null,
  to: null,
};
const RULES: readonly FeeRuleText[] = [
  BASE,
  { ...BASE, method: 'ProviderB', fixed: '0.3333', percent: '100', maximum: null },
  { ...BASE, merchant: 'shop', method: 'ProviderAQR', fixed: '0', percent: '0', maximum: null },
  {
    ...BASE,
    merchant: 'shop',
    method: 'ProviderA',
    fixed: '5',
    percent: '0',
    minimum: '6',
    maximum: null,
    from: '100',
    to: '250.5',
  },
  { ...BASE, kind: 'Withdrawal', percent: '0.12345678', maximum: null },
  {
    ...BASE,
    kind: 'Withdrawal',
    method: 'BankAccount',
    fixed: '0',
    percent: '3',
    minimum: '2.5',
    maximum: '20',
  },
];

/** Noon of a Thursday, so that a run of some hours crosses midnight now and then. */
const STARTED_AT = Date.UTC(2026, 0, 15, 12);

export function setupOf(seed: number): Setup {
  const chance = chanceOf(seed ^ 0x5e7);
  const currencies = currenciesOf(seed);
  const accounts = (name: string, methods: readonly Method[]) =>
    Object.fromEntries(
      methods.map((method) => {
        const limits = {
          minimum: chance.oneIn(6) ? '60' : null,
          maximum: chance.oneIn(3) ? '500' : null,
          daily: chance.oneIn(2) ? '600' : null,
        };
        return [`${name} ${method}`, { method, currencies: currencies(), ...limits }];
      }),
    );
  // In some worlds nobody is there at first and nobody takes more than one order, so that payouts
  // wait in a queue.
  const queues = chance.oneIn(3);
  const members = Object.entries(MEMBERS).map(([name, methods]) => {
    const member: MemberSetup = {
      online: !queues && !chance.oneIn(4),
      maxOpenOrders: queues ? 1 : 1 + chance.number(4),
      float: chance.pick(['0', '300', '900', '2000']),
      accounts: accounts(name, methods),
    };
    return [name, member] as const;
  });
  return {
    startedAt: STARTED_AT,
    servers: chanceOf(seed ^ 0x2).oneIn(2) ? 2 : 1,
    merchants: {
      shop: {
        hook: true,
        depositMethods: ALL_METHODS,
        withdrawalMethods: PAYOUT_METHODS,
        currencies: ['PKR', 'INR'],
        balance: queues ? '20000' : '1500',
        keys: ['shop 1', 'shop 2'],
      },
      stall: {
        hook: false,
        depositMethods: ['ProviderA', 'ProviderAQR', 'ProviderB', 'TillID'],
        withdrawalMethods: ['ProviderA', 'BankAccount'],
        currencies: ['PKR'],
        balance: '250',
        keys: ['stall 1'],
      },
    },
    members: { ...Object.fromEntries(members), ...crowdOf(seed) },
    feeRules: RULES,
    rates: { PKR: '1', INR: '3.00033333' },
    // Whether two operators are asked for, and above what.
    limit: chanceOf(seed ^ 0x4e).pick(['200', '200', '500', '1000', null]),
    fourEyes: chanceOf(seed ^ 0x4e7e5).oneIn(2),
    graceSeconds: chanceOf(seed ^ 0x96ace).pick([0, 600, 600, 7_200]),
  };
}

export const hasCrowd = ({ members }: Pick<Model, 'members'>) => `crowd ${CROWD - 1}` in members;

/** In some worlds accounts take some currencies only. */
function currenciesOf(seed: number): () => readonly Currency[] | null {
  const chance = chanceOf(seed ^ 0xc0);
  if (!chance.oneIn(3)) return () => null;
  return () => chance.pick([null, ['PKR'], ['PKR'], ['INR'], ['INR', 'PKR']]);
}

function crowdOf(seed: number): Readonly<Record<string, MemberSetup>> {
  const chance = chanceOf(seed ^ 0xc40d);
  if (!chance.oneIn(3)) return {};
  const currencies = currenciesOf(seed ^ 0xc40d);
  const members = Array.from({ length: CROWD }, (_, n) => {
    const limits = {
      currencies: currencies(),
      minimum: chance.oneIn(4) ? '60' : null,
      maximum: null,
      daily: chance.oneIn(4) ? '600' : null,
    };
    const accounts = { [`crowd ${n} ProviderA`]: { method: 'ProviderA' as const, ...limits } };
    return [
      `crowd ${n}`,
      {
        online: !chance.oneIn(6),
        maxOpenOrders: 1 + chance.number(3),
        float: chance.pick(['300', '900', '2000']),
        accounts,
      },
    ] as const;
  });
  return Object.fromEntries(members);
}

/** The model of that world. */
export function modelOf(setup: Setup): Model {
  const { startedAt, limit, fourEyes } = setup;
  const optional = (amount: string | null) => (amount === null ? null : units(amount));
  const merchants = Object.entries(setup.merchants).map(
    ([name, given]): [string, ModelMerchant] => {
      const keys = Object.fromEntries(given.keys.map((key) => [key, { revoked: false }]));
      return [name, { ...given, active: true, keys, balance: units(given.balance), frozen: 0n }];
    },
  );
  const members = Object.entries(setup.members).map(
    ([name, { online, maxOpenOrders, float, accounts }]): [string, ModelMember] => {
      const rows = Object.entries(accounts).map(
        ([account, { method, currencies, minimum, maximum, daily }]): [string, ModelAccount] => [
          account,
          {
            method,
            currencies,
            approved: true,
            minimum: optional(minimum),
            maximum: optional(maximum),
            daily: optional(daily),
          },
        ],
      );
      return [
        name,
        {
          online,
          active: true,
          maxOpenOrders,
          float: units(float),
          lastAssigned: null,
          accounts: Object.fromEntries(rows),
        },
      ];
    },
  );
  return {
    now: startedAt,
    merchants: Object.fromEntries(merchants),
    members: Object.fromEntries(members),
    orders: [],
    guards: {},
    feeRules: setup.feeRules.map((rule) => ruleOf(rule, startedAt)),
    rates: Object.fromEntries(
      Object.entries(setup.rates).map(([currency, rate]) => [currency, fraction(rate)]),
    ),
    requests: [],
    alone: [],
    limit: optional(limit),
    fourEyes,
    thirdActive: true,
    graceMs: setup.graceSeconds * 1_000,
    writes: [],
    // Between processes, whose turn it is may be some seconds old (decision 7).
    turnsKept: setup.servers === 1,
  };
}
