import { ActionIcon, Button, Menu } from '@mantine/core';
import Ellipsis from 'lucide-react/icons/ellipsis';
import { useState } from 'react';
import type { List } from '../api.tsx';
import { type Column, DataTable } from '../data-table.tsx';
import { Card } from '../page.tsx';
import { SecretsDialog } from '../secrets-dialog.tsx';
import { Chip } from '../status-chip.tsx';
import { When } from '../when.tsx';
import classes from './merchant.module.css';
import {
  ActionDialog,
  InviteDialog,
  type PeopleCalls,
  type PeopleCodes,
} from './people-dialogs.tsx';
import { texts } from './people-texts.ts';
import type { GivenLink, Person, PersonAction } from './person.ts';

const ACTIONS = Object.keys(texts.buttons) as PersonAction[];

type Open = 'invite' | { readonly person: Person; readonly action: PersonAction } | null;

/** The people of a merchant: who they are, inviting others, and what may be done about each. */
export function People({
  list,
  mayInvite,
  calls,
  codes,
  byTwo = false,
}: {
  readonly list: List<Person>;
  readonly mayInvite: boolean;
  readonly calls: PeopleCalls;
  readonly codes?: PeopleCodes;
  readonly byTwo?: boolean;
}) {
  const [open, setOpen] = useState<Open>(null);
  const [given, setGiven] = useState<GivenLink | null>(null);
  const acts = list.rows?.some(({ allowedActions }) => allowedActions.length > 0) ?? false;
  const dialog = { calls, codes, byTwo, onGiven: setGiven, onClose: () => setOpen(null) };
  return (
    <Card
      title={texts.title}
      actions={
        mayInvite ? (
          <Button size="xs" onClick={() => setOpen('invite')}>
            {texts.invite}
          </Button>
        ) : null
      }
    >
      <p className={classes['hint']}>{texts.lead}</p>
      <DataTable
        label={texts.title}
        list={list}
        hidden={new Set(acts ? [] : ['actions'])}
        rowId={({ portalUserId }) => portalUserId}
        rowLabel={({ name }) => name}
        empty={<p>{texts.none}</p>}
        columns={[
          ...COLUMNS,
          {
            id: 'actions',
            header: texts.actions,
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
              ? texts.linkTitle(given.person.name)
              : texts.invitedTitle(given.person.name)
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
      {mailed ? (
        <Chip tone="done" label={texts.mailed} />
      ) : (
        <Chip tone="needed" label={texts.notMailed} />
      )}
    </p>
    <p>{mailed ? texts.mailedTo(email ?? '') : texts.handOver(email)}</p>
    <p className={classes['hint']}>{texts.linkLead}</p>
  </>
);

const COLUMNS: readonly Column<Person>[] = [
  {
    id: 'name',
    header: texts.name,
    cell: ({ name, you = false }) => <bdi>{you ? `${name} (${texts.you})` : name}</bdi>,
  },
  { id: 'username', header: texts.username, cell: ({ username }) => <bdi>{username}</bdi> },
  { id: 'role', header: texts.role, cell: ({ role }) => texts.roles[role] },
  {
    id: 'status',
    header: texts.status,
    cell: ({ status, invitedUntil }) =>
      status === 'suspended' ? (
        <Chip tone="over" label={texts.suspended} />
      ) : invitedUntil === null ? (
        <Chip tone="done" label={texts.active} />
      ) : (
        <Chip tone="waiting" label={texts.invited} />
      ),
  },
  {
    id: 'codes',
    header: texts.codes,
    cell: ({ hasOneTimeCode }) => (hasOneTimeCode ? texts.on : texts.off),
  },
  {
    id: 'signed-in',
    header: texts.lastSignIn,
    cell: ({ lastSignIn }) =>
      lastSignIn === null ? (
        <span className="quiet">{texts.never}</span>
      ) : (
        <span>
          <When at={lastSignIn.at} /> {texts.from}{' '}
          <span className="number">{lastSignIn.address}</span>
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
          aria-label={texts.actionsFor(person.name)}
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
            {texts.buttons[action]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
