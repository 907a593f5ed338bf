import type { ReactNode } from 'react';
import { Said } from '../api.tsx';
import { EffectDialog } from '../effect-dialog.tsx';
import { choiceField, nameField, optional, textField, useForm, usernameField } from '../fields.tsx';
import { useActionCode } from '../sign-in/one-time-code/use-action-code.tsx';
import { BUTTONS, type GivenLink, type Person, type PersonAction, ROLE_HINTS } from './person.ts';

const TITLES = {
  change: (name: string) => `Name and e-mail of ${name}`,
  'change-role': (name: string) => `Role of ${name}`,
  'recovery-link': (name: string) => `Link for ${name} to choose a password`,
  invitation: (name: string) => `Take the invitation of ${name} back`,
  sessions: (name: string) => `End the sign-ins of ${name}`,
  activate: (name: string) => `Let ${name} in again`,
  suspend: (name: string) => `Suspend ${name}`,
};

const EFFECTS = {
  change: 'Nothing else changes, and nobody is signed out.',
  'change-role': 'Their sign-ins end at once; they sign in again with the new role.',
  'recovery-link':
    'Their sign-ins end now, and their one-time codes when the link is used. A link before is void.',
  invitation: 'The link is void, and whoever was invited is deleted.',
  sessions: 'They are signed out everywhere at once, and can sign in again.',
  activate: 'They can sign in again.',
  suspend: 'They are signed out everywhere at once, and cannot sign in.',
};

type Role = Person['role'];

interface Invitation {
  readonly username: string;
  readonly name?: string;
  readonly email?: string | null;
  readonly role: Role;
}
/** What a repeat answers has no link: it was shown already. */
type WithLink = Person & { readonly link?: string; readonly mailed?: boolean };

/**
 * How a face lets people in and changes them. Each throws what `callOrThrow` does. The code is that
 * of who asks, and empty where none is needed. Null: it waits for approval, which the face says.
 */
export interface PeopleCalls {
  invite(invitation: Invitation, oneTimeCode: string): Promise<WithLink | null>;
  change(
    portalUserId: string,
    change: {
      readonly name?: string;
      readonly email?: string | null;
      readonly role?: Role;
      readonly status?: Person['status'];
    },
    oneTimeCode: string,
  ): Promise<unknown>;
  makeLink(portalUserId: string, oneTimeCode: string): Promise<WithLink | null>;
  endInvitation(portalUserId: string): Promise<unknown>;
  endSessions(portalUserId: string): Promise<unknown>;
}

/** Where admins are let in with the one-time code of who asks. */
export interface PeopleCodes {
  /** Whether who asks has set codes up; undefined: not known yet. */
  readonly areOn: boolean | undefined;
  /** The link to where they are set up; it has the focus where a dialog begins with it. */
  readonly setUp: ReactNode;
}

/** What is asked of the service, before it is sent. */
export type AskedOfPeople =
  | { readonly invite: Parameters<PeopleCalls['invite']>[0] }
  | { readonly portalUserId: string; readonly change: Parameters<PeopleCalls['change']>[1] }
  | { readonly portalUserId: string; readonly makesLink: true };

interface DialogProps {
  readonly codes: PeopleCodes | undefined;
  /** Whether a second operator has to agree. */
  readonly ifItWaits: ((asked: AskedOfPeople) => ReactNode) | undefined;
  readonly calls: PeopleCalls;
  onGiven(given: GivenLink): void;
  onClose(): void;
}

const givenOf = ({ link, mailed = false, ...person }: WithLink): GivenLink => {
  if (link === undefined) throw new Said('The link was shown already. Make another one.');
  return { person, link, mailed };
};
/** Hands the link on, if it was made. */
const give = (made: WithLink | null, onGiven: DialogProps['onGiven']) => {
  if (made !== null) onGiven(givenOf(made));
};

const FIELDS = {
  name: nameField,
  email: optional(
    textField({
      type: 'email',
      maxLength: 254,
      hint: 'Links are sent there too, where mail is set up.',
    }),
  ),
  role: choiceField(ROLE_HINTS),
};
const { name, email, role } = FIELDS;
const NEW = {
  name,
  username: {
    ...usernameField,
    hint: 'What they sign in with. Without spaces; it cannot be changed.',
  },
  email,
  role,
};
const LABELS = { name: 'Name', username: 'Username', email: 'E-mail, optional', role: 'Role' };
const labelOf = (name: string) => LABELS[name as keyof typeof LABELS];

/**
 * The code field of a dialog where an admin is let in; a person without codes is asked to set them
 * up.
 */
