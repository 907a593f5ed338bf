import {
  ACCOUNT_WARNINGS,
  CUSTOMER_ACTIONS,
  CUSTOMER_NOTE_KINDS,
  type CustomerAction,
  EVIDENCE_PER_CUSTOMER,
  LATE_CLAIM_STATUSES,
} from '@munshi/core';
import Type from 'typebox';
import { ASKS, one } from './contract/decider.ts';
import { type BodyOf, type Endpoint, face, type Shown } from './contract/endpoint.ts';
import {
  CURRENCY,
  dataOf,
  enumOf,
  METHODS,
  money,
  ORDER_TYPE,
  optional,
  orNull,
  REASON_CODE,
  STAGE,
  STATUS,
  time,
  timeOf,
} from './contract/schemas.ts';

/**
 * The hosted page, `/pay/{orderId}?expires=&token=`, as scripts use it: the JSON that its addresses
 * answer with `Accept: application/json`.
 */

const { endpoint } = face('page', ['link-invalid', 'link-expired'])('Page');
/** Their word alone completes no order. */
const OWN_ORDER = one('A customer speaks about their own order, which completes by others’ word.');

/**
 * What the page asks of the customer or shows them. Deposits: `methods` pick a method; `waiting`
 * nobody assigned yet, or not opened yet: POST /open; `payer` name the account you pay from; `pay`
 * send the money and confirm; `verifying` the member looks for it; `review` operations look into
 * it; then `completed`, `rejected`, `expired` or `cancelled`. Withdrawals: `account` say where to
 * pay; `waiting` for a member; `on-its-way`; `review`; then `paid` or `failed`.
 */
export const PAGE_VIEWS = [
  'methods',
  'waiting',
  'payer',
  'pay',
  'verifying',
  'review',
  'completed',
  'rejected',
  'expired',
  'cancelled',
  'account',
  'on-its-way',
  'paid',
  'failed',
] as const;

const LINK = Type.Object({
  expires: Type.String({ description: 'Of the link, unix seconds.' }),
  token: Type.String({ description: 'Of the link.' }),
  lang: optional(Type.String()),
});
/** Where a form of the page acts on the account that it shows. */
const SEEN = {
  version: optional(
    Type.String({
      description:
        'That the customer saw: with another account than the present one it is refused.',
    }),
  ),
};
const NamedMethod = Type.Object({ walletType: METHODS, name: Type.String() });
const OfferedMethod = Type.Object({
  ...NamedMethod.properties,
  providerName: Type.String({ description: 'Whose app or bank it is.' }),
  served: Type.Boolean({ description: 'Somebody can receive a payment this way now.' }),
});

