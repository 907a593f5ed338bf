import {
  MERCHANT_ACTIONS,
  MERCHANT_STATUSES,
  merchantNeedsTwo,
  ORDER_TYPES,
  ownKeysNeedTwo,
  WITHDRAWAL_METHODS,
} from '@munshi/core';
import Type from 'typebox';
import { byChange, one } from './contract/decider.ts';
import type { BodyOf, Shown } from './contract/endpoint.ts';
import {
  allowedActions,
  CURRENCY,
  calledUrl,
  changeOf,
  dataOf,
  EMAIL,
  enumOf,
  id,
  listOf,
  METHODS,
  money,
  namedEnum,
  namedObject,
  operator,
  optional,
  orNull,
  orWaiting,
  PAGE,
  PREVIEWED,
  searched,
  strictObject,
  text,
  time,
} from './contract/operator.ts';
import { PHONE } from './people.ts';

/** Merchants. */

const { endpoint, write } = operator('Merchants');

const STATUS = namedEnum('MerchantStatus', MERCHANT_STATUSES);
const WITHDRAWAL_METHOD = namedEnum('WithdrawalMethod', WITHDRAWAL_METHODS);

export const IP_WHITELIST = strictObject(
  {
    enabled: Type.Boolean(),
    entries: Type.Array(
      strictObject({
        address: Type.String({
          maxLength: 100,
          description: 'IPv4 or IPv6 address, or a CIDR block.',
        }),
        scope: enumOf([...ORDER_TYPES, 'Both']),
      }),
      { maxItems: 500 },
    ),
  },
  { title: 'IpWhitelist' },
);

/** Bytes of a picture as it is handed in. */
export const LOGO_UPLOAD_BYTES_MAX = 512 * 1024;
/** The same in base64, and what a `data:` URL has before it. */
const LOGO_TEXT_MAX = 700_000;

/** What customers see of a merchant on the payment page. */
export const MERCHANT_PAGE_FIELDS = {
  displayName: optional(
    orNull(
      Type.String({
        minLength: 1,
        maxLength: 60,
        description:
          'What customers see on the payment page in place of the name. Without control and invisible characters.',
      }),
    ),
  ),
  brandColour: optional(
    orNull(
      Type.String({
        pattern: '^#[0-9a-fA-F]{6}$',
        description: '`#rrggbb`, shown on the payment page.',
        examples: ['#12ab9f'],
      }),
    ),
  ),
  logo: optional(
    orNull(
      Type.String({
        minLength: 1,
        maxLength: LOGO_TEXT_MAX,
        description:
          'A PNG, JPEG or WebP picture of at most 512 KB and 4 million pixels, as a `data:` URL or in base64. It is redrawn as WebP of at most 8 KB. Null takes it away.',
      }),
    ),
  ),
  supportEmail: optional(
    orNull(
      Type.String({
        ...EMAIL,
        description: 'Where customers ask the merchant for help, as the payment page shows it.',
        examples: ['help@shop.example'],
      }),
    ),
  ),
  supportPhone: optional(
    orNull(
      Type.String({
        ...PHONE,
        description: 'The same by telephone: digits, with spaces, dots, dashes and brackets.',
        examples: ['+92 42 111222333'],
      }),
    ),
  ),
  supportUrl: optional(
    orNull(
      Type.String({
        maxLength: 500,
        description: 'The same on the web: an absolute https URL.',
        examples: ['https://shop.example/help'],
      }),
    ),
  ),
};

const TEXT_OR_NULL = orNull(Type.String());
/** The same as they are answered. */
const MERCHANT_PAGE_VIEW = {
  ...(Object.fromEntries(Object.keys(MERCHANT_PAGE_FIELDS).map((name) => [name, TEXT_OR_NULL])) as {
    readonly [Name in keyof typeof MERCHANT_PAGE_FIELDS]: typeof TEXT_OR_NULL;
  }),
  logo: orNull(
    Type.String({ description: 'The path of the picture; another picture has another one.' }),
  ),
};

/** What its own people change too. */
export const OWN_MERCHANT_FIELDS = {
  ...MERCHANT_PAGE_FIELDS,
  defaultCallbackUrl: optional(
    orNull(
      Type.String({
        maxLength: 500,
        description:
          'Absolute http(s) URL that receives webhooks of orders without their own. `user:password@` becomes Basic authentication; `***@` keeps what is set, for the same host.',
      }),
    ),
  ),
  ipWhitelist: optional(IP_WHITELIST),
};
/** The same as they are answered. */
export const OWN_MERCHANT_VIEW = {
  ...MERCHANT_PAGE_VIEW,
  defaultCallbackUrl: orNull(calledUrl('Where webhooks of orders without their own go.')),
  ipWhitelist: IP_WHITELIST,
};

/** What may be set of a merchant besides name and status. */
const fields = {
  ...OWN_MERCHANT_FIELDS,
  depositMethods: optional(Type.Array(METHODS, { uniqueItems: true })),
  withdrawalMethods: optional(Type.Array(WITHDRAWAL_METHOD, { uniqueItems: true })),
  currencies: optional(Type.Array(CURRENCY, { uniqueItems: true, minItems: 1 })),
  timeZone: optional(
    Type.String({
      maxLength: 60,
      description:
        'In which statements count days and months, by its name in the tz database, such as `Asia/Karachi`. Another one counts from now on: what has ended stays as it was. By currency unless set.',
    }),
  ),
};

