import { PERSON_ACTIONS } from '@munshi/core';
import Type from 'typebox';
import { one, TAKES_AWAY } from './contract/decider.ts';
import type { BodyOf, Shown } from './contract/endpoint.ts';
import { portal } from './contract/portal.ts';
import {
  allowedActions,
  changeOf,
  dataOf,
  listOf,
  namedObject,
  optional,
  PAGE_QUERY,
  strictObject,
} from './contract/schemas.ts';
import { ONE_TIME_CODE, SignInsEnded } from './people.ts';
import { INVITATION_FIELDS, linkFields, PERSON_CHANGE, personFields } from './portal-people.ts';

/**
 * The merchant’s own people. Admins invite and change them, and let another admin in with a
 * one-time code; never is the last admin taken away.
 */

const { endpoint, write } = portal('People');

export type PersonView = Shown<typeof PersonView>;
const PersonView = namedObject('Person', {
  ...personFields,
  you: Type.Boolean({ description: 'It is who asks.' }),
  allowedActions: allowedActions(PERSON_ACTIONS, 'PersonAction'),
});
const WithLink = namedObject('PersonWithLink', { ...PersonView.properties, ...linkFields });

const OWN_CODE = {
  oneTimeCode: optional(
    Type.String({
      ...ONE_TIME_CODE,
      description:
        'Of who asks, where an admin is let in: six digits of their app, or one of their recovery codes.',
    }),
  ),
};
const OWN_PEOPLE = one(
  'A merchant decides about its own, and lets an admin in by a one-time code.',
);

export const LIST_PEOPLE = endpoint('GET /people', {
  summary: 'List the people',
  needs: 'read',
  querystring: PAGE_QUERY,
  answer: listOf(PersonView, 'The newest first.'),
});
export type InvitePerson = BodyOf<typeof INVITE_PERSON>;
export const INVITE_PERSON = write('POST /people', {
  summary: 'Invite somebody',
  needs: 'people',
  decides: OWN_PEOPLE,
  audit: ['portal-user.invite'],
  description:
    'For admins. They choose their password by the link: good once, for 7 days. It is shown this once, and mailed where an e-mail address is given and mail is set up. Inviting an admin takes the one-time code of who asks.',
  body: strictObject({ ...INVITATION_FIELDS, ...OWN_CODE }),
  answer: dataOf(WithLink, 'The person, with the link.'),
  refusals: ['already-exists', 'too-many', 'wrong-state', 'one-time-code-set-up'],
});
export type ChangePerson = BodyOf<typeof CHANGE_PERSON>;
export const CHANGE_PERSON = write('PATCH /people/:portalUserId', {
  summary: 'Change somebody',
  needs: 'people',
  decides: OWN_PEOPLE,
  audit: ['portal-user.update'],
  description:
    'For admins. Another role and a suspension end their sign-ins at once. Making somebody an admin, a suspended admin active again, or saying where the links of an admin are mailed takes the one-time code of who asks.',
  body: changeOf({ ...PERSON_CHANGE, ...OWN_CODE }),
  answer: dataOf(PersonView, 'The person.'),
  refusals: ['too-many', 'wrong-state', 'one-time-code-set-up'],
});
export const MAKE_PERSON_LINK = write('POST /people/:portalUserId/recovery-link', {
  summary: 'Make a link to choose a password by',
  needs: 'people',
  decides: OWN_PEOPLE,
  audit: ['portal-user.recovery-link', 'portal-user.invitation'],
  description:
    'For admins. A recovery link, good once, for 24 hours, or a new invitation for a person who has not accepted theirs. Their sign-ins end now, their one-time codes when it is used; the link before is void. It is mailed as an invitation is. For an admin it takes the one-time code of who asks; the body may be left out otherwise.',
  body: strictObject(OWN_CODE),
  answer: dataOf(WithLink, 'The person, with the link.'),
  refusals: ['wrong-state', 'one-time-code-set-up'],
});
export const END_INVITATION = write('DELETE /people/:portalUserId/invitation', {
  summary: 'Take an invitation back',
  needs: 'people',
  decides: TAKES_AWAY,
  audit: ['portal-user.invitation-end'],
  description: 'For admins. A person who has not come yet is deleted with it.',
  answer: dataOf(Type.Object({ revoked: Type.Literal(true) }), 'The link is void.'),
  refusals: ['wrong-state'],
});
export const END_PERSON_SESSIONS = write('DELETE /people/:portalUserId/sessions', {
  summary: 'End somebody’s sign-ins',
  needs: 'people',
  decides: TAKES_AWAY,
  audit: ['portal-user.sessions-end'],
  description: 'For admins.',
  answer: dataOf(SignInsEnded, 'How many have ended.'),
});
