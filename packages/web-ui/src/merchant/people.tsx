import { ActionIcon, Button, Menu } from '@mantine/core';
import Ellipsis from 'lucide-react/icons/ellipsis';
import { type ReactNode, useState } from 'react';
import type { List } from '../api.tsx';
import { isAskedFor } from '../asked-for.ts';
import { type Column, DataTable } from '../data-table.tsx';
import { Card } from '../page.tsx';
import { SecretsDialog } from '../secrets-dialog.tsx';
import { Chip } from '../status-chip.tsx';
import { When } from '../when.tsx';
import classes from './merchant.module.css';
import {
  ActionDialog,
  type AskedOfPeople,
  InviteDialog,
  type PeopleCalls,
  type PeopleCodes,
} from './people-dialogs.tsx';
import { BUTTONS, type GivenLink, type Person, type PersonAction, ROLES } from './person.ts';

const ACTIONS = Object.keys(BUTTONS) as PersonAction[];

type Open = 'invite' | { readonly person: Person; readonly action: PersonAction } | null;

/** The people of a merchant: who they are, inviting others, and what may be done about each. */
export function People({
  list,
  mayInvite,
  calls,
  codes,
  ifItWaits,
}: {
  readonly list: List<Person>;
  readonly mayInvite: boolean;
  readonly calls: PeopleCalls;
  readonly codes?: PeopleCodes;
  ifItWaits?(asked: AskedOfPeople): ReactNode;
}) {
  const [open, setOpen] = useState<Open>(() =>
    mayInvite && isAskedFor('person') ? 'invite' : null,
  );
  const [given, setGiven] = useState<GivenLink | null>(null);
  const acts = list.rows?.some(({ allowedActions }) => allowedActions.length > 0) ?? false;
  const dialog = { calls, codes, ifItWaits, onGiven: setGiven, onClose: () => setOpen(null) };
  return (
    <Card
      title="People"
      actions={
        mayInvite ? (
          <Button size="xs" onClick={() => setOpen('invite')}>
            Invite somebody
          </Button>
        ) : null
      }
    >
      <p className={classes['hint']}>
        Viewers see everything. Admins also change settings, send webhooks again and let others in.
      </p>
      <DataTable
        label="People"
        list={list}
        hidden={new Set(acts ? [] : ['actions'])}
        rowId={({ portalUserId }) => portalUserId}
        rowLabel={({ name }) => name}
        empty={<p>Nobody can sign in to the portal yet.</p>}
        columns={[
          ...COLUMNS,
          {
            id: 'actions',
            header: 'Action',
            align: 'end',
            cell: (person) => (
              <Actions person={person} onChoose={(action) => setOpen({ person, action })} />
            ),
          },
        ]}
      />
      {open === null ? null : open === 'invite' ? (
        <InviteDialog {...dialog} />
      ) : (
        <ActionDialog {...open} {...dialog} />
      )}
      {given === null ? null : (
        <SecretsDialog
          title={
            given.person.invitedUntil === null
              ? `Link for ${given.person.name}`
              : `Invitation for ${given.person.name}`
          }
          secrets={
            given.person.invitedUntil === null ? { link: given.link } : { invitation: given.link }
          }
          onKept={() => setGiven(null)}
        >
          <Mailed {...given} />
        </SecretsDialog>
      )}
    </Card>
  );
}

/** Whether the link has gone out by mail, and what is left to do. */
const Mailed = ({ person: { email }, mailed }: GivenLink) => (
  <>
    <p>
      {mailed ? <Chip tone="done" label="Mailed" /> : <Chip tone="needed" label="Not mailed" />}
    </p>
    <p>
      {mailed
        ? `The link has gone to ${email ?? ''}. Pass it on yourself only if the mail does not arrive.`
        : email === null
          ? 'No e-mail address is known. Pass the link on yourself, by a way that only they read.'
          : `No mail could be sent to ${email}. Pass the link on yourself, by a way that only they read.`}
    </p>
    <p className={classes['hint']}>
      Whoever has the link can choose the password. It is shown this once.
    </p>
  </>
);

const COLUMNS: readonly Column<Person>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name, you = false }) => (you ? `${name} (you)` : name),
  },
  { id: 'username', header: 'Username', cell: ({ username }) => username },
  { id: 'role', header: 'Role', cell: ({ role }) => ROLES[role] },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status, invitedUntil }) =>
      status === 'suspended' ? (
        <Chip tone="over" label="Suspended" />
      ) : invitedUntil === null ? (
        <Chip tone="done" label="Active" />
      ) : (
        <Chip tone="waiting" label="Invited" />
      ),
  },
  {
    id: 'codes',
    header: 'One-time codes',
    cell: ({ hasOneTimeCode }) => (hasOneTimeCode ? 'On' : 'Off'),
  },
  {
    id: 'signed-in',
    header: 'Last sign-in',
    cell: ({ lastSignIn }) =>
      lastSignIn === null ? (
        <span className="quiet">Never</span>
      ) : (
        <span>
          <When at={lastSignIn.at} /> from <span className="number">{lastSignIn.address}</span>
        </span>
      ),
  },
];

function Actions({
  person,
  onChoose,
}: {
  readonly person: Person;
  onChoose(action: PersonAction): void;
}) {
  const actions = ACTIONS.filter((action) => person.allowedActions.includes(action));
  if (actions.length === 0) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={`Actions for ${person.name}`}
        >
          <Ellipsis size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Menu.Item
            key={action}
            {...((action === 'suspend' || action === 'invitation') && { color: 'bad' })}
            onClick={() => onChoose(action)}
          >
            {BUTTONS[action]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