export type PageStateView = Shown<typeof PageState>;
const PageState = Type.Object({
  orderId: Type.String(),
  orderReference: Type.String(),
  orderType: ORDER_TYPE,
  merchantName: Type.String(),
  brandColour: orNull(Type.String({ description: '`#rrggbb`.' })),
  support: Type.Object(
    {
      email: orNull(Type.String()),
      phone: orNull(Type.String()),
      url: orNull(Type.String()),
    },
    { description: 'Where the merchant’s customers ask for help.' },
  ),
  status: STATUS,
  stage: STAGE,
  view: enumOf(PAGE_VIEWS),
  version: Type.String({ description: 'Changes with what the page shows; for `since`.' }),
  amount: money('Of the order, with up to four decimals.'),
  payableAmount: money(
    'What is sent of it: in two decimals, of a deposit rounded up, of a withdrawal down.',
  ),
  currency: CURRENCY,
  expiresAt: time,
  payBefore: orNull(timeOf('When it is too late; null once the customer has done their part.')),
  remainingMs: orNull(Type.Integer({ description: 'The same, from now by the server’s clock.' })),
  method: NamedMethod,
  providerName: Type.String({ description: 'Whose app or bank it is.' }),
  account: orNull(
    Type.Object(
      {
        ...NamedMethod.properties,
        accountTitle: Type.String(),
        accountNumber: orNull(Type.String()),
        tillId: orNull(Type.String()),
        qrPayload: orNull(Type.String({ description: 'What the QR code holds.' })),
        upiLink: orNull(
          Type.String({ description: 'In INR: opens a UPI app with everything filled in.' }),
        ),
      },
      { description: 'Where to pay; in the view `pay` alone.' },
    ),
  ),
  transactionDigits: orNull(
    Type.Integer({
      description: 'How many last digits of the transaction ID to enter in `pay`; null for QR.',
    }),
  ),
  payer: orNull(enumOf(['accountNumber', 'ibanLast4'], 'What to enter in the view `payer`.')),
  customerAccount: orNull(
    Type.String({ description: 'Where a withdrawal goes; all but the last 4 characters hidden.' }),
  ),
  methods: Type.Array(OfferedMethod, { description: 'Methods to choose from.' }),
  usualSeconds: orNull(
    Type.Integer({
      description:
        'How long payments by this method took in the last days until they were confirmed: the median. In the view `verifying`; null where it is not known.',
    }),
  ),
  canCancel: Type.Boolean(),
  lateClaims: orNull(
    Type.Array(
      Type.Object({
        transactionDigits: orNull(
          Type.String({ description: 'Null where the payer that was given stands for them.' }),
        ),
        claimedAt: time,
        status: enumOf(LATE_CLAIM_STATUSES),
      }),
      {
        description:
          'What a customer says to have paid for an order that has ended without it; null where there is nothing to claim.',
      },
    ),
  ),
  merchantOrderRef: orNull(Type.String({ description: 'The merchant’s own name for the order.' })),
  payment: orNull(
    Type.Object(
      {
        accountTitle: Type.String(),
        account: Type.String({ description: 'All but the last 4 characters hidden.' }),
        transactionDigits: orNull(Type.String()),
        sentAt: time,
        formerDigits: orNull(Type.String({ description: 'What they corrected.' })),
        amountSent: orNull(money('Another amount than the order’s, as they said afterwards.')),
        paidBy: orNull(Type.String({ description: 'Whose account it came from.' })),
        pictures: Type.Integer({ description: 'How many they have added.' }),
        confirmBy: orNull(timeOf('When operators take over from the member who looks for it.')),
        mayAdd: Type.Array(enumOf([...CUSTOMER_NOTE_KINDS, 'picture']), {
          description: 'What they may still say of it: fields of `/add`, and `/picture`.',
        }),
      },
      { description: 'What the customer says to have sent; null before they say so.' },
    ),
  ),
  reasonCode: orNull(REASON_CODE),
  endedAt: orNull(time),
  redirectUrl: orNull(Type.String({ description: 'Where a final order’s customer goes.' })),
  expiredRedirectUrl: orNull(
    Type.String({ description: 'Where an open page goes when the link expires unused.' }),
  ),
  allowedActions: Type.Array(enumOf(CUSTOMER_ACTIONS), {
    description: 'What the customer may do now, by the last part of the path.',
  }),
});

const STATE = { querystring: LINK, answer: dataOf(PageState, 'The order as the page shows it.') };

