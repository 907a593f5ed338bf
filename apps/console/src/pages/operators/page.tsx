import { Button } from '@mantine/core';
import { LIST_OPERATORS, type OperatorView } from '@munshi/api';
import {
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
import classes from './operators.module.css';
import { texts } from './texts.ts';
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
      title={texts.title}
      lead={texts.lead}
      actions={
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setInviting(true)}>
          {texts.invite}
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
            label={texts.title}
            list={list}
            rowId={({ operatorId }) => operatorId}
            rowLabel={({ name }) => name}
            openId={values.open}
            onOpen={({ operatorId }) => set({ open: operatorId })}
            empty={<p>{texts.none}</p>}
            columns={[
              {
                id: 'name',
                header: texts.name,
                cell: ({ name, operatorId }) => (
                  <bdi>{operatorId === self.operatorId ? `${name} (${texts.you})` : name}</bdi>
                ),
              },
              { id: 'role', header: texts.role, cell: ({ role }) => texts.roles[role] },
              {
                id: 'status',
                header: texts.status,
                cell: ({ status }) => (
                  <Chip
                    tone={status === 'active' ? 'done' : 'over'}
                    label={texts.statuses[status]}
                  />
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
                  lastSignIn === null ? texts.never : <When at={lastSignIn.at} />,
              },
              { id: 'tokens', header: texts.tokens, align: 'end', cell: ({ tokens }) => tokens },
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
          [texts.username, <bdi key="username">{operator.username}</bdi>],
          [texts.role, texts.roleHints[operator.role]],
          [texts.status, texts.statuses[operator.status]],
          [
            texts.lastSignIn,
            lastSignIn === null ? (
              texts.never
            ) : (
              <>
                <When at={lastSignIn.at} /> {texts.from(lastSignIn.address)}
              </>
            ),
          ],
          [texts.codes, operator.hasOneTimeCode ? texts.on : texts.off],
          [texts.password, operator.hasPassword ? texts.hasPassword : texts.noPassword],
          [texts.created, <When key="created" at={operator.createdAt} />],
        ]}
      />
      {operator.role === 'approver' ? (
        <p className="quiet">{texts.approver(operator.username)}</p>
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
  role: texts.changeRole,
  rename: texts.rename,
  recovery: texts.recovery,
  'codes-off': texts.codesOff,
  token: texts.newToken,
  'revoke-tokens': texts.revokeTokens,
  'end-sign-ins': texts.endSignIns,
  activate: texts.activate,
  suspend: texts.suspend,
};
