import { CURRENCIES, ORDER_TYPES, STATUSES, WALLET_TYPES, WITHDRAWAL_METHODS } from '@munshi/core';
import Type, { type Static, type TSchema } from 'typebox';
import { FAILURES, ProblemDetails, SingleMessage } from './errors.ts';

/** The wire contract of the operator face, `/api/operator`: the schemas that the server checks requests with, and what it answers. */

// ---- Values

const STAGES = ['Awaiting', 'Assigned', 'Sent', 'Approved', 'Rejected', 'Completed', 'Failed'] as const;
const METHODS = Type.Enum([...WALLET_TYPES], { type: 'string', description: 'Payment method.' });
const ORDER_TYPE = Type.Enum([...ORDER_TYPES], { type: 'string' });
const ROLE = Type.Enum(['viewer', 'support', 'admin'], { type: 'string', description: 'viewer reads; support also decides orders; admin does everything.' });
const ACTIVE = Type.Enum(['active', 'suspended'], { type: 'string' });
const NOT_BLANK = '\\S';

const strict = { additionalProperties: false } as const;
const id = (description: string) => Type.String({ format: 'uuid', description });
const text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, pattern: NOT_BLANK, ...(description === undefined ? {} : { description }) });
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const optional = Type.Optional;
const time = Type.String({ format: 'date-time', description: 'ISO 8601 UTC.' });
/** Exact decimals: the server reads and writes the digits themselves. */
const money = (description?: string) => Type.Number({ description: `${description === undefined ? '' : `${description} `}At most 4 decimal places; exact.` });
const factor = (description: string) => Type.Number({ description: `${description} At most 8 decimal places; exact.` });
const note = text(1000, 'Why, for the history and the audit log. A failed order carries it to the merchant as the reason.');

export const USERNAME = Type.String({ minLength: 1, maxLength: 100, pattern: '^\\S+$', description: 'Without spaces; no two alike.' });
/** At least 8 characters; long ones cost no more than short ones. */
export const PASSWORD = Type.String({ minLength: 8, maxLength: 200, description: 'At least 8 characters.' });

// ---- Answers

type Answers = Readonly<Record<string, object>>;

const message = (description: string) => ({ description, content: { 'application/json': { schema: SingleMessage } } });
const REFUSALS: Readonly<Record<number, object>> = {
  400: { description: 'A field is wrong, missing or not known; `errors` names it.', content: { 'application/problem+json': { schema: ProblemDetails } } },
  401: message('Nobody is signed in: no token, an unknown or an ended one.'),
  403: message('The role does not allow it, the operator is suspended, the anti-forgery token is missing, or another operator must do it.'),
  404: message('There is no such thing.'),
  409: message('The present state does not allow it.'),
  422: message('The amounts do not allow it.'),
  429: message('Too many tries; `Retry-After` tells when to go on.'),
};

/** A success with its body, and the refusals that the route can give besides 401, 403 and failures of the service. */
function answers(description: string, body: TSchema, ...refusals: readonly (400 | 404 | 409 | 422 | 429)[]): Answers {
  const listed = Object.fromEntries([401, 403, ...refusals].sort().map((status) => [status, REFUSALS[status] as object]));
  return { 200: { description, content: { 'application/json': { schema: body } } }, ...listed, ...FAILURES };
}

const dataOf = <T extends TSchema>(schema: T) => Type.Object({ data: schema });
const listOf = <T extends TSchema>(schema: T) =>
  Type.Object({ data: Type.Array(schema), nextCursor: orNull(Type.String({ description: 'Send it as `cursor` for the next page; null: this is the last.' })) });

const PAGE = {
  limit: optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Rows of a page; 50 by default.' })),
  cursor: optional(Type.String({ maxLength: 200, description: 'The `nextCursor` of the page before.' })),
};

const params = (...names: readonly string[]) => Type.Object(Object.fromEntries(names.map((name) => [name, id(name)])));
const route = <T extends object>(tag: string, summary: string, rest: T) => ({ tags: [tag], summary, ...rest });

// ---- Session and operators

const OperatorView = Type.Object({
  operatorId: Type.String(),
  username: Type.String(),
  name: Type.String(),
  role: ROLE,
});
const SessionView = Type.Object({
  operator: OperatorView,
  csrfToken: orNull(Type.String({ description: 'To be sent as `X-CSRF-Token` with every write by cookie.' })),
  expiresAt: orNull(time),
});

