import { PORTAL_USER_ACTIONS, personNeedsTwo } from '@munshi/core';
import Type from 'typebox';
import { byChange, TAKES_AWAY } from './contract/decider.ts';
import type { BodyOf, Shown } from './contract/endpoint.ts';
import {
  allowedActions,
  changeOf,
  dataOf,
  id,
  listOf,
  namedObject,
  operator,
  orWaiting,
  PAGE_QUERY,
  PASSWORD,
  strictObject,
} from './contract/operator.ts';
import { SignInsEnded } from './people.ts';
import { INVITATION_FIELDS, linkFields, PERSON_CHANGE, personFields } from './portal-people.ts';

/** The people of a merchant who sign in to the portal. */

const { endpoint, write } = operator('Merchants');

export type PortalUserView = Shown<typeof PortalUserView>;
const PortalUserView = namedObject('PortalUser', {
  ...personFields,
  merchantId: id('Whose they are.'),
  allowedActions: allowedActions(PORTAL_USER_ACTIONS, 'PortalUserAction'),
});
const WithLink = namedObject('PortalUserWithLink', { ...PortalUserView.properties, ...linkFields });

const LETS_IN = byChange(
  'An admin who is let in: new, by a password, link or e-mail address, or active again.',
  personNeedsTwo,
);
const { email: _, ...NEW_USER } = INVITATION_FIELDS;
export type CreatePortalUser = BodyOf<typeof CREATE_PORTAL_USER>;
export const CREATE_PORTAL_USER = write('POST /merchants/:merchantId/portal-users', {
  summary: 'Let somebody into the portal of a merchant',
  needs: 'administer',
  decides: LETS_IN,
  audit: ['approval.request', 'portal-user.create'],
  body: strictObject({ ...NEW_USER, password: PASSWORD }),
  answer: orWaiting(PortalUserView, 'The user.'),
  refusals: ['already-exists', 'too-many', 'wrong-state'],
});
export const INVITE_PORTAL_USER = write('POST /merchants/:merchantId/portal-users/invite', {
  summary: 'Invite somebody to the portal of a merchant',
  needs: 'administer',
  decides: LETS_IN,
  audit: ['portal-link.request', 'portal-user.invite'],
  description:
    'They choose their password by the link: good once, for 7 days. It is shown this once, and mailed where an e-mail address is given and mail is set up.',
  body: strictObject(INVITATION_FIELDS),
  answer: orWaiting(WithLink, 'The user, with the link.'),
  refusals: ['already-exists', 'too-many', 'wrong-state'],
});
export type ChangePortalUser = BodyOf<typeof CHANGE_PORTAL_USER>;
export const CHANGE_PORTAL_USER = write('PATCH /portal-users/:portalUserId', {
  summary: 'Change a user of the portal',
  needs: 'administer',
  decides: LETS_IN,
  audit: ['approval.request', 'portal-user.update'],
  description: 'A new password, another role and a suspension end the user’s sign-ins at once.',
  body: changeOf({ ...PERSON_CHANGE, password: PASSWORD }),
  answer: orWaiting(PortalUserView, 'The user.'),
  refusals: ['too-many', 'wrong-state'],
});
export const LIST_PORTAL_USERS = endpoint('GET /merchants/:merchantId/portal-users', {
  summary: 'List who may sign in to the portal of a merchant',
  needs: 'read',
  querystring: PAGE_QUERY,
  answer: listOf(PortalUserView, 'The newest first.'),
});
export const MAKE_PORTAL_LINK = write('POST /portal-users/:portalUserId/recovery-link', {
  summary: 'Make a link to choose a password by',
  needs: 'administer',
  decides: LETS_IN,
  audit: ['portal-link.request', 'portal-user.recovery-link', 'portal-user.invitation'],
  description:
    'A recovery link, good once, for 24 hours, or a new invitation for a person who has not accepted theirs. Their sign-ins end now, their one-time codes when it is used; the link before is void. It is mailed as an invitation is.',
  answer: orWaiting(WithLink, 'The user, with the link.'),
  refusals: ['wrong-state'],
});
export const END_PORTAL_INVITATION = write('DELETE /portal-users/:portalUserId/invitation', {
  summary: 'Take an invitation back',
  needs: 'administer',
  decides: TAKES_AWAY,
  audit: ['portal-user.invitation-end'],
  description: 'A person who has not come yet is deleted with it.',
  answer: dataOf(Type.Object({ revoked: Type.Literal(true) }), 'The link is void.'),
  refusals: ['wrong-state'],
});
export const END_PORTAL_SESSIONS = write('DELETE /portal-users/:portalUserId/sessions', {
  summary: 'End the sign-ins of a user of the portal',
  needs: 'administer',
  decides: TAKES_AWAY,
  audit: ['portal-user.sessions-end'],
  answer: dataOf(SignInsEnded, 'How many have ended.'),
});