export const TIME_ZONE = Type.String({
  description: 'In which days and months of the wallet are counted, such as `Asia/Karachi`.',
});

export type MerchantView = Shown<typeof MerchantView>;
const MerchantView = namedObject('Merchant', {
  merchantId: id('The merchant.'),
  name: Type.String(),
  status: STATUS,
  depositMethods: Type.Array(METHODS),
  withdrawalMethods: Type.Array(METHODS),
  currencies: Type.Array(CURRENCY),
  ...OWN_MERCHANT_VIEW,
  timeZone: TIME_ZONE,
  ownKeysAllowed: Type.Boolean({
    description:
      'Its own people may issue and revoke API keys in the portal, with a one-time code.',
  }),
  createdAt: time,
  allowedActions: allowedActions(MERCHANT_ACTIONS, 'MerchantAction'),
});

export type CreateMerchant = BodyOf<typeof CREATE_MERCHANT>;
export const CREATE_MERCHANT = write('POST /merchants', {
  summary: 'Add a merchant',
  needs: 'write',
  decides: one('A merchant can do nothing before it has a key, which needs two.'),
  audit: ['merchant.create'],
  description:
    'Methods default to all that the service knows, currencies to PKR. A currency needs an exchange rate first.',
  body: strictObject({ name: text(200), ...fields }),
  answer: dataOf(MerchantView, 'The merchant.'),
  refusals: ['wrong-state', 'too-many-tries'],
});
/** Orders and deliveries are counted as far as this. */
export const MERCHANT_COUNTED_MAX = 1_000;
const COUNTED = `counted as far as ${MERCHANT_COUNTED_MAX.toLocaleString('en')}`;

export type MerchantEffectView = Shown<typeof MerchantEffectView>;
const MerchantEffectView = namedObject(
  'MerchantEffect',
  {
    ...PREVIEWED,
    status: Type.Object({ before: STATUS, after: STATUS }),
    takesOrders: Type.Object(
      { before: Type.Boolean(), after: Type.Boolean() },
      { description: 'Whether new orders are accepted.' },
    ),
    openDeposits: Type.Integer({ description: `They go on to their end; ${COUNTED}.` }),
    openWithdrawals: Type.Integer({ description: `The same; ${COUNTED}.` }),
    pendingDeliveries: Type.Integer({ description: 'Webhooks that still go out.' }),
    activeKeys: Type.Integer({ description: 'Keys that go on reading status and balance.' }),
  },
  { description: 'What the change would mean.' },
);

export type ChangeMerchant = BodyOf<typeof CHANGE_MERCHANT>;
export const CHANGE_MERCHANT = write('PATCH /merchants/:merchantId', {
  summary: 'Change a merchant',
  needs: 'write',
  decides: byChange(
    'Another name, logo, support contact or callback URL, an active status again, or orders from more addresses.',
    merchantNeedsTwo,
  ),
  audit: ['approval.request', 'merchant.update'],
  description:
    'A merchant that is not active takes no new orders; its orders in progress go on, and status and balance keep working.',
  body: changeOf({ name: text(200), status: STATUS, ...fields }),
  answer: orWaiting(
    Type.Union([MerchantView, MerchantEffectView]),
    'The merchant, or `pendingApproval`.',
  ),
  refusals: ['wrong-state', 'too-many-tries'],
});
export const ALLOW_OWN_KEYS = write('POST /merchants/:merchantId/own-keys', {
  summary: 'Allow a merchant to issue its own keys, or no more',
  needs: 'write',
  decides: byChange('Allowing it.', ownKeysNeedTwo),
  audit: ['own-keys.request', 'merchant.own-keys'],
  description:
    'Off until it is allowed. While a second operator is required, another one approves it; taking it away waits for nobody.',
  body: strictObject({ allowed: Type.Boolean() }),
  answer: orWaiting(MerchantView, 'The merchant.'),
  refusals: ['wrong-state'],
});
export const READ_MERCHANT = endpoint('GET /merchants/:merchantId', {
  summary: 'Read a merchant',
  needs: 'read',
  answer: dataOf(MerchantView, 'The merchant.'),
});
export type ListedMerchantView = Shown<typeof ListedMerchantView>;
const ListedMerchantView = namedObject('ListedMerchant', {
  ...MerchantView.properties,
  availableBalance: money('PKR.'),
  reservedBalance: money('PKR.'),
  ordersOfDay: Type.Integer({
    description: 'Orders of the last 24 hours, counted as far as 1,000.',
  }),
  failingReceivers: Type.Integer({
    description: 'Receivers of webhooks of which the last three attempts or more have failed.',
  }),
});
export const LIST_MERCHANTS = endpoint('GET /merchants', {
  summary: 'List merchants',
  needs: 'read',
  querystring: strictObject({
    search: optional(
      searched(
        'In any case: part of the name; the support telephone, however it is grouped, or its last four digits.',
      ),
    ),
    status: optional(STATUS),
    ...PAGE,
  }),
  answer: listOf(ListedMerchantView, 'Merchants, the newest first.'),
});
