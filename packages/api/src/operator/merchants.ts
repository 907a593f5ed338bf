import { CURRENCIES, ORDER_TYPES, WITHDRAWAL_METHODS } from '@munshi/core';
import Type, { type Static } from 'typebox';
import {
  answers,
  dataOf,
  id,
  listOf,
  METHODS,
  money,
  optional,
  orNull,
  orWaiting,
  PAGE,
  PAGE_QUERY,
  params,
  route,
  SECRET_SHOWN,
  strict,
  text,
  time,
  writeRoute,
} from './schemas.ts';

/** Merchants, their API keys and their wallets. */

const MERCHANT_STATUS = Type.Enum(['active', 'suspended', 'closed'], { type: 'string' });
const CALLBACK_URL = orNull(
  Type.String({
    maxLength: 500,
    description: 'Absolute http(s) URL that receives webhooks of orders without their own.',
  }),
);
const IP_WHITELIST = Type.Object(
  {
    enabled: Type.Boolean(),
    entries: Type.Array(
      Type.Object(
        {
          address: Type.String({
            maxLength: 100,
            description: 'IPv4 or IPv6 address, or a CIDR block.',
          }),
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
    description:
      'What customers see on the payment page in place of the name. Without control and invisible characters.',
  }),
);
const BRAND_COLOUR = orNull(
  Type.String({
    pattern: '^#[0-9a-fA-F]{6}$',
    description: '`#rrggbb`, shown on the payment page.',
  }),
);
const merchantFields = {
  displayName: optional(DISPLAY_NAME),
  brandColour: optional(BRAND_COLOUR),
  defaultCallbackUrl: optional(CALLBACK_URL),
  depositMethods: optional(Type.Array(METHODS, { uniqueItems: true })),
  withdrawalMethods: optional(
    Type.Array(Type.Enum([...WITHDRAWAL_METHODS], { type: 'string' }), { uniqueItems: true }),
  ),
  currencies: optional(
    Type.Array(Type.Enum([...CURRENCIES], { type: 'string' }), { uniqueItems: true, minItems: 1 }),
  ),
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
export const CREATE_MERCHANT = writeRoute('Merchants', 'Add a merchant', {
  description:
    'Methods default to all that the service knows, currencies to PKR. A currency needs an exchange rate first.',
  body: Type.Object({ name: text(200), ...merchantFields }, strict),
  response: answers('The merchant.', dataOf(MerchantView), 400, 409),
});
export type ChangeMerchant = Static<typeof CHANGE_MERCHANT.body>;
export const CHANGE_MERCHANT = writeRoute('Merchants', 'Change a merchant', {
  description:
    'A merchant that is not active takes no new orders; its orders in progress go on, and status and balance keep working.',
  params: params('merchantId'),
  body: Type.Object(
    { name: optional(text(200)), status: optional(MERCHANT_STATUS), ...merchantFields },
    { ...strict, minProperties: 1 },
  ),
  response: answers('The merchant.', dataOf(MerchantView), 400, 404, 409),
});
export const READ_MERCHANT = route('Merchants', 'Read a merchant', {
  params: params('merchantId'),
  response: answers('The merchant.', dataOf(MerchantView), 404),
});
export type ListMerchants = Static<typeof LIST_MERCHANTS.querystring>;
export const LIST_MERCHANTS = route('Merchants', 'List merchants', {
  querystring: Type.Object(
    {
      search: optional(Type.String({ maxLength: 200, description: 'Part of the name.' })),
      status: optional(MERCHANT_STATUS),
      ...PAGE,
    },
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
        overdrawn: Type.Boolean({
          description: 'A late confirmation took the available balance below zero.',
        }),
        currency: Type.String(),
      }),
    ),
    404,
  ),
});

const IssuedKey = Type.Object({
  keyId: id('The key.'),
  apiKey: optional(
    Type.String({ description: '`mk_live_` and 32 letters and digits. Shown this once.' }),
  ),
  signingSecret: optional(
    Type.String({ description: '`sksec_` and 40 letters and digits. Shown this once.' }),
  ),
  secretShown: SECRET_SHOWN,
  prefix: Type.String({
    description: 'The 8 characters after `mk_live_`: what `X-SVC-Key-Prefix` of webhooks carries.',
  }),
});
const KeyView = Type.Object({
  keyId: id('The key.'),
  prefix: Type.String(),
  createdAt: time,
  revokedAt: orNull(time),
});

export const ADD_API_KEY = writeRoute('API keys', 'Add an API key', {
  params: params('merchantId'),
  response: answers('The key and its signing secret.', orWaiting(IssuedKey), 404),
});
export const REGENERATE_API_KEY = writeRoute('API keys', 'Issue an API key and revoke the others', {
  params: params('merchantId'),
  response: answers(
    'The key and its signing secret. Every key that was active before has stopped working.',
    orWaiting(IssuedKey),
    404,
  ),
});
export const REVOKE_API_KEY = writeRoute('API keys', 'Revoke an API key', {
  params: params('merchantId', 'keyId'),
  response: answers('The key has stopped working.', dataOf(KeyView), 404),
});
export const LIST_API_KEYS = route('API keys', "List a merchant's API keys", {
  params: params('merchantId'),
  querystring: PAGE_QUERY,
  response: answers('Keys, revoked ones too, the newest first.', listOf(KeyView), 400, 404),
});