export type SignIn = Static<typeof SIGN_IN.body>;
export const SIGN_IN = route('Session', 'Sign in', {
  description: 'Sets the session cookie, and answers the token for scripts that send it as `Authorization: Bearer`.',
  body: Type.Object({ username: Type.String({ maxLength: 100 }), password: Type.String({ maxLength: 200 }) }, strict),
  response: answers('Signed in for 12 hours.', dataOf(Type.Intersect([Type.Object({ token: Type.String() }), SessionView])), 400, 429),
});
export const WHO_AM_I = route('Session', 'Who is signed in', { response: answers('The operator, and the anti-forgery token.', dataOf(SessionView)) });
export const SIGN_OUT = route('Session', 'Sign out', { response: answers('The session has ended.', dataOf(Type.Object({ signedOut: Type.Boolean() })), 409) });

const OperatorRow = Type.Intersect([
  OperatorView,
  Type.Object({ status: ACTIVE, tokens: Type.Integer({ description: 'Script tokens in force.' }), createdAt: time }),
]);
export type CreateOperator = Static<typeof CREATE_OPERATOR.body>;
export const CREATE_OPERATOR = route('Operators', 'Add an operator', {
  body: Type.Object(
    { username: USERNAME, name: text(200), role: ROLE, password: optional(PASSWORD) },
    { ...strict, description: 'Without a password the operator works by script token alone.' },
  ),
  response: answers('The operator.', dataOf(OperatorRow), 400, 409),
});
export type ChangeOperator = Static<typeof CHANGE_OPERATOR.body>;
export const CHANGE_OPERATOR = route('Operators', 'Change an operator', {
  description: 'A new password ends the sign-ins in force. Suspending takes effect on the next request.',
  params: params('operatorId'),
  body: Type.Object(
    { name: optional(text(200)), role: optional(ROLE), status: optional(ACTIVE), password: optional(PASSWORD) },
    { ...strict, minProperties: 1 },
  ),
  response: answers('The operator.', dataOf(OperatorRow), 400, 404, 409),
});
export const LIST_OPERATORS = route('Operators', 'List operators', {
  querystring: Type.Object(PAGE, strict),
  response: answers('Operators.', listOf(OperatorRow), 400),
});
export type CreateOperatorToken = Static<typeof CREATE_OPERATOR_TOKEN.body>;
export const CREATE_OPERATOR_TOKEN = route('Operators', 'Make a script token', {
  params: params('operatorId'),
  body: Type.Object({ name: text(200, 'What the token is for.') }, strict),
  response: answers(
    'The token, shown this once.',
    dataOf(Type.Object({ operatorId: Type.String(), name: Type.String(), token: Type.String() })),
    400,
    404,
    409,
  ),
});
export const REVOKE_OPERATOR_TOKENS = route('Operators', "Revoke an operator's script tokens", {
  params: params('operatorId'),
  response: answers('How many were revoked.', dataOf(Type.Object({ revoked: Type.Integer() })), 404),
});

// ---- Merchants

const MERCHANT_STATUS = Type.Enum(['active', 'suspended', 'closed'], { type: 'string' });
const CALLBACK_URL = orNull(Type.String({ maxLength: 500, description: 'Absolute http(s) URL that receives webhooks of orders without their own.' }));
const IP_WHITELIST = Type.Object(
  {
    enabled: Type.Boolean(),
    entries: Type.Array(
      Type.Object(
        {
          address: Type.String({ maxLength: 100, description: 'IPv4 or IPv6 address, or a CIDR block.' }),
          scope: Type.Enum([...ORDER_TYPES, 'Both'], { type: 'string' }),
        },
        strict,
      ),
      { maxItems: 500 },
    ),
  },
  strict,
);
const DISPLAY_NAME = orNull(
  Type.String({
    minLength: 1,
    maxLength: 60,
    description: 'What customers see on the payment page in place of the name. Without control and invisible characters.',
  }),
);
const BRAND_COLOUR = orNull(Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: '`#rrggbb`, shown on the payment page.' }));
const merchantFields = {
  displayName: optional(DISPLAY_NAME),
  brandColour: optional(BRAND_COLOUR),
  defaultCallbackUrl: optional(CALLBACK_URL),
  depositMethods: optional(Type.Array(METHODS, { uniqueItems: true })),
  withdrawalMethods: optional(Type.Array(Type.Enum([...WITHDRAWAL_METHODS], { type: 'string' }), { uniqueItems: true })),
  currencies: optional(Type.Array(Type.Enum([...CURRENCIES], { type: 'string' }), { uniqueItems: true, minItems: 1 })),
  ipWhitelist: optional(IP_WHITELIST),
};
const MerchantView = Type.Object({
  merchantId: id('The merchant.'),
  name: Type.String(),
  status: MERCHANT_STATUS,
  defaultCallbackUrl: orNull(Type.String()),
  depositMethods: Type.Array(METHODS),
  withdrawalMethods: Type.Array(METHODS),
  currencies: Type.Array(Type.Enum([...CURRENCIES], { type: 'string' })),
  ipWhitelist: IP_WHITELIST,
  displayName: orNull(Type.String()),
  brandColour: orNull(Type.String()),
  createdAt: time,
});

