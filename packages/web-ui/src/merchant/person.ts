import type { PersonView } from '@munshi/api';
import type { texts } from './people-texts.ts';

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
export type PersonAction = keyof typeof texts.buttons;

/** A link that is shown once, and whose it is. */
export interface GivenLink {
  readonly person: Person;
  readonly link: string;
  /** It has gone out to the person's address; where not, it has to be handed over. */
  readonly mailed: boolean;
}
