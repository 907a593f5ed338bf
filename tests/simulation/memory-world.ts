import {
  type FeeRule,
  type Member,
  type MemberAccount,
  type Merchant,
  money,
  parseFactor,
} from '@munshi/core';
import { account, member, merchant } from '../../packages/core/src/testing/literals.ts';
import {
  createWorld,
  type TimedFeeRule,
  type World,
} from '../../packages/core/src/testing/memory-view.ts';
import type { Act } from './model/index.ts';
import type { FeeRuleText } from './model/operator.ts';
import type { Setup } from './setup.ts';

const optional = (amount: string | null) => (amount === null ? null : money(amount));

/** The rows of a setup. */
export function worldOf(setup: Setup): World {
  return createWorld({
    now: setup.startedAt,
    settings: {
      adjustmentApprovalLimit: optional(setup.limit),
      requireSecondOperator: setup.fourEyes,
      sendingGraceMs: setup.graceSeconds * 1_000,
    },
    merchants: Object.entries(setup.merchants).map(([merchantId, given]): Merchant => {
      const { depositMethods, withdrawalMethods, currencies, hook } = given;
      return merchant({
        merchantId,
        depositMethods,
        withdrawalMethods,
        currencies,
        defaultCallbackUrl: hook ? 'https://shop.example/hook' : null,
      });
    }),
    keys: Object.entries(setup.merchants).flatMap(([merchantId, { keys }]) =>
      keys.map((keyId) => ({ hash: keyId, keyId, merchantId, revoked: false })),
    ),
    wallets: Object.entries(setup.merchants).map(([merchantId, { balance }]) => ({
      merchantId,
      balance: money(balance),
    })),
    members: Object.entries(setup.members).map(
      ([memberId, { online, maxOpenOrders, float, accounts }]): Member => {
        const rows = Object.entries(accounts).map(
          ([accountId, { method, currencies, minimum, maximum, daily }]): MemberAccount => {
            const limits = {
              minimumPerOrder: optional(minimum),
              maximumPerOrder: optional(maximum),
              maximumPerDay: optional(daily),
            };
            return account({ accountId, walletType: method, currencies, ...limits });
          },
        );
        return member({
          memberId,
          online,
          maxOpenOrders,
          floatBalance: money(float),
          accounts: rows,
        });
      },
    ),
    feeRules: setup.feeRules.map((rule) => feeRule(rule, setup.startedAt)),
    rates: Object.fromEntries(
      Object.entries(setup.rates).map(([currency, rate]) => [currency, parseFactor(rate) ?? 0n]),
    ),
  });
}

const feeRule = (rule: FeeRuleText, validFrom: number): TimedFeeRule => ({
  feeRuleId: 'rule',
  merchantId: rule.merchant,
  orderType: rule.kind,
  walletType: rule.method,
  fixed: money(rule.fixed),
  percent: parseFactor(rule.percent) ?? 0n,
  minimum: optional(rule.minimum),
  maximum: optional(rule.maximum),
  fromAmount: optional(rule.from),
  toAmount: optional(rule.to),
  validFrom,
});

/** What is set by statements of its own and not by commands: merchants, keys, rules and rates. */
export function setTerms(world: World, asked: Act): void {
  switch (asked.act) {
    case 'merchant-status':
      change(world, asked.merchant, { status: asked.active ? 'active' : 'suspended' });
      break;
    case 'merchant-methods':
      change(
        world,
        asked.merchant,
        asked.kind === 'Deposit'
          ? { depositMethods: asked.methods }
          : { withdrawalMethods: asked.methods },
      );
      break;
    case 'revoke-key':
      world.keys.set(asked.key, { keyId: asked.key, merchantId: asked.merchant, revoked: true });
      break;
    case 'rate':
      world.rates.set(asked.currency, parseFactor(asked.rate) ?? 0n);
      break;
    case 'fee-rule':
      replaceRule(world, feeRule(asked.rule, world.now));
  }
}

function change(world: World, merchantId: string, what: Partial<Merchant>): void {
  world.merchants.set(merchantId, { ...(world.merchants.get(merchantId) as Merchant), ...what });
}

function replaceRule(world: World, rule: TimedFeeRule): void {
  const slot = (each: FeeRule) =>
    [each.merchantId, each.orderType, each.walletType, each.fromAmount, each.toAmount].join(' ');
  const at = world.feeRules.findIndex(
    (each) => each.validUntil === undefined && slot(each) === slot(rule),
  );
  const old = world.feeRules[at];
  if (old !== undefined) world.feeRules[at] = { ...old, validUntil: world.now };
  world.feeRules.push(rule);
}