export type CreateMerchant = Static<typeof CREATE_MERCHANT.body>;
export const CREATE_MERCHANT = route('Merchants', 'Add a merchant', {
  description: 'Methods default to all that the service knows, currencies to PKR. A currency needs an exchange rate first.',
  body: Type.Object({ name: text(200), ...merchantFields }, strict),
  response: answers('The merchant.', dataOf(MerchantView), 400, 409),
});
export type ChangeMerchant = Static<typeof CHANGE_MERCHANT.body>;
export const CHANGE_MERCHANT = route('Merchants', 'Change a merchant', {
  description: 'A merchant that is not active takes no new orders; its orders in progress go on, and status and balance keep working.',
  params: params('merchantId'),
  body: Type.Object({ name: optional(text(200)), status: optional(MERCHANT_STATUS), ...merchantFields }, { ...strict, minProperties: 1 }),
  response: answers('The merchant.', dataOf(MerchantView), 400, 404, 409),
});
export const READ_MERCHANT = route('Merchants', 'Read a merchant', {
  params: params('merchantId'),
  response: answers('The merchant.', dataOf(MerchantView), 404),
});
export type ListMerchants = Static<typeof LIST_MERCHANTS.querystring>;
export const LIST_MERCHANTS = route('Merchants', 'List merchants', {
  querystring: Type.Object(
    { search: optional(Type.String({ maxLength: 200, description: 'Part of the name.' })), status: optional(MERCHANT_STATUS), ...PAGE },
    strict,
  ),
  response: answers('Merchants, the newest first.', listOf(MerchantView), 400),
});
export const READ_BALANCE = route('Merchants', "Read a merchant's balance", {
  params: params('merchantId'),
  response: answers(
    'Of one moment, in wallet currency. availableBalance = walletBalance − reservedBalance; frozen money has left the wallet balance.',
    dataOf(
      Type.Object({
        availableBalance: money(),
        reservedBalance: money(),
        frozenBalance: money(),
        walletBalance: money(),
        overdrawn: Type.Boolean({ description: 'A late confirmation took the available balance below zero.' }),
        currency: Type.String(),
      }),
    ),
    404,
  ),
});

// ---- API keys

const IssuedKey = Type.Object({
  keyId: id('The key.'),
  apiKey: Type.String({ description: '`mk_live_` and 32 letters and digits. Shown this once.' }),
  signingSecret: Type.String({ description: '`sksec_` and 40 letters and digits. Shown this once.' }),
  prefix: Type.String({ description: 'The 8 characters after `mk_live_`: what `X-SVC-Key-Prefix` of webhooks carries.' }),
});
const KeyView = Type.Object({ keyId: id('The key.'), prefix: Type.String(), createdAt: time, revokedAt: orNull(time) });

export const ADD_API_KEY = route('API keys', 'Add an API key', {
  params: params('merchantId'),
  response: answers('The key and its signing secret.', dataOf(IssuedKey), 404),
});
export const REGENERATE_API_KEY = route('API keys', 'Issue an API key and revoke the others', {
  params: params('merchantId'),
  response: answers('The key and its signing secret. Every key that was active before has stopped working.', dataOf(IssuedKey), 404),
});
export const REVOKE_API_KEY = route('API keys', 'Revoke an API key', {
  params: params('merchantId', 'keyId'),
  response: answers('The key has stopped working.', dataOf(KeyView), 404),
});
export const LIST_API_KEYS = route('API keys', "List a merchant's API keys", {
  params: params('merchantId'),
  response: answers('Every key, the newest first.', listOf(KeyView), 404),
});

// ---- Adjustments of merchants' wallets

const ADJUSTMENT_KIND = Type.Enum(['credit', 'debit', 'freeze', 'unfreeze'], { type: 'string' });
const ADJUSTMENT_STATUS = Type.Enum(['applied', 'pendingApproval'], { type: 'string' });
const AdjustmentView = Type.Object({
  adjustmentId: id('The adjustment.'),
  merchantId: id('The merchant.'),
  kind: ADJUSTMENT_KIND,
  amount: money(),
  reason: Type.String(),
  status: ADJUSTMENT_STATUS,
  requestedBy: Type.String(),
  requestedAt: time,
  approvedBy: orNull(Type.String()),
  approvedAt: orNull(time),
});
export type AdjustWallet = Static<typeof ADJUST_WALLET.body>;
export const ADJUST_WALLET = route('Adjustments', "Adjust a merchant's wallet", {
  description: 'Above the platform’s `adjustmentApprovalLimit` it waits for another operator.',
  params: params('merchantId'),
  body: Type.Object({ kind: ADJUSTMENT_KIND, amount: money('Above 0, in wallet currency.'), reason: text(1000) }, strict),
  response: answers('Applied, or waiting for approval.', dataOf(AdjustmentView), 400, 404, 422),
});
export const APPROVE_ADJUSTMENT = route('Adjustments', 'Approve an adjustment', {
  description: 'By another operator than the one who asked for it.',
  params: params('adjustmentId'),
  response: answers('Applied.', dataOf(AdjustmentView), 404, 409, 422),
});
export type ListAdjustments = Static<typeof LIST_ADJUSTMENTS.querystring>;
export const LIST_ADJUSTMENTS = route('Adjustments', 'List adjustments', {
  querystring: Type.Object({ merchantId: optional(id('The merchant.')), status: optional(ADJUSTMENT_STATUS), ...PAGE }, strict),
  response: answers('Adjustments, the newest first.', listOf(AdjustmentView), 400),
});

