import Type from 'typebox';
import type { Shown } from './contract/endpoint.ts';
import { portal } from './contract/portal.ts';
import {
  dataOf,
  enumOf,
  listOf,
  namedObject,
  optional,
  PAGE_QUERY,
  strictObject,
  time,
  timeOf,
} from './contract/schemas.ts';

/** Requests to the merchant face that were refused in the last 7 days. */

const { endpoint } = portal('Refused requests');

const WHY = {
  status: Type.Integer(),
  code: Type.String({
    description:
      'The `code` of the answer where it had one, else the reason by name: `invalid`, `address-not-listed`, `insufficient-balance` and so on.',
  }),
};
export type RefusedRequestView = Shown<typeof RefusedRequestView>;
const RefusedRequestView = namedObject('RefusedRequest', {
  refusedId: Type.String(),
  at: time,
  method: Type.String(),
  path: Type.String({ description: 'Without its query.' }),
  ...WHY,
  fields: Type.Array(Type.String(), { description: 'The fields or headers that were wrong.' }),
  keyPrefix: Type.String({ description: 'Of the key that it came with.' }),
  address: Type.String({ description: 'From where.' }),
});
export const PORTAL_LIST_REFUSED_REQUESTS = endpoint('GET /refused-requests', {
  summary: 'List refused requests',
  needs: 'read',
  description:
    'The last 200 at most, seconds after they came. Nothing of a body or a secret is kept; requests with an unknown or revoked key are nobody’s.',
  querystring: PAGE_QUERY,
  answer: listOf(RefusedRequestView, 'The newest first.'),
});

const RefusedCountView = namedObject('RefusedCount', {
  from: timeOf('When the minute or hour began, UTC.'),
  ...WHY,
  count: Type.Integer(),
});
/** The most rows that are answered. */
export const REFUSED_COUNTS_MAX = 5_000;
export const PORTAL_COUNT_REFUSED_REQUESTS = endpoint('GET /refused-requests/counts', {
  summary: 'Count refused requests',
  needs: 'read',
  querystring: strictObject({
    per: optional(enumOf(['minute', 'hour'], 'By default: hour.')),
    from: optional(Type.String({ maxLength: 40, description: 'ISO 8601; 7 days ago by default.' })),
    to: optional(Type.String({ maxLength: 40, description: 'Before this time; now by default.' })),
  }),
  answer: dataOf(
    Type.Object({
      counts: Type.Array(RefusedCountView, {
        description: `The newest first, at most ${REFUSED_COUNTS_MAX.toLocaleString('en')}.`,
      }),
    }),
    'How many were refused, by reason.',
  ),
});