function useAdminCode(
  codes: PeopleCodes | undefined,
  letsAdminIn: boolean,
  options?: { readonly takesFocus: boolean },
) {
  const asks = codes !== undefined && letsAdminIn;
  const lacks = asks && codes.areOn === false;
  const { code, field, dialog, send } = useActionCode(asks && !lacks, options);
  return {
    code,
    send,
    dialog: lacks ? { ...dialog, ready: false, unready: 'Set your codes up first.' } : dialog,
    field: lacks ? <p>Admins are let in with a one-time code. {codes.setUp}</p> : field,
  };
}

export function InviteDialog({ calls, codes, ifItWaits, onGiven, onClose }: DialogProps) {
  const form = useForm(NEW, labelOf, { name: '', username: '', email: null, role: 'viewer' });
  const { code, field, dialog, send } = useAdminCode(codes, form.values.role === 'admin', {
    takesFocus: false,
  });
  return (
    <EffectDialog
      title="Invite somebody"
      button="Make the invitation"
      {...dialog}
      ready={form.isWhole && dialog.ready}
      beside={[...form.names, ...dialog.beside]}
      onClose={onClose}
      onSend={() => send(async () => give(await calls.invite(form.values, code), onGiven))}
    >
      {(refusal) => (
        <>
          <p>
            They choose their password by a link, which is good once and for 7 days. You see it
            next, to pass it on.
          </p>
          {form.show(refusal)}
          {form.isWhole ? ifItWaits?.({ invite: form.values }) : null}
          {field}
        </>
      )}
    </EffectDialog>
  );
}

/** The fields of the actions that have some. */
const SHOWN: Partial<Record<PersonAction, readonly (keyof typeof FIELDS)[]>> = {
  change: ['name', 'email'],
  'change-role': ['role'],
};

/** One action about somebody, with what it ends. */
export function ActionDialog({
  person,
  action,
  calls,
  codes,
  ifItWaits,
  onGiven,
  onClose,
}: DialogProps & { readonly person: Person; readonly action: PersonAction }) {
  const { portalUserId } = person;
  const form = useForm(FIELDS, labelOf, person);
  const shown = SHOWN[action];
  const letsIn = letsAdminIn(action, person, form.changed);
  const { code, field, dialog, send } = useAdminCode(codes, letsIn, {
    takesFocus: action !== 'change-role',
  });
  const change = () => calls.change(portalUserId, form.changed, code);
  const sends: Readonly<Record<PersonAction, () => Promise<unknown>>> = {
    change,
    'change-role': change,
    activate: () => calls.change(portalUserId, { status: 'active' }, code),
    suspend: () => calls.change(portalUserId, { status: 'suspended' }, code),
    'recovery-link': async () => give(await calls.makeLink(portalUserId, code), onGiven),
    invitation: () => calls.endInvitation(portalUserId),
    sessions: () => calls.endSessions(portalUserId),
  };
  const asked = askedBy(action, portalUserId, form.changed);
  const ready = shown === undefined || Object.keys(form.changed).length > 0;
  return (
    <EffectDialog
      title={TITLES[action](person.name)}
      button={BUTTONS[action]}
      danger={action === 'suspend' || action === 'invitation'}
      {...dialog}
      ready={ready && dialog.ready}
      beside={[...form.names, ...dialog.beside]}
      onClose={onClose}
      onSend={() => send(sends[action])}
    >
      {(refusal) => (
        <>
          {shown === undefined ? null : form.show(refusal, shown)}
          <p>{EFFECTS[action]}</p>
          {asked === null || !ready ? null : ifItWaits?.(asked)}
          {field}
        </>
      )}
    </EffectDialog>
  );
}

/** Null: it takes away, and never waits. */
function askedBy(
  action: PersonAction,
  portalUserId: string,
  change: Parameters<PeopleCalls['change']>[1],
): AskedOfPeople | null {
  if (action === 'recovery-link') return { portalUserId, makesLink: true };
  if (action === 'activate') return { portalUserId, change: { status: 'active' } };
  return action === 'change' || action === 'change-role' ? { portalUserId, change } : null;
}

/** Whether an action makes an admin, or gives one a link, its address, or their access again. */
function letsAdminIn(
  action: PersonAction,
  person: Person,
  { role, email = null }: { readonly role?: Role; readonly email?: string | null },
): boolean {
  if (action === 'change-role') return role === 'admin';
  if (person.role !== 'admin') return false;
  return (
    action === 'activate' || action === 'recovery-link' || (action === 'change' && email !== null)
  );
}