// ---- Fee rules and exchange rates

const FeeRuleView = Type.Object({
  feeRuleId: id('The rule.'),
  merchantId: orNull(id('The merchant; null: the platform’s rule.')),
  orderType: ORDER_TYPE,
  walletType: METHODS,
  fixed: money(),
  percent: factor('2 is 2 %.'),
  minimum: orNull(money()),
  maximum: orNull(money()),
  fromAmount: orNull(money()),
  toAmount: orNull(money()),
  validFrom: time,
  validUntil: orNull(time),
});
export type CreateFeeRule = Static<typeof CREATE_FEE_RULE.body>;
export const CREATE_FEE_RULE = route('Fee rules', 'Set a fee rule', {
  description:
    'The fee is fixed + percent, clamped to minimum and maximum, in the order’s currency; a deposit’s fee never exceeds its amount. A rule for the same merchant, order type, method and band replaces the one before from now on; a band that overlaps another is refused.',
  body: Type.Object(
    {
      merchantId: optional(orNull(id('Without it: the platform’s rule, for merchants without one of their own.'))),
      orderType: ORDER_TYPE,
      walletType: METHODS,
      fixed: optional(money('Default 0.')),
      percent: optional(factor('2 is 2 %. Default 0.')),
      minimum: optional(orNull(money())),
      maximum: optional(orNull(money())),
      fromAmount: optional(orNull(money('The band of order amounts, this one included.'))),
      toAmount: optional(orNull(money('The end of the band, not included.'))),
    },
    strict,
  ),
  response: answers('The rule, in force from now on.', dataOf(FeeRuleView), 400, 404, 409),
});
export const END_FEE_RULE = route('Fee rules', 'End a fee rule', {
  params: params('feeRuleId'),
  response: answers('The rule, which prices no new order.', dataOf(FeeRuleView), 404),
});
export type ListFeeRules = Static<typeof LIST_FEE_RULES.querystring>;
export const LIST_FEE_RULES = route('Fee rules', 'List fee rules', {
  querystring: Type.Object(
    {
      merchantId: optional(id('Only this merchant’s rules.')),
      platform: optional(Type.Boolean({ description: 'Only the platform’s rules.' })),
      ended: optional(Type.Boolean({ description: 'Ended rules too.' })),
      ...PAGE,
    },
    strict,
  ),
  response: answers('Rules, the newest first.', listOf(FeeRuleView), 400),
});

const RateView = Type.Object({ currency: Type.String(), rate: factor('PKR per unit.'), validFrom: time });
export type SetExchangeRate = Static<typeof SET_EXCHANGE_RATE.body>;
export const SET_EXCHANGE_RATE = route('Exchange rates', 'Set an exchange rate', {
  description: 'For orders accepted from now on; accepted ones keep theirs.',
  body: Type.Object({ currency: Type.Enum(['INR', 'BDT'], { type: 'string' }), rate: factor('PKR per unit, above 0.') }, strict),
  response: answers('The rate in force.', dataOf(RateView), 400),
});
export const LIST_EXCHANGE_RATES = route('Exchange rates', 'List exchange rates', {
  response: answers('The rates in force.', listOf(RateView)),
});

// ---- Members

const ACCOUNT_STATUS = Type.Enum(['pending', 'approved', 'suspended'], { type: 'string' });
const AccountView = Type.Object({
  accountId: id('The account.'),
  memberId: id('The member.'),
  walletType: METHODS,
  accountNumber: Type.String(),
  accountTitle: Type.String(),
  qrPayload: orNull(Type.String()),
  status: ACCOUNT_STATUS,
  minimumPerOrder: orNull(money()),
  maximumPerOrder: orNull(money()),
  maximumPerDay: orNull(money()),
  usedToday: money('Taken on during this day, UTC.'),
});
const MemberView = Type.Object({
  memberId: id('The member.'),
  name: Type.String(),
  username: Type.String(),
  status: ACTIVE,
  online: Type.Boolean(),
  maxOpenOrders: Type.Integer(),
  openOrders: Type.Integer(),
  floatBalance: money(),
  floatHeld: money('What open deposits hold.'),
  floatOverdrawn: Type.Boolean(),
  lastAssignedAt: orNull(time),
  createdAt: time,
  accounts: Type.Array(AccountView),
});
const MAX_OPEN_ORDERS = Type.Integer({ minimum: 0, maximum: 100_000, description: 'Orders in hand at once; 10 by default.' });

