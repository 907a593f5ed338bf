import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { Said } from '../api.tsx';
import { EffectDialog } from '../effect-dialog.tsx';
import { isNamed, NameField, RoleField, UsernameField } from '../person-fields.tsx';
import type { GivenLink, Person, PersonDeed } from './people.tsx';
import { texts } from './people-texts.ts';

type Role = Person['role'];

interface Invitation {
  readonly username: string;
  readonly name?: string;
  readonly email?: string | null;
  readonly role: Role;
}
/** What a repeat answers has no link: it was shown already. */
type WithLink = Person & { readonly link?: string; readonly mailed?: boolean };

/** How a face lets people in and changes them. Each throws what `callOrThrow` does. */
export interface PeopleCalls {
  invite(invitation: Invitation): Promise<WithLink>;
  change(
    portalUserId: string,
    change: {
      readonly name?: string;
      readonly email?: string | null;
      readonly role?: Role;
      readonly status?: Person['status'];
    },
  ): Promise<unknown>;
  makeLink(portalUserId: string): Promise<WithLink>;
  endInvitation(portalUserId: string): Promise<unknown>;
  endSessions(portalUserId: string): Promise<unknown>;
}

interface DialogProps {
  readonly calls: PeopleCalls;
  onGiven(given: GivenLink): void;
  onClose(): void;
}

const givenOf = ({ link, mailed = false, ...person }: WithLink): GivenLink => {
  if (link === undefined) throw new Said(texts.linkGone);
  return { person, link, mailed };
};
const orNull = (text: string) => (text.trim() === '' ? null : text.trim());

export function InviteDialog({ calls, onGiven, onClose }: DialogProps) {
  const [name, setName] = useState('');
  const [username, setUsername] = useState('');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const body = { name: name.trim(), username, email: orNull(email), role };
  return (
    <EffectDialog
      title={texts.invite}
      deed={texts.inviteDeed}
      ready={isNamed(name, username)}
      onClose={onClose}
      onSend={async () => onGiven(givenOf(await calls.invite(body)))}
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

/** One deed about somebody, with what it ends. */
export function DeedDialog({
  person,
  deed,
  calls,
  onGiven,
  onClose,
}: DialogProps & { readonly person: Person; readonly deed: PersonDeed }) {
  const { portalUserId } = person;
  const [name, setName] = useState(person.name);
  const [email, setEmail] = useState(person.email ?? '');
  const [role, setRole] = useState(person.role);
  const sends: Readonly<Record<PersonDeed, () => Promise<unknown>>> = {
    change: () => calls.change(portalUserId, { name: name.trim(), email: orNull(email) }),
    'change-role': () => calls.change(portalUserId, { role }),
    activate: () => calls.change(portalUserId, { status: 'active' }),
    suspend: () => calls.change(portalUserId, { status: 'suspended' }),
    'recovery-link': async () => onGiven(givenOf(await calls.makeLink(portalUserId))),
    invitation: () => calls.endInvitation(portalUserId),
    sessions: () => calls.endSessions(portalUserId),
  };
  const ready =
    deed === 'change' ? name.trim() !== '' : deed !== 'change-role' || role !== person.role;
  return (
    <EffectDialog
      title={texts.titles[deed](person.name)}
      deed={texts.deeds[deed]}
      danger={deed === 'suspend' || deed === 'invitation'}
      ready={ready}
      onClose={onClose}
      onSend={sends[deed]}
    >
      {deed === 'change' ? (
        <>
          <NameField label={texts.name} value={name} onChange={setName} />
          <EmailField email={email} onChange={setEmail} />
        </>
      ) : null}
      {deed === 'change-role' ? (
        <RoleField label={texts.role} hints={texts.roleHints} role={role} onChange={setRole} />
      ) : null}
      <p>{texts.effects[deed]}</p>
    </EffectDialog>
  );
}
