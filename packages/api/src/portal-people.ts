import { PORTAL_ROLES } from '@munshi/core';
import Type from 'typebox';
import {
  ACTIVE,
  EMAIL,
  namedEnum,
  optional,
  orNull,
  PERSON_NAME,
  personName,
  SECRET_SHOWN,
  time,
  USERNAME,
} from './contract/schemas.ts';
import { SignInPlace } from './people.ts';

/** The people of a merchant, as operators and its own admins see and invite them. */

export const PORTAL_ROLE = namedEnum(
  'PortalRole',
  PORTAL_ROLES,
  'viewer reads; admin also changes settings, sends webhooks again, and lets others in.',
);

const EMAIL_FIELD = Type.String({ ...EMAIL, description: 'Where links are sent to, too.' });

export const personFields = {
  portalUserId: Type.String(),
  username: Type.String(),
  name: Type.String(),
  email: orNull(Type.String()),
  role: PORTAL_ROLE,
  status: ACTIVE,
  invitedUntil: orNull({
    ...time,
    description:
      'They have not chosen a password yet, and can until then by their link; null: they have.',
  }),
  hasOneTimeCode: Type.Boolean(),
  lastSignIn: orNull(SignInPlace),
  createdAt: time,
};

/** Beside the person whom it is for. */
export const linkFields = {
  link: optional(
    Type.String({ description: 'The link to choose a password by. Shown this once.' }),
  ),
  mailed: optional(
    Type.Boolean({
      description:
        'Whether it was mailed to them. Beside the link alone. A merchant’s people get 20 mails within 24 hours, one mailbox three: a link beyond that is shown, and not mailed.',
    }),
  ),
  secretShown: SECRET_SHOWN,
};

export const INVITATION_FIELDS = {
  username: USERNAME,
  name: optional(personName('The username by default.')),
  email: optional(orNull(EMAIL_FIELD)),
  role: PORTAL_ROLE,
};

/** What is changed of a person, on both faces. */
export const PERSON_CHANGE = {
  name: PERSON_NAME,
  email: orNull(EMAIL_FIELD),
  role: PORTAL_ROLE,
  status: ACTIVE,
};