export const PAGE_READ = endpoint('GET /:orderId', { summary: 'Read the order', ...STATE });
export const PAGE_STATE = endpoint('GET /:orderId/state', {
  summary: 'Read the order',
  ...STATE,
  querystring: Type.Object({
    ...LINK.properties,
    wait: optional(
      Type.Integer({
        minimum: 0,
        maximum: 25,
        description: 'Seconds to wait for another version; answered at once without it.',
      }),
    ),
    since: optional(Type.String({ description: 'The `version` that is known.' })),
  }),
});
export const PAGE_QR = endpoint('GET /:orderId/qr.png', {
  summary: 'The QR code to pay with',
  querystring: LINK,
  answer: Type.String({ description: 'The picture.', contentMediaType: 'image/png' }),
});
export const PAGE_RECEIPT = endpoint('GET /:orderId/receipt.txt', {
  summary: 'The receipt of a completed deposit',
  querystring: LINK,
  answer: Type.String({
    description: 'In the customer’s language.',
    contentMediaType: 'text/plain',
  }),
  refusals: ['not-found'],
});
export const PAGE_OPEN = endpoint('POST /:orderId/open', {
  summary: 'Open the page',
  decides: OWN_ORDER,
  audit: [],
  description: 'Finds a member for a deposit. Repeated while nobody is found.',
  ...STATE,
});
export const PAGE_METHOD = endpoint('POST /:orderId/method', {
  summary: 'Choose another method',
  decides: OWN_ORDER,
  audit: [],
  ...STATE,
  body: Type.Object({ walletType: METHODS }),
  refusals: ['wrong-state', 'no-member', 'too-many'],
});
export const PAGE_PAYER = endpoint('POST /:orderId/payer', {
  summary: 'Say who pays',
  decides: OWN_ORDER,
  audit: [],
  ...STATE,
  body: Type.Object({
    accountNumber: optional(Type.String()),
    ibanLast4: optional(Type.String()),
    ...SEEN,
  }),
  refusals: ['wrong-state'],
});
export const PAGE_CONFIRM = endpoint('POST /:orderId/confirm', {
  summary: 'Say that it is paid',
  decides: OWN_ORDER,
  audit: [],
  ...STATE,
  body: Type.Object({ transactionDigits: optional(Type.String()), ...SEEN }),
  refusals: ['wrong-state'],
});
export const PAGE_ADD = endpoint('POST /:orderId/add', {
  summary: 'Correct the payment or add to it',
  decides: OWN_ORDER,
  audit: [],
  description:
    'While the payment is looked for; one of the fields, each once. Changes no status and no money.',
  ...STATE,
  body: Type.Object({
    correctedDigits: optional(Type.String({ description: 'Instead of those that were given.' })),
    amountSent: optional(Type.String({ description: 'Of the order’s currency, as it is typed.' })),
    paidBy: optional(
      Type.String({ description: 'A name, or the last digits of the account’s number.' }),
    ),
  }),
  refusals: ['wrong-state'],
});
export const PAGE_PICTURE = endpoint('POST /:orderId/picture', {
  summary: 'Add a picture of the payment',
  decides: OWN_ORDER,
  audit: [],
  description: `While the payment is looked for, at most ${EVIDENCE_PER_CUSTOMER}. Redrawn as members’ pictures are.`,
  ...STATE,
  body: Type.Object({
    picture: Type.String({
      description:
        'A PNG, JPEG or WebP picture of at most 1 MB and 16 million pixels, in base64; the page’s form sends it as a file.',
    }),
  }),
  refusals: ['wrong-state', 'too-many', 'too-many-tries'],
});
export const PAGE_ACCOUNT = endpoint('POST /:orderId/account', {
  summary: 'Say where to pay',
  decides: OWN_ORDER,
  audit: [],
  ...STATE,
  body: Type.Object({ accountNumber: Type.String(), accountName: Type.String() }),
  refusals: ['wrong-state'],
});
export const PAGE_CANCEL = endpoint('POST /:orderId/cancel', {
  summary: 'Cancel the order',
  decides: OWN_ORDER,
  audit: [],
  ...STATE,
  refusals: ['wrong-state'],
});
export const PAGE_CHECK = endpoint('POST /:orderId/check', {
  summary: 'Check what was entered',
  decides: ASKS,
  audit: [],
  description: 'Changes nothing.',
  querystring: LINK,
  answer: dataOf(
    Type.Object({
      ...PageState.properties,
      warnings: Type.Array(Type.Object({ code: enumOf(ACCOUNT_WARNINGS) }), {
        description: 'What looks wrong with a withdrawal’s account. It may be sent all the same.',
      }),
      digits: Type.Array(Type.String(), {
        description:
          'What the text may mean: the last digits of each transaction ID in it. The customer confirms one.',
      }),
    }),
    'The order as the page shows it.',
  ),
  body: Type.Object({
    transactionDigits: optional(Type.String()),
    accountNumber: optional(Type.String()),
    accountName: optional(Type.String()),
    edit: optional(Type.String({ description: 'Of the form: back to the fields, as entered.' })),
    ...SEEN,
  }),
  refusals: ['wrong-state'],
});
export const PAGE_CLAIM = endpoint('POST /:orderId/claim', {
  summary: 'Leave a late claim',
  decides: OWN_ORDER,
  audit: [],
  description:
    'Of a customer who was shown an account or a code. Digits may be missing where the payer was given.',
  querystring: LINK,
  body: Type.Object({ transactionDigits: optional(Type.String()) }),
  answer: dataOf(Type.Object({ claimed: Type.Literal(true) }), 'Operators look into it.'),
  refusals: ['wrong-state', 'too-many'],
});

/** What the page's forms are sent to. */
export const PAGE_FORMS = {
  open: PAGE_OPEN,
  method: PAGE_METHOD,
  payer: PAGE_PAYER,
  confirm: PAGE_CONFIRM,
  account: PAGE_ACCOUNT,
  cancel: PAGE_CANCEL,
  check: PAGE_CHECK,
  claim: PAGE_CLAIM,
  add: PAGE_ADD,
} as const satisfies Readonly<Record<CustomerAction | 'check' | 'claim' | 'add', Endpoint>>;
export type PageForm = keyof typeof PAGE_FORMS;
/** A field of any of them. */
export type PageField = {
  [Form in PageForm]: keyof BodyOf<(typeof PAGE_FORMS)[Form]>;
}[PageForm];
