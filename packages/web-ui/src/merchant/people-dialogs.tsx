import type { ReactNode } from 'react';
import { Said } from '../api.tsx';
import { EffectDialog } from '../effect-dialog.tsx';
import { choiceField, nameField, optional, textField, useForm, usernameField } from '../fields.tsx';
import { useActionCode } from '../sign-in/one-time-code/use-action-code.tsx';
import { texts } from './people-texts.ts';
import type { GivenLink, Person, PersonAction } from './person.ts';

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
 * of who asks, and empty where none is needed.
 */
export interface PeopleCalls {
  invite(invitation: Invitation, oneTimeCode: string): Promise<WithLink>;
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
  makeLink(portalUserId: string, oneTimeCode: string): Promise<WithLink>;
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

interface DialogProps {
  readonly codes: PeopleCodes | undefined;
  readonly calls: PeopleCalls;
  onGiven(given: GivenLink): void;
  onClose(): void;
}

const givenOf = ({ link, mailed = false, ...person }: WithLink): GivenLink => {
  if (link === undefined) throw new Said(texts.linkGone);
  return { person, link, mailed };
};

const FIELDS = {
  name: nameField,
  email: optional(textField({ type: 'email', maxLength: 254, hint: texts.emailHint })),
  role: choiceField(texts.roleHints),
};
const { name, email, role } = FIELDS;
const NEW = { name, username: { ...usernameField, hint: texts.usernameHint }, email, role };
const labelOf = (name: string) => texts[name as keyof typeof NEW];

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
    dialog: lacks ? { ...dialog, ready: false, unready: texts.codesMissing } : dialog,
    field: lacks ? (
      <p>
        {texts.needsCodes} {codes.setUp}
      </p>
    ) : (
      field
    ),
  };
}

export function InviteDialog({ calls, codes, onGiven, onClose }: DialogProps) {
  const form = useForm(NEW, labelOf, { name: '', username: '', email: null, role: 'viewer' });
  const { code, field, dialog, send } = useAdminCode(codes, form.values.role === 'admin', {
    takesFocus: false,
  });
  return (
    <EffectDialog
      title={texts.invite}
      button={texts.inviteButton}
      {...dialog}
      ready={form.isWhole && dialog.ready}
      beside={[...form.names, ...dialog.beside]}
      onClose={onClose}
      onSend={() => send(async () => onGiven(givenOf(await calls.invite(form.values, code))))}
    >
      {(refusal) => (
        <>
          <p>{texts.inviteLead}</p>
          {form.show(refusal)}
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
  onGiven,
  onClose,
}: DialogProps & { readonly person: Person; readonly action: PersonAction }) {
  const { portalUserId } = person;
  const form = useForm(FIELDS, labelOf, person);
  const shown = SHOWN[action];
  const { code, field, dialog, send } = useAdminCode(
    codes,
    letsAdminIn(action, person, form.changed),
    {
      takesFocus: action !== 'change-role',
    },
  );
  const change = () => calls.change(portalUserId, form.changed, code);
  const sends: Readonly<Record<PersonAction, () => Promise<unknown>>> = {
    change,
    'change-role': change,
    activate: () => calls.change(portalUserId, { status: 'active' }, code),
    suspend: () => calls.change(portalUserId, { status: 'suspended' }, code),
    'recovery-link': async () => onGiven(givenOf(await calls.makeLink(portalUserId, code))),
    invitation: () => calls.endInvitation(portalUserId),
    sessions: () => calls.endSessions(portalUserId),
  };
  const ready = shown === undefined || Object.keys(form.changed).length > 0;
  return (
    <EffectDialog
      title={texts.titles[action](person.name)}
      button={texts.buttons[action]}
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
          <p>{texts.effects[action]}</p>
          {field}
        </>
      )}
    </EffectDialog>
  );
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