export type CreateMember = Static<typeof CREATE_MEMBER.body>;
export const CREATE_MEMBER = route('Members', 'Add a member', {
  body: Type.Object({ name: text(200), username: USERNAME, password: PASSWORD, maxOpenOrders: optional(MAX_OPEN_ORDERS) }, strict),
  response: answers('The member.', dataOf(MemberView), 400, 409),
});
export type ChangeMember = Static<typeof CHANGE_MEMBER.body>;
export const CHANGE_MEMBER = route('Members', 'Change a member', {
  description: 'Suspending takes the member’s unpaid deposits from them at once. A new password ends their sign-ins.',
  params: params('memberId'),
  body: Type.Object(
    {
      name: optional(text(200)),
      username: optional(USERNAME),
      password: optional(PASSWORD),
      maxOpenOrders: optional(MAX_OPEN_ORDERS),
      status: optional(ACTIVE),
    },
    { ...strict, minProperties: 1 },
  ),
  response: answers('The member.', dataOf(MemberView), 400, 404, 409),
});
export const READ_MEMBER = route('Members', 'Read a member', { params: params('memberId'), response: answers('The member.', dataOf(MemberView), 404) });
export type ListMembers = Static<typeof LIST_MEMBERS.querystring>;
export const LIST_MEMBERS = route('Members', 'List members', {
  querystring: Type.Object(
    {
      search: optional(Type.String({ maxLength: 200, description: 'Part of the name or username.' })),
      status: optional(ACTIVE),
      online: optional(Type.Boolean()),
      accountStatus: optional(ACCOUNT_STATUS),
      ...PAGE,
    },
    strict,
  ),
  response: answers('Members, the newest first.', listOf(MemberView), 400),
});
export type AddAccount = Static<typeof ADD_ACCOUNT.body>;
export const ADD_ACCOUNT = route('Members', 'Add an account to a member', {
  params: params('memberId'),
  body: Type.Object(
    {
      walletType: METHODS,
      accountNumber: text(50),
      accountTitle: text(200),
      qrPayload: optional(orNull(text(2000, 'What the QR code holds.'))),
      minimumPerOrder: optional(orNull(money('In wallet currency.'))),
      maximumPerOrder: optional(orNull(money('In wallet currency.'))),
      maximumPerDay: optional(orNull(money('In wallet currency, by UTC days.'))),
    },
    strict,
  ),
  response: answers('The account, pending until it is approved.', dataOf(AccountView), 400, 404),
});
export const APPROVE_ACCOUNT = route('Members', 'Approve an account', {
  params: params('accountId'),
  response: answers('The account takes orders.', dataOf(AccountView), 404),
});
export const SUSPEND_ACCOUNT = route('Members', 'Suspend an account', {
  description: 'Unpaid deposits to it leave it at once.',
  params: params('accountId'),
  response: answers('The account takes no more orders.', dataOf(AccountView), 404),
});
export type AdjustFloat = Static<typeof ADJUST_FLOAT.body>;
export const ADJUST_FLOAT = route('Members', "Adjust a member's float", {
  params: params('memberId'),
  body: Type.Object({ amount: money('In wallet currency; negative takes.'), reason: text(1000) }, strict),
  response: answers(
    'The float after it.',
    dataOf(Type.Object({ postingId: Type.String(), memberId: id('The member.'), amount: money(), floatBalance: money(), floatHeld: money() })),
    400,
    404,
    422,
  ),
});

// ---- Orders

const OrderView = Type.Object({
  orderId: id('The order.'),
  orderReference: Type.String(),
  merchantId: id('The merchant.'),
  orderType: ORDER_TYPE,
  walletType: METHODS,
  currency: Type.String(),
  amount: money(),
  fee: orNull(money()),
  status: Type.Enum([...STATUSES], { type: 'string' }),
  stage: Type.Enum([...STAGES], { type: 'string' }),
  merchantOrderRef: orNull(Type.String()),
  customerReference: orNull(Type.String()),
  memberId: orNull(Type.String()),
  createdAt: time,
  assignedAt: orNull(time),
  sentAt: orNull(time),
  completedAt: orNull(time),
  failedAt: orNull(time),
  cancelledAt: orNull(time),
  expiresAt: time,
  dueAt: orNull(time),
  failureReason: orNull(Type.String()),
});
const several = <T extends string>(values: readonly T[]) => Type.Array(Type.Enum([...values], { type: 'string' }), { maxItems: 20 });

