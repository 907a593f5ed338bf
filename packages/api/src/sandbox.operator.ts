import {
  ACCOUNT_NAME_MAX,
  ACCOUNT_NUMBER_MAX,
  CREATION_FIELDS,
  CUSTOMER_ACTIONS,
  MEMBER_DECISIONS,
} from '@munshi/core';
import Type from 'typebox';
import type { BodyOf, Shown } from './contract/endpoint.ts';
import {
  CURRENCY,
  dataOf,
  enumOf,
  id,
  lines,
  METHODS,
  money,
  namedEnum,
  namedObject,
  ORDER_TYPE,
  operator,
  optional,
  orNull,
  REASON_CODE,
  SANDBOX_ALONE,
  STAGE,
  STATUS,
  strictObject,
  time,
} from './contract/operator.ts';

/** With a sandbox clock: an order of a merchant, and its customer and member, played. */

const { endpoint, write } = operator('Sandbox');

const ONLY = 'Only with CLOCK=sandbox; a service with a real clock does not have it.';
const { merchantOrderRef, customerAccountNumber, customerAccountName } = CREATION_FIELDS;

export type SandboxOrderView = Shown<typeof SandboxOrderView>;
const SandboxOrderView = namedObject('SandboxOrder', {
  orderId: id('The order.'),
  orderReference: Type.String(),
  orderType: ORDER_TYPE,
  walletType: METHODS,
  currency: CURRENCY,
  amount: money(),
  status: STATUS,
  stage: STAGE,
  merchantName: Type.String(),
  expiresAt: time,
  paymentPageUrl: Type.String({ description: 'Where its customer goes.' }),
  customer: Type.Object({
    allowedActions: Type.Array(enumOf(CUSTOMER_ACTIONS), {
      description: 'What the customer may do now.',
    }),
    asksFor: orNull(
      enumOf(
        ['transactionDigits', 'payerAccount', 'payerIbanLast4'],
        'What the method asks the payer of a deposit for; null for a withdrawal.',
      ),
    ),
    transactionDigits: Type.Integer({ description: 'How many trailing digits are asked for.' }),
  }),
  member: orNull(
    Type.Object(
      {
        memberId: id('The member.'),
        name: Type.String(),
        online: Type.Boolean(),
        allowedActions: Type.Array(namedEnum('SandboxMemberAction', MEMBER_DECISIONS), {
          description: 'What the member may do now.',
        }),
      },
      { description: 'Who holds it, or held it last.' },
    ),
  ),
});

export type CreateSandboxOrder = BodyOf<typeof CREATE_SANDBOX_ORDER>;
export const CREATE_SANDBOX_ORDER = write('POST /sandbox/orders', {
  summary: 'Make an order in the place of a merchant',
  needs: 'administer',
  decides: SANDBOX_ALONE,
  audit: ['sandbox.order'],
  description: `As the merchant’s newest key would, by the rules of the merchant face; what that would refuse is \`wrong-state\` here, with its sentence. ${ONLY}`,
  body: strictObject({
    merchantId: id('Whose order it is.'),
    orderType: ORDER_TYPE,
    walletType: METHODS,
    amount: money('In the order’s currency.'),
    currency: optional(CURRENCY),
    merchantOrderRef: optional(Type.String({ maxLength: merchantOrderRef.maxLength })),
    customerAccountNumber: optional(Type.String({ maxLength: customerAccountNumber.maxLength })),
    customerAccountName: optional(Type.String({ maxLength: customerAccountName.maxLength })),
  }),
  answer: dataOf(SandboxOrderView, 'The order.'),
  refusals: ['not-found', 'wrong-state'],
});
export const READ_SANDBOX_ORDER = endpoint('GET /sandbox/orders/:orderId', {
  summary: 'See what customer and member can do',
  needs: 'administer',
  description: ONLY,
  answer: dataOf(SandboxOrderView, 'The order.'),
});

export type PlayCustomer = BodyOf<typeof PLAY_CUSTOMER>;
export const PLAY_CUSTOMER = write('POST /sandbox/orders/:orderId/customer', {
  summary: 'Act in the place of the customer',
  needs: 'administer',
  decides: SANDBOX_ALONE,
  audit: ['sandbox.customer'],
  description: `As on the payment page: \`payer\` takes accountNumber or ibanLast4, \`confirm\` transactionDigits, \`account\` accountNumber and accountName. ${ONLY}`,
  body: strictObject({
    action: enumOf(CUSTOMER_ACTIONS.filter((action) => action !== 'method')),
    transactionDigits: optional(Type.String({ maxLength: 20 })),
    accountNumber: optional(Type.String({ maxLength: ACCOUNT_NUMBER_MAX })),
    accountName: optional(Type.String({ maxLength: ACCOUNT_NAME_MAX })),
    ibanLast4: optional(Type.String({ maxLength: 4 })),
  }),
  answer: dataOf(SandboxOrderView, 'The order afterwards.'),
  refusals: ['wrong-state', 'link-expired'],
});

export type PlayMember = BodyOf<typeof PLAY_MEMBER>;
export const PLAY_MEMBER = write('POST /sandbox/orders/:orderId/member', {
  summary: 'Act in the place of the member',
  needs: 'administer',
  decides: SANDBOX_ALONE,
  audit: ['sandbox.member'],
  description: `As the member who holds the order. ${ONLY}`,
  body: strictObject({
    action: namedEnum('SandboxMemberAction', MEMBER_DECISIONS),
    reason: optional(lines(1000, 'Of everything but `confirm`.')),
    reasonCode: optional(orNull(REASON_CODE)),
  }),
  answer: dataOf(SandboxOrderView, 'The order afterwards.'),
  refusals: ['wrong-state', 'unprocessable', 'too-many'],
});

export const PLAY_PRESENCE = write('POST /sandbox/members/:memberId/presence', {
  summary: 'Bring a member online, or send them home',
  needs: 'administer',
  decides: SANDBOX_ALONE,
  audit: ['member.update'],
  description: ONLY,
  body: strictObject({ online: Type.Boolean() }),
  answer: dataOf(
    Type.Object({ memberId: id('The member.'), online: Type.Boolean() }),
    'The member afterwards.',
  ),
  refusals: ['wrong-state'],
});
