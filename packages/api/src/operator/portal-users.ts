import { PORTAL_ROLES, PORTAL_USER_ACTIONS } from '@munshi/core';
import Type from 'typebox';
import type { BodyOf, Shown } from '../endpoint.ts';
import {
  ACTIVE,
  allowedActions,
  dataOf,
  endpoint,
  id,
  listOf,
  optional,
  orNull,
  PAGE_QUERY,
  PASSWORD,
  strict,
  text,
  time,
  USERNAME,
  write,
} from './schemas.ts';

/** The people of a merchant who sign in to the portal. */

export const PORTAL_ROLE = Type.Enum([...PORTAL_ROLES], {
  type: 'string',
  description: 'viewer reads; admin also changes settings and sends webhooks again.',
});

export type PortalUserView = Shown<typeof PortalUserView>;
const PortalUserView = Type.Object({
  portalUserId: id('The user.'),
  merchantId: id('Whose they are.'),
  username: Type.String(),
  name: Type.String(),
  role: PORTAL_ROLE,
  status: ACTIVE,
  lastSignIn: orNull(Type.Object({ at: time, address: Type.String() })),
  createdAt: time,
  allowedActions: allowedActions(PORTAL_USER_ACTIONS),
});

export type CreatePortalUser = BodyOf<typeof CREATE_PORTAL_USER>;
export const CREATE_PORTAL_USER = write(
  'POST /merchants/:merchantId/portal-users',
  'Merchants',
  'Let somebody into the portal of a merchant',
  {
    body: Type.Object(
      {
        username: USERNAME,
        name: optional(text(200, 'The username by default.')),
        role: PORTAL_ROLE,
        password: PASSWORD,
      },
      strict,
    ),
    answer: dataOf(PortalUserView, 'The user.'),
    refusals: ['already-exists'],
  },
);
export type ChangePortalUser = BodyOf<typeof CHANGE_PORTAL_USER>;
export const CHANGE_PORTAL_USER = write(
  'PATCH /portal-users/:portalUserId',
  'Merchants',
  'Change a user of the portal',
  {
    description: 'A new password, another role and a suspension end the user’s sign-ins at once.',
    body: Type.Object(
      {
        name: optional(text(200)),
        role: optional(PORTAL_ROLE),
        status: optional(ACTIVE),
        password: optional(PASSWORD),
      },
      { ...strict, minProperties: 1 },
    ),
    answer: dataOf(PortalUserView, 'The user.'),
  },
);
export const LIST_PORTAL_USERS = endpoint(
  'GET /merchants/:merchantId/portal-users',
  'Merchants',
  'List who may sign in to the portal of a merchant',
  { querystring: PAGE_QUERY, answer: listOf(PortalUserView, 'The newest first.') },
);