export type ListOrders = Static<typeof LIST_ORDERS.querystring>;
export const LIST_ORDERS = route('Orders', 'List and search orders', {
  querystring: Type.Object(
    {
      status: optional(several(STATUSES)),
      stage: optional(several(STAGES)),
      orderType: optional(ORDER_TYPE),
      walletType: optional(several(WALLET_TYPES)),
      merchantId: optional(id('The merchant.')),
      memberId: optional(id('Who holds the order, or held it last.')),
      from: optional(Type.String({ maxLength: 40, description: 'Created at this time or later, ISO 8601.' })),
      to: optional(Type.String({ maxLength: 40, description: 'Created before this time, ISO 8601.' })),
      search: optional(Type.String({ maxLength: 200, description: 'A whole orderId, orderReference, merchantOrderRef or customerReference.' })),
      ...PAGE,
    },
    strict,
  ),
  response: answers(
    'Orders, the newest first.',
    listOf(Type.Intersect([OrderView, Type.Object({ merchantName: Type.String(), memberName: orNull(Type.String()) })])),
    400,
  ),
});

const CLAIM_STATUS = Type.Enum(['open', 'closed'], { type: 'string' });
const AttemptView = Type.Object({
  number: Type.Integer(),
  startedAt: time,
  durationMs: Type.Integer(),
  succeeded: Type.Boolean(),
  responseStatus: orNull(Type.Integer()),
  error: orNull(Type.String({ description: 'Why it failed: what was answered, that nothing was in time, or why the address was refused.' })),
  answer: orNull(Type.String({ description: 'The first KB of the answer.' })),
  requested: Type.Boolean({ description: 'An operator asked for this attempt.' }),
});
const DeliveryView = Type.Object({
  deliveryId: id('What `X-SVC-Delivery-Id` carries.'),
  eventType: Type.Enum(['order.completed', 'order.failed'], { type: 'string' }),
  url: Type.String(),
  status: Type.Enum(['pending', 'delivered', 'abandoned', 'superseded'], { type: 'string' }),
  createdAt: time,
  nextAttemptAt: orNull(time),
  attempts: Type.Array(AttemptView),
});
const LateClaimView = Type.Object({
  claimId: id('The claim.'),
  merchantId: id('The merchant.'),
  orderId: id('The order that the customer says they paid.'),
  transactionDigits: Type.String({ description: '4 to 20 digits of the transaction ID, the last ones or all, as the customer left them.' }),
  status: CLAIM_STATUS,
  claimedAt: time,
  closedAt: orNull(time),
  closedBy: orNull(Type.String()),
  note: orNull(Type.String({ description: 'What was found.' })),
});
const OrderDetail = Type.Intersect([
  OrderView,
  Type.Object({
    merchantName: Type.String(),
    member: orNull(
      Type.Object({ memberId: Type.String(), name: Type.String(), username: Type.String() }, { description: 'With status, presence and account.' }),
    ),
    lateClaims: Type.Array(LateClaimView, { description: 'What the customer left after expiry, oldest first; at most 3.' }),
    timeline: Type.Array(Type.Object({ at: time, kind: Type.Enum(['created', 'moved', 'note'], { type: 'string' }) }), {
      description: 'Creation, every move and every note, oldest first.',
    }),
    postings: Type.Array(Type.Object({ postingId: Type.String(), kind: Type.String() }), { description: 'The ledger entries: each sums to zero.' }),
    deliveries: Type.Array(DeliveryView),
    allowedActions: Type.Array(Type.String(), { description: 'What the asking operator may do with it now, by the last part of the path.' }),
  }),
]);
export const READ_ORDER = route('Orders', 'Read an order', {
  params: params('orderId'),
  response: answers('Everything about the order.', dataOf(OrderDetail), 404),
});

export type NoteBody = Static<typeof NOTE>;
const NOTE = Type.Object({ note }, strict);
const action = (summary: string, description: string, done: string) =>
  route('Orders', summary, { description, params: params('orderId'), body: NOTE, response: answers(done, dataOf(OrderView), 400, 404, 409) });

