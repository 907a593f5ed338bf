import type { PersonView } from '@munshi/api';

/** Somebody who signs in to the portal, as either face shows them. */
export interface Person {
  readonly portalUserId: string;
  readonly username: string;
  readonly name: string;
  readonly email: string | null;
  readonly role: PersonView['role'];
  readonly status: 'active' | 'suspended';
  readonly invitedUntil: string | null;
  readonly hasOneTimeCode: boolean;
  readonly lastSignIn: { readonly at: string; readonly address: string } | null;
  readonly you?: boolean;
  readonly allowedActions: readonly string[];
}

export const ROLES = { viewer: 'Viewer', admin: 'Admin' };

export const ROLE_HINTS = {
  viewer: 'Viewer: sees everything',
  admin: 'Admin: also changes settings and people',
};

/** What can be done about a person. */
export const BUTTONS = {
  change: 'Name and e-mail',
  'change-role': 'Change the role',
  'recovery-link': 'Link for a new password',
  invitation: 'Take the invitation back',
  sessions: 'End their sign-ins',
  activate: 'Let in again',
  suspend: 'Suspend',
};
export type PersonAction = keyof typeof BUTTONS;

/** A link that is shown once, and whose it is. */
export interface GivenLink {
  readonly person: Person;
  readonly link: string;
  /** It has gone out to the person's address; where not, it has to be handed over. */
  readonly mailed: boolean;
}
