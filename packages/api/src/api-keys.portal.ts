import Type from 'typebox';
import { IssuedKey, KEY_PREFIX } from './api-keys.operator.ts';
import { one, TAKES_AWAY } from './contract/decider.ts';
import type { Shown } from './contract/endpoint.ts';
import { portal } from './contract/portal.ts';
import {
  allowedActions,
  dataOf,
  listOf,
  namedObject,
  orNull,
  PAGE_QUERY,
  time,
} from './contract/schemas.ts';
import { BY_CODE } from './people.ts';

/** API keys. The merchant issues its own where the operator allows it, with a one-time code. */

const { endpoint, write } = portal('Keys');

export type PortalKeyView = Shown<typeof PortalKeyView>;
const PortalKeyView = namedObject('ApiKey', {
  keyId: Type.String(),
  prefix: KEY_PREFIX,
  createdAt: time,
  revokedAt: orNull(time),
  allowedActions: allowedActions(['revoke']),
});
const ListedKey = namedObject('ListedApiKey', {
  ...PortalKeyView.properties,
  lastOrderAt: orNull({
    ...time,
    description: 'When its last order was made, among the newest 5,000; null: none of them.',
  }),
  lastUse: orNull(
    namedObject(
      'TimeAndAddress',
      { at: time, address: Type.String() },
      { description: 'Its last request that was not refused as a stranger’s; null: not seen yet.' },
    ),
  ),
});
export const PORTAL_LIST_KEYS = endpoint('GET /api-keys', {
  summary: 'List the API keys',
  needs: 'read',
  querystring: PAGE_QUERY,
  answer: listOf(ListedKey, 'Revoked ones too, the newest first.'),
});

const WITH_CODE = {
  ...BY_CODE,
  refusals: [...BY_CODE.refusals, 'one-time-code-set-up'],
} as const;
const ALLOWED = 'For admins, where the operator allows it, with a one-time code.';

const OWN_KEY = one(
  'Their own merchant’s, by a one-time code. That it may is decided by operators.',
);

export const PORTAL_ADD_KEY = write('POST /api-keys', {
  summary: 'Add an API key',
  ...WITH_CODE,
  needs: 'keys',
  decides: OWN_KEY,
  audit: ['api-key.create'],
  description: `${ALLOWED} The other keys go on working.`,
  answer: dataOf(IssuedKey, 'The key and its signing secret, shown this once.'),
});
export const PORTAL_REGENERATE_KEY = write('POST /api-keys/regenerate', {
  summary: 'Issue an API key and revoke the others',
  ...WITH_CODE,
  needs: 'keys',
  decides: OWN_KEY,
  audit: ['api-key.regenerate'],
  description: `${ALLOWED} Every key that was active before stops working at once.`,
  answer: dataOf(IssuedKey, 'The key and its signing secret, shown this once.'),
});
const ReadyKey = namedObject('ReadyApiKey', {
  approvalId: Type.String(),
  requestedName: Type.String({ description: 'The operator who asked for it.' }),
  approvedAt: time,
  fetchableUntil: time,
  revokesOthers: Type.Boolean({ description: 'The other keys stop working once it is fetched.' }),
});
export type ReadyKeyView = Shown<typeof ReadyKey>;
export const PORTAL_LIST_KEY_REQUESTS = endpoint('GET /api-key-requests', {
  summary: 'List approved API keys that you may fetch',
  needs: 'keys',
  description: 'Keys that an operator has asked for and another one has approved.',
  answer: dataOf(Type.Array(ReadyKey), 'The newest first, at most 100.'),
});
export const PORTAL_FETCH_KEY = write('POST /api-key-requests/:approvalId/fetch', {
  summary: 'Fetch an approved API key',
  ...WITH_CODE,
  needs: 'keys',
  decides: one(
    'Two operators have decided. By a one-time code, and by nobody whom one of them let in alone.',
  ),
  audit: ['api-key.create', 'api-key.regenerate'],
  description:
    'It is made now, once, within 24 hours of the approval. For admins, with a one-time code, whether or not they may issue keys themselves. Refused with `second-operator` for an admin let in by the operator who asked, or by the one who approved unless the request named them.',
  answer: dataOf(IssuedKey, 'The key and its signing secret, shown this once.'),
  refusals: [...WITH_CODE.refusals, 'second-operator'],
});
export const PORTAL_REVOKE_KEY = write('POST /api-keys/:keyId/revoke', {
  summary: 'Revoke an API key',
  ...WITH_CODE,
  needs: 'keys',
  decides: TAKES_AWAY,
  audit: ['api-key.revoke'],
  description: `${ALLOWED} Works at once. A key that is revoked already keeps its time.`,
  answer: dataOf(PortalKeyView, 'The key has stopped working.'),
});