export type ResolveOrder = Static<typeof RESOLVE_ORDER.body>;
export const RESOLVE_ORDER = route('Orders', 'Decide an order in ManualReview', {
  params: params('orderId'),
  body: Type.Object({ outcome: Type.Enum(['Completed', 'Cancelled'], { type: 'string' }), note }, strict),
  response: answers('The order at its outcome.', dataOf(OrderView), 400, 404, 409),
});
const MEMBER_WHO = optional(orNull(id('Who received or paid the money, when nobody holds the order; without anybody the adjustments account stands in.')));
const confirmed = Type.Union([OrderView, Type.Object({ orderId: Type.String(), status: Type.Literal('pendingApproval') })]);
export type ConfirmOrder = Static<typeof CONFIRM_ORDER.body>;
export const CONFIRM_ORDER = route('Orders', 'Confirm a failed order after a dispute', {
  description: 'A withdrawal that takes the available balance below zero changes nothing yet: another operator must approve it.',
  params: params('orderId'),
  body: Type.Object({ note, memberId: MEMBER_WHO }, strict),
  response: answers('The completed order, or `pendingApproval`.', dataOf(confirmed), 400, 404, 409, 422),
});
export const APPROVE_CONFIRMATION = route('Orders', 'Approve a late confirmation', {
  description: 'By another operator than the one who asked for it.',
  params: params('orderId'),
  body: Type.Object({ note, memberId: MEMBER_WHO }, strict),
  response: answers('The completed order.', dataOf(OrderView), 400, 404, 409, 422),
});
export const CANCEL_ORDER = action('Cancel an order', 'One whose customer has not paid; one that is paid is escalated and resolved.', 'The cancelled order.');
export const ESCALATE_ORDER = action('Take an order into ManualReview', 'One that a member holds.', 'The order in review.');

// ---- Late claims

export type ListLateClaims = Static<typeof LIST_LATE_CLAIMS.querystring>;
export const LIST_LATE_CLAIMS = route('Late claims', 'List late claims', {
  description: 'Customers whose deposit link has expired say that they did pay. A claim changes no order and no money.',
  querystring: Type.Object({ status: optional(CLAIM_STATUS), merchantId: optional(id('The merchant.')), ...PAGE }, strict),
  response: answers(
    'Open claims oldest first when they are asked for; otherwise the newest first.',
    listOf(
      Type.Intersect([
        LateClaimView,
        Type.Object({
          order: Type.Object({
            orderReference: Type.String(),
            merchantOrderRef: orNull(Type.String()),
            customerReference: orNull(Type.String()),
            walletType: METHODS,
            currency: Type.String(),
            amount: money(),
            status: Type.Enum([...STATUSES], { type: 'string' }),
            memberId: orNull(Type.String({ description: 'Who holds the order, or held it last: whom to ask for the money.' })),
            createdAt: time,
            expiresAt: time,
            merchantName: Type.String(),
            memberName: orNull(Type.String()),
          }),
        }),
      ]),
    ),
    400,
  ),
});
export type CloseLateClaim = Static<typeof CLOSE_LATE_CLAIM.body>;
export const CLOSE_LATE_CLAIM = route('Late claims', 'Close a late claim', {
  description: 'With what was found. Where the money came, confirm the order first.',
  params: params('claimId'),
  body: Type.Object({ note: text(1000, 'What was found, for the claim and the audit log. The customer and the merchant are not told.') }, strict),
  response: answers('The closed claim.', dataOf(LateClaimView), 400, 404, 409),
});

// ---- Deliveries

export const LIST_DELIVERIES = route('Deliveries', "List an order's webhook deliveries", {
  params: params('orderId'),
  response: answers('The newest first.', listOf(DeliveryView), 404),
});
export const RETRY_DELIVERY = route('Deliveries', 'Retry the latest failed delivery now', {
  description: 'With the same delivery id and body, abandoned deliveries too.',
  params: params('orderId'),
  response: answers('The delivery, due now.', dataOf(DeliveryView), 404, 409),
});
export const RESEND_DELIVERY = route('Deliveries', 'Send the outcome again', {
  description: 'A new delivery of the present outcome, with a new id and body timestamp. Deliveries still being retried are superseded.',
  params: params('orderId'),
  response: answers('The new delivery.', dataOf(DeliveryView), 404, 409),
});

// ---- Webhooks

