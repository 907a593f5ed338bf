import { EVENT_TYPES, POSTING_KINDS } from '@munshi/core';
import Type, { type TSchema } from 'typebox';
import type { Shown } from './contract/endpoint.ts';
import {
  dataOf,
  either,
  enumOf,
  id,
  money,
  namedEnum,
  namedObject,
  orNull,
  PREVIEWED,
  STAGE,
  STATUS,
  time,
} from './contract/operator.ts';

/** What a write would do, asked for by `?preview=true` (decision 25). */

const textOrNull = orNull(Type.String());
const OrderState = namedObject('OrderState', {
  status: STATUS,
  stage: STAGE,
  memberId: textOrNull,
  memberName: textOrNull,
  dueAt: orNull(time),
  failureReason: textOrNull,
});
const Sums = namedObject('WalletSums', {
  availableBalance: money('The balance less what is reserved.'),
  walletBalance: money(),
  reservedBalance: money(),
  frozenBalance: money(),
});
const Float = namedObject('MemberFloat', {
  floatBalance: money(),
  floatHeld: money('What open deposits hold.'),
  floatFree: money('The balance less what is held.'),
  openOrders: Type.Integer(),
});

const EFFECT_WARNINGS = [
  'second-operator',
  'balance-below-zero',
  'float-below-held',
  'reference-taken',
  'digits-elsewhere',
  'nobody-said-paid',
  'member-may-have-paid',
  'no-member',
  'no-webhook',
] as const;
export type EffectWarning = (typeof EFFECT_WARNINGS)[number];

export type EffectView = Shown<typeof EffectView>;
const EffectView = namedObject(
  'Effect',
  {
    ...PREVIEWED,
    order: orNull(
      Type.Object({
        orderId: id('The order.'),
        orderReference: Type.String(),
        before: OrderState,
        after: OrderState,
      }),
    ),
    postings: Type.Array(
      Type.Object({
        kind: enumOf(POSTING_KINDS),
        merchantId: textOrNull,
        memberId: textOrNull,
        wallet: money(),
        frozen: money(),
        memberFloat: money(),
        fees: money(),
        adjustments: money(),
        note: textOrNull,
      }),
      { description: 'The ledger entries that will be written: each sums to zero. PKR.' },
    ),
    wallets: Type.Array(
      Type.Object({
        merchantId: id('The merchant.'),
        merchantName: Type.String(),
        before: Sums,
        after: Sums,
      }),
      { description: 'Wallets that change, PKR.' },
    ),
    floats: Type.Array(
      Type.Object({
        memberId: id('The member.'),
        memberName: Type.String(),
        before: Float,
        after: Float,
      }),
      { description: 'Members whose float or orders in hand change, PKR.' },
    ),
    webhook: orNull(
      Type.Object({
        deliveryId: orNull(
          Type.String({ description: 'Of the delivery that is sent again; null: a new one.' }),
        ),
        eventType: namedEnum('WebhookEventType', EVENT_TYPES),
        url: Type.String(),
        body: Type.String({ description: 'As it is sent, but for its time.' }),
      }),
    ),
    warnings: Type.Array(
      Type.Object({
        code: enumOf(
          EFFECT_WARNINGS,
          'second-operator: another operator has to agree. balance-below-zero: the merchant’s available balance. float-below-held: the member’s float. reference-taken: a newer order has its merchantOrderRef. digits-elsewhere: another order has these digits on the account. nobody-said-paid: neither customer nor member has said that money moved. member-may-have-paid: a payout ends without money though a member began to send it, or reported it. no-member: the adjustments account stands in for the member. no-webhook: no webhook goes to the merchant.',
        ),
        orders: Type.Array(
          Type.Object({ orderId: id('An order that it is about.'), orderReference: Type.String() }),
        ),
      }),
    ),
  },
  { description: 'What would happen.' },
);

/** What a write answers, or its effect where that is asked for. */
export const orEffect = <T extends TSchema>(schema: T, description?: string) =>
  dataOf(either(schema, EffectView), description);
