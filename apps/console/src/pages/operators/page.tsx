import { Button } from '@mantine/core';
import { LIST_OPERATORS, type OperatorView } from '@munshi/api';
import {
  byText,
  byTime,
  Chip,
  DataTable,
  Facts,
  OpenCard,
  Page,
  SecretsDialog,
  Split,
  text,
  useFilters,
  useList,
  When,
} from '@munshi/web-ui';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { useSession } from '../../session.tsx';
import { ActionDialog, type Given, InviteDialog, type OperatorAction } from './dialogs.tsx';
import { ROLE_HINTS, ROLES, STATUSES } from './names.ts';
import classes from './operators.module.css';
import { Tokens } from './tokens.tsx';

const FILTERS = { open: text() };

/** C14, the operators. */
export default function OperatorsPage() {
  const { operator: self } = useSession();
  const { values, set } = useFilters(FILTERS);
  const list = useList(LIST_OPERATORS, {}, { watch: ['setting'] });
  const [inviting, setInviting] = useState(false);
  const [given, setGiven] = useState<Given | null>(null);
  const open = list.rows?.find(({ operatorId }) => operatorId === values.open);
  return (
    <Page
      title="Operators"
      lead="Who works in this console. Viewers read, support also decides orders, admins do everything else, and approvers also approve what others ask for."
      actions={
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setInviting(true)}>
          Invite an operator
        </Button>
      }
    >
      <p role="status" className={classes['said']}>
        {given?.said ?? ''}
      </p>
      <Split
        openId={open?.operatorId}
        list={
          <DataTable
            label="Operators"
            list={list}
            rowId={({ operatorId }) => operatorId}
            rowLabel={({ name }) => name}
            openId={values.open}
            onOpen={({ operatorId }) => set({ open: operatorId })}
            empty={<p>There are no operators yet except those set in the environment.</p>}
            columns={[
              {
                id: 'name',
                header: 'Name',
                compare: byText(({ name }) => name),
                cell: ({ name, operatorId }) =>
                  operatorId === self.operatorId ? `${name} (you)` : name,
              },
              {
                id: 'role',
                header: 'Role',
                compare: byText(({ role }) => ROLES[role]),
                cell: ({ role }) => ROLES[role],
              },
              {
                id: 'status',
                header: 'Status',
                cell: ({ status }) => (
                  <Chip tone={status === 'active' ? 'done' : 'over'} label={STATUSES[status]} />
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
                compare: byTime(({ lastSignIn }) => lastSignIn?.at ?? null),
                cell: ({ lastSignIn }) =>
                  lastSignIn === null ? 'Never' : <When at={lastSignIn.at} />,
              },
              { id: 'tokens', header: 'Script tokens', align: 'end', cell: ({ tokens }) => tokens },
            ]}
          />
        }
      >
        {open === undefined ? null : (
          <OperatorCard
            key={open.operatorId}
            operator={open}
            onGiven={setGiven}
            onClose={() => set({ open: undefined })}
          />
        )}
      </Split>
      {inviting ? <InviteDialog onGiven={setGiven} onClose={() => setInviting(false)} /> : null}
      {given?.secrets === undefined ? null : (
        <SecretsDialog
          {...(given.title !== undefined && { title: given.title })}
          secrets={given.secrets}
          onKept={() => setGiven(null)}
        >
          {given.lead === undefined ? null : <p className={classes['lead']}>{given.lead}</p>}
        </SecretsDialog>
      )}
    </Page>
  );
}

/** The actions of an operator's card, by what allows each. */
const ACTIONS: readonly (readonly [
  allowed: OperatorView['allowedActions'][number],
  action: OperatorAction,
])[] = [
  ['change-role', 'role'],
  ['change', 'rename'],
  ['recovery-link', 'recovery'],
  ['one-time-code', 'codes-off'],
  ['tokens', 'token'],
  ['revoke-tokens', 'revoke-tokens'],
  ['end-sign-ins', 'end-sign-ins'],
  ['activate', 'activate'],
  ['suspend', 'suspend'],
];

interface OperatorCardProps {
  readonly operator: OperatorView;
  onGiven(given: Given): void;
  onClose(): void;
}

function OperatorCard({ operator, onGiven, onClose }: OperatorCardProps) {
  const [action, setAction] = useState<OperatorAction | null>(null);
  const { lastSignIn, allowedActions } = operator;
  return (
    <OpenCard title={operator.name} onClose={onClose}>
      <Facts
        facts={[
          ['Username', <bdi key="username">{operator.username}</bdi>],
          ['Role', ROLE_HINTS[operator.role]],
          ['Status', STATUSES[operator.status]],
          [
            'Last sign-in',
            lastSignIn === null ? (
              'Never'
            ) : (
              <>
                <When at={lastSignIn.at} /> from {lastSignIn.address}
              </>
            ),
          ],
          ['One-time codes', operator.hasOneTimeCode ? 'On' : 'Off'],
          ['Password', operator.hasPassword ? 'Set' : 'None: script tokens only'],
          ['Added', <When key="created" at={operator.createdAt} />],
        ]}
      />
      {operator.role === 'approver' ? (
        <p className="quiet">
          Approvers are let in on the server: munshi operator-link {operator.username} --approver
        </p>
      ) : null}
      <Tokens operator={operator} />
      <div className={classes['actions']}>
        {ACTIONS.filter(([allowed]) => allowedActions.includes(allowed)).map(([, each]) => (
          <Button
            key={each}
            variant="default"
            {...(each === 'suspend' && { color: 'bad', variant: 'outline' })}
            onClick={() => setAction(each)}
          >
            {LABELS[each]}
          </Button>
        ))}
      </div>
      {action === null ? null : (
        <ActionDialog
          action={action}
          operator={operator}
          onGiven={onGiven}
          onClose={() => setAction(null)}
        />
      )}
    </OpenCard>
  );
}

const LABELS: Readonly<Record<OperatorAction, string>> = {
  role: 'Change role',
  rename: 'Rename',
  recovery: 'Make a recovery link',
  'codes-off': 'Turn codes off',
  token: 'New script token',
  'revoke-tokens': 'Revoke script tokens',
  'end-sign-ins': 'End sign-ins',
  activate: 'Activate',
  suspend: 'Suspend',
};