const MERCHANT_FILTER = optional(id('Of this merchant alone.'));
const EndpointView = Type.Object({
  merchantId: id('Whose receiver it is.'),
  merchantName: Type.String(),
  host: Type.String({ description: 'Host and port of the callback URLs.' }),
  status: Type.Enum(['healthy', 'failing'], { type: 'string', description: 'failing: the last three attempts or more have failed.' }),
  failingSince: orNull(time),
  consecutiveFailures: Type.Integer(),
  lastSuccessAt: orNull(time),
  lastFailureAt: orNull(time),
  lastError: orNull(Type.String()),
  pending: Type.Integer({ description: 'Deliveries that wait for an attempt.' }),
  failing: Type.Integer({ description: 'Those of them that have failed before.' }),
  abandoned: Type.Integer(),
});
export type ReadWebhookHealth = Static<typeof READ_WEBHOOK_HEALTH.querystring>;
export const READ_WEBHOOK_HEALTH = route('Webhooks', 'How deliveries and their receivers do', {
  querystring: Type.Object({ merchantId: MERCHANT_FILTER }, strict),
  response: answers(
    'Counts of deliveries, and every endpoint, the failing ones first; at most 500.',
    dataOf(
      Type.Object({
        pending: Type.Integer(),
        failing: Type.Integer(),
        abandoned: Type.Integer(),
        nextDueAt: orNull(time),
        endpoints: Type.Array(EndpointView),
      }),
    ),
    400,
  ),
});
const AlertView = Type.Object({
  alertId: id('Of the alert.'),
  merchantId: id('Whose receiver it is.'),
  host: Type.String(),
  kind: Type.Enum(['failing', 'recovered'], { type: 'string' }),
  detail: orNull(Type.String({ description: 'The last error.' })),
  at: time,
});
export type ListWebhookAlerts = Static<typeof LIST_WEBHOOK_ALERTS.querystring>;
export const LIST_WEBHOOK_ALERTS = route('Webhooks', 'When endpoints started to fail and recovered', {
  querystring: Type.Object({ ...PAGE, merchantId: MERCHANT_FILTER }, strict),
  response: answers('The newest first.', listOf(AlertView), 400),
});
export type ReplayWebhooks = Static<typeof REPLAY_WEBHOOKS.body>;
export const REPLAY_WEBHOOKS = route('Webhooks', 'Send every outcome since a time again', {
  description:
    'For a receiver that has lost what it was told: each order that had a delivery since then gets a new one of its present outcome, as resend makes it.',
  body: Type.Object({ since: time, merchantId: MERCHANT_FILTER }, strict),
  response: answers('How many deliveries were made.', dataOf(Type.Object({ replayed: Type.Integer() })), 400, 404),
});

// ---- Settings, clock, audit log

const SECONDS = Type.Integer({ minimum: 1, maximum: 31_536_000 });
const NAMES = Type.Record(Type.String({ maxLength: 50 }), Type.String({ minLength: 1, maxLength: 100, pattern: NOT_BLANK }));
/** How customers and operators see methods (by walletType) and providers (ProviderA, ProviderB, Bank); what is absent shows its own name. */
export type DisplayNames = Static<typeof DISPLAY_NAMES>;
const DISPLAY_NAMES = Type.Object(
  { methods: optional(NAMES), providers: optional(NAMES) },
  { ...strict, description: 'Each map that is sent replaces the one before.' },
);
const settingFields = {
  paymentPageTtlSeconds: SECONDS,
  awaitingWithdrawalTimeoutSeconds: SECONDS,
  payoutWindowSeconds: SECONDS,
  memberConfirmationWindowSeconds: SECONDS,
  adjustmentApprovalLimit: orNull(money('Adjustments above it wait for a second operator; null: none do.')),
  displayNames: DISPLAY_NAMES,
};
const SettingsView = Type.Object(settingFields);
export const READ_SETTINGS = route('Settings', 'Read the settings', { response: answers('The settings.', dataOf(SettingsView)) });
export type ChangeSettings = Static<typeof CHANGE_SETTINGS.body>;
export const CHANGE_SETTINGS = route('Settings', 'Change settings', {
  description: 'For orders and steps from now on; deadlines already set stay.',
  body: Type.Partial(Type.Object(settingFields), { ...strict, minProperties: 1 }),
  response: answers('The settings.', dataOf(SettingsView), 400),
});
export type AdvanceClock = Static<typeof ADVANCE_CLOCK.body>;
export const ADVANCE_CLOCK = route('Clock', 'Advance the sandbox clock', {
  description: 'Everything that falls due on the way runs in the order of its time. Only with CLOCK=sandbox.',
  body: Type.Object({ seconds: Type.Integer({ minimum: 0, maximum: 31_536_000 }) }, strict),
  response: answers('It has run.', dataOf(Type.Object({ now: time })), 400, 409),
});

const AuditView = Type.Object({
  auditId: Type.String(),
  at: time,
  actor: Type.Object({ kind: Type.String(), id: orNull(Type.String()), name: orNull(Type.String()), address: orNull(Type.String()) }),
  action: Type.String(),
  target: Type.String(),
  detail: Type.Record(Type.String(), Type.Unknown()),
});
export type ListAudit = Static<typeof LIST_AUDIT.querystring>;
export const LIST_AUDIT = route('Audit log', 'Who did what, when, from where', {
  querystring: Type.Object(
    {
      actorId: optional(Type.String({ maxLength: 100 })),
      action: optional(Type.String({ maxLength: 100 })),
      target: optional(Type.String({ maxLength: 100, description: 'The id of what was acted on.' })),
      ...PAGE,
    },
    strict,
  ),
  response: answers('Entries, the newest first.', listOf(AuditView), 400),
});
