import { API_KEY_ACTIONS } from '@munshi/core';
import Type from 'typebox';
import { TAKES_AWAY, TWO } from './contract/decider.ts';
import type { Shown } from './contract/endpoint.ts';
import {
  allowedActions,
  dataOf,
  id,
  listOf,
  namedObject,
  operator,
  optional,
  orNull,
  orWaiting,
  PAGE_QUERY,
  SECRET_SHOWN,
  time,
} from './contract/operator.ts';

/** API keys of merchants. */

const { endpoint, write } = operator('API keys');

export const KEY_PREFIX = Type.String({
  description: 'The 8 characters after `mk_live_`: what `X-SVC-Key-Prefix` of webhooks carries.',
});
export const IssuedKey = namedObject('IssuedApiKey', {
  keyId: id('The key.'),
  apiKey: optional(
    Type.String({ description: '`mk_live_` and 32 letters and digits. Shown this once.' }),
  ),
  signingSecret: optional(
    Type.String({ description: '`sksec_` and 40 letters and digits. Shown this once.' }),
  ),
  secretShown: SECRET_SHOWN,
  prefix: KEY_PREFIX,
});
export type ApiKeyView = Shown<typeof ApiKeyView>;
const ApiKeyView = namedObject('ApiKey', {
  keyId: id('The key.'),
  prefix: KEY_PREFIX,
  createdAt: time,
  revokedAt: orNull(time),
  allowedActions: allowedActions(API_KEY_ACTIONS),
});

/** Of a merchant, the newest ones. */
export const ORDERS_LOOKED_THROUGH = 5_000;
const ListedApiKeyView = namedObject('ListedApiKey', {
  ...ApiKeyView.properties,
  lastOrderAt: orNull({
    ...time,
    description: `When its last order was made, among the merchant’s newest ${ORDERS_LOOKED_THROUGH.toLocaleString('en')}; null: none of them.`,
  }),
});

export const ADD_API_KEY = write('POST /merchants/:merchantId/api-keys', {
  summary: 'Add an API key',
  needs: 'write',
  decides: TWO,
  audit: ['api-key.request', 'api-key.create'],
  answer: orWaiting(IssuedKey, 'The key and its signing secret.'),
  refusals: ['wrong-state'],
});
export const REGENERATE_API_KEY = write('POST /merchants/:merchantId/api-keys/regenerate', {
  summary: 'Issue an API key and revoke the others',
  needs: 'write',
  decides: TWO,
  audit: ['api-key.request', 'api-key.regenerate'],
  answer: orWaiting(
    IssuedKey,
    'The key and its signing secret. Every key that was active before has stopped working.',
  ),
  refusals: ['wrong-state'],
});
export const REVOKE_API_KEY = write('DELETE /merchants/:merchantId/api-keys/:keyId', {
  summary: 'Revoke an API key',
  needs: 'write',
  decides: TAKES_AWAY,
  audit: ['api-key.revoke'],
  description: 'Works at once. A key that is revoked already keeps its time.',
  answer: dataOf(ApiKeyView, 'The key has stopped working.'),
});
export const LIST_API_KEYS = endpoint('GET /merchants/:merchantId/api-keys', {
  summary: "List a merchant's API keys",
  needs: 'read',
  querystring: PAGE_QUERY,
  answer: listOf(ListedApiKeyView, 'Keys, revoked ones too, the newest first.'),
});
