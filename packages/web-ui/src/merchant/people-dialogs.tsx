import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Said } from '../api.tsx';
import { EffectDialog } from '../effect-dialog.tsx';
import { isNamed, NameField, RoleField, UsernameField } from '../person-fields.tsx';
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

interface DialogProps {
  readonly codes: PeopleCodes | undefined;
  /** Letting an admin in waits for approval while a second operator is required. */
  readonly byTwo: boolean;
  readonly calls: PeopleCalls;
  onGiven(given: GivenLink): void;
  onClose(): void;
}

const givenOf = ({ link, mailed = false, ...person }: WithLink): GivenLink => {
  if (link === undefined) throw new Said(texts.linkGone);
  return { person, link, mailed };
};
/** Hands the link on, if it was made. */
const give = (made: WithLink | null, onGiven: DialogProps['onGiven']) => {
  if (made !== null) onGiven(givenOf(made));
};
const orNull = (text: string) => (text.trim() === '' ? null : text.trim());

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

export function InviteDialog({ calls, codes, byTwo, onGiven, onClose }: DialogProps) {
  const [name, setName] = useState('');
  const [username, setUsername] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const body = { name: name.trim(), username, email: orNull(email), role };
  const { code, field, dialog, send } = useAdminCode(codes, role === 'admin', {
    takesFocus: false,
  });
  return (
    <EffectDialog
      title={texts.invite}
      button={texts.inviteButton}
      {...dialog}
      ready={isNamed(name, username) && dialog.ready}
      onClose={onClose}
      onSend={() => send(async () => give(await calls.invite(body, code), onGiven))}
    >
      <p>{texts.inviteLead}</p>
      <NameField label={texts.name} value={name} onChange={setName} />
      <UsernameField
        label={texts.username}
        description={texts.usernameHint}
        value={username}
        onChange={setUsername}
      />
      <EmailField email={email} onChange={setEmail} />
      <RoleField label={texts.role} hints={texts.roleHints} role={role} onChange={setRole} />
      {byTwo && role === 'admin' ? <p className="quiet">{texts.linkByTwo}</p> : null}
      {field}
    </EffectDialog>
  );
}

const EmailField = ({
  email,
  onChange,
}: {
  readonly email: string;
  onChange(email: string): void;
}) => (
  <TextInput
    type="email"
    label={texts.email}
    description={texts.emailHint}
    maxLength={254}
    value={email}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);

/** One action about somebody, with what it ends. */
export function ActionDialog({
  person,
  action,
  calls,
  codes,
  byTwo,
  onGiven,
  onClose,
}: DialogProps & { readonly person: Person; readonly action: PersonAction }) {
  const { portalUserId } = person;
  const [name, setName] = useState(person.name);
  const [email, setEmail] = useState(person.email ?? '');
  const [role, setRole] = useState(person.role);
  const letsIn = letsAdminIn(action, person, { role, email });
  const { code, field, dialog, send } = useAdminCode(codes, letsIn, {
    takesFocus: action !== 'change-role',
  });
  const sends: Readonly<Record<PersonAction, () => Promise<unknown>>> = {
    change: () => calls.change(portalUserId, { name: name.trim(), email: orNull(email) }, code),
    'change-role': () => calls.change(portalUserId, { role }, code),
    activate: () => calls.change(portalUserId, { status: 'active' }, code),
    suspend: () => calls.change(portalUserId, { status: 'suspended' }, code),
    'recovery-link': async () => give(await calls.makeLink(portalUserId, code), onGiven),
    invitation: () => calls.endInvitation(portalUserId),
    sessions: () => calls.endSessions(portalUserId),
  };
  const ready =
    action === 'change' ? name.trim() !== '' : action !== 'change-role' || role !== person.role;
  return (
    <EffectDialog
      title={texts.titles[action](person.name)}
      button={texts.buttons[action]}
      danger={action === 'suspend' || action === 'invitation'}
      {...dialog}
      ready={ready && dialog.ready}
      onClose={onClose}
      onSend={() => send(sends[action])}
    >
      {action === 'change' ? (
        <>
          <NameField label={texts.name} value={name} onChange={setName} />
          <EmailField email={email} onChange={setEmail} />
        </>
      ) : null}
      {action === 'change-role' ? (
        <RoleField label={texts.role} hints={texts.roleHints} role={role} onChange={setRole} />
      ) : null}
      <p>{texts.effects[action]}</p>
      {byTwo && letsIn ? (
        <p className="quiet">{action === 'recovery-link' ? texts.linkByTwo : texts.byTwo}</p>
      ) : null}
      {field}
    </EffectDialog>
  );
}

/** Whether an action makes an admin, or gives one a link, its address, or their access again. */
function letsAdminIn(
  action: PersonAction,
  person: Person,
  { role, email }: { readonly role: Role; readonly email: string },
): boolean {
  if (action === 'change-role') return role === 'admin' && person.role !== 'admin';
  if (person.role !== 'admin') return false;
  const readdressed = orNull(email) !== null && orNull(email) !== (person.email ?? null);
  return (
    action === 'activate' || action === 'recovery-link' || (action === 'change' && readdressed)
  );
}
