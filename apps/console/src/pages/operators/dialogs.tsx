import { NumberInput, PasswordInput, TextInput } from '@mantine/core';
import {
  CHANGE_OPERATOR,
  CREATE_OPERATOR,
  CREATE_OPERATOR_TOKEN,
  END_OPERATOR_SESSIONS,
  MAKE_OPERATOR_RECOVERY,
  type OperatorView,
  REMOVE_CODE,
  REVOKE_OPERATOR_TOKENS,
} from '@munshi/api';
import {
  CodeInput,
  choiceField,
  Effect,
  EffectDialog,
  Effects,
  nameField,
  type Secrets,
  useForm,
  usernameField,
  useWrite,
} from '@munshi/web-ui';
import { useState } from 'react';
import { texts as fieldTexts } from '../../changes-texts.ts';
import { EditDialog } from '../../edit-dialog.tsx';
import { useSession } from '../../session.tsx';
import { texts } from './texts.ts';

/** What a dialog has given: secrets with their title, or a sentence. */
export interface Given {
  readonly title?: string;
  readonly lead?: string;
  readonly secrets?: Secrets;
  readonly said?: string;
}

export type OperatorAction =
  | 'role'
  | 'rename'
  | 'recovery'
  | 'codes-off'
  | 'token'
  | 'revoke-tokens'
  | 'end-sign-ins'
  | 'activate'
  | 'suspend';

interface DialogProps {
  onGiven(given: Given): void;
  onClose(): void;
}
type ActionProps = DialogProps & { readonly operator: OperatorView };

/** What a write answers that waits for a second operator. */
const waits = (data: object): boolean => 'approvalId' in data;
const WAITING: Given = { said: texts.waiting };

const role = choiceField(texts.roleHints);
const NEW = { name: nameField, username: usernameField, role };

/** A new operator, and the link by which they choose their password. */
export function InviteDialog({ onGiven, onClose }: DialogProps) {
  const create = useWrite(CREATE_OPERATOR);
  const invite = useWrite(MAKE_OPERATOR_RECOVERY);
  const form = useForm(NEW, fieldTexts.field, { name: '', username: '', role: 'viewer' });
  const send = async () => {
    const { data } = await create.send({ body: form.values });
    if (!('operatorId' in data)) return onGiven(WAITING);
    const { operatorId, name } = data;
    const made = (await invite.send({ params: { operatorId } })).data;
    if (!('principalId' in made)) return onGiven(WAITING);
    onGiven({
      title: texts.invited(name),
      lead: texts.invitedLead,
      secrets: { link: made.link },
    });
  };
  return (
    <EffectDialog
      title={texts.invite}
      ready={form.isWhole}
      beside={form.names}
      onClose={onClose}
      onSend={send}
    >
      {(refusal) => (
        <>
          <p>{texts.inviteLead}</p>
          {form.show(refusal)}
        </>
      )}
    </EffectDialog>
  );
}

/** One action about an operator. */
export function ActionDialog({
  action,
  ...props
}: ActionProps & { readonly action: OperatorAction }) {
  switch (action) {
    case 'role':
      return <ChangeRole {...props} />;
    case 'rename':
      return <Rename {...props} />;
    case 'token':
      return <NewToken {...props} />;
    case 'recovery':
      return <Recovery {...props} />;
    case 'codes-off':
      return <CodesOff {...props} />;
    case 'revoke-tokens':
      return <RevokeTokens {...props} />;
    case 'end-sign-ins':
      return <EndSignIns {...props} />;
    case 'activate':
    case 'suspend':
      return <ChangeStatus {...props} status={action === 'activate' ? 'active' : 'suspended'} />;
  }
}

function ChangeRole({ operator, onClose }: ActionProps) {
  const { operatorId } = operator;
  return (
    <EditDialog
      title={texts.changeRoleOf(operator.name)}
      button={texts.changeRole}
      fields={{ role }}
      before={operator}
      endpoint={CHANGE_OPERATOR}
      request={(body) => ({ params: { operatorId }, body })}
      onClose={onClose}
    >
      <p>{texts.changeRoleLead}</p>
      <p className="quiet">{texts.secondOperator}</p>
    </EditDialog>
  );
}

function ChangeStatus({
  operator,
  status,
  onGiven,
  onClose,
}: ActionProps & { readonly status: OperatorView['status'] }) {
  const change = useWrite(CHANGE_OPERATOR);
  const { operatorId, name } = operator;
  const suspends = status === 'suspended';
  return (
    <EffectDialog
      title={suspends ? texts.suspendOf(name) : texts.activateOf(name)}
      danger={suspends}
      onClose={onClose}
      onSend={async () => {
        const { data } = await change.send({ params: { operatorId }, body: { status } });
        if (waits(data)) onGiven(WAITING);
      }}
    >
      <Effects label={texts.status}>
        <Effect
          what={name}
          before={texts.statuses[operator.status]}
          after={texts.statuses[status]}
        />
      </Effects>
      <p>{suspends ? texts.suspendLead : texts.activateLead}</p>
    </EffectDialog>
  );
}

function Rename({ operator, onClose }: ActionProps) {
  const { operatorId } = operator;
  return (
    <EditDialog
      title={texts.renameOf(operator.name)}
      button={texts.rename}
      fields={{ name: nameField }}
      before={operator}
      endpoint={CHANGE_OPERATOR}
      request={(body) => ({ params: { operatorId }, body })}
      onClose={onClose}
    />
  );
}

function Recovery({ operator, onGiven, onClose }: ActionProps) {
  const make = useWrite(MAKE_OPERATOR_RECOVERY);
  const { operatorId, name } = operator;
  return (
    <EffectDialog
      title={texts.recoveryOf(name)}
      button={texts.recovery}
      onClose={onClose}
      onSend={async () => {
        const { data } = await make.send({ params: { operatorId } });
        if (!('principalId' in data)) return onGiven(WAITING);
        const secrets = { link: data.link };
        onGiven({ title: texts.invited(name), lead: texts.invitedLead, secrets });
      }}
    >
      <p>{texts.recoveryLead}</p>
      <p className="quiet">{texts.secondOperator}</p>
    </EffectDialog>
  );
}

function CodesOff({ operator, onGiven, onClose }: ActionProps) {
  const remove = useWrite(REMOVE_CODE);
  const { operatorId, name } = operator;
  return (
    <EffectDialog
      title={texts.codesOffOf(name)}
      button={texts.codesOff}
      danger
      onClose={onClose}
      onSend={async () => {
        const { data } = await remove.send({ params: { operatorId } });
        if (waits(data)) onGiven(WAITING);
      }}
    >
      <p>{texts.codesOffLead}</p>
      <p className="quiet">{texts.secondOperator}</p>
    </EffectDialog>
  );
}

function RevokeTokens({ operator, onClose }: ActionProps) {
  const revoke = useWrite(REVOKE_OPERATOR_TOKENS);
  const { operatorId, name, tokens } = operator;
  return (
    <EffectDialog
      title={texts.revokeTokensOf(name)}
      button={texts.revokeTokens}
      danger
      onClose={onClose}
      onSend={() => revoke.send({ params: { operatorId } })}
    >
      <p>{texts.revokeTokensLead(tokens)}</p>
    </EffectDialog>
  );
}

function EndSignIns({ operator, onClose }: ActionProps) {
  const end = useWrite(END_OPERATOR_SESSIONS);
  const { operatorId, name } = operator;
  return (
    <EffectDialog
      title={texts.endSignInsOf(name)}
      button={texts.endSignIns}
      danger
      onClose={onClose}
      onSend={() => end.send({ params: { operatorId } })}
    >
      <p>{texts.endSignInsLead}</p>
    </EffectDialog>
  );
}

const DAYS_DEFAULT = 90;

function NewToken({ operator, onGiven, onClose }: ActionProps) {
  const make = useWrite(CREATE_OPERATOR_TOKEN);
  const [what, setWhat] = useState('');
  const [days, setDays] = useState(DAYS_DEFAULT);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { operatorId } = operator;
  const own = useSession().operator.operatorId === operatorId;
  const asksCode = own && operator.hasOneTimeCode;
  return (
    <EffectDialog
      title={texts.newTokenOf(operator.name)}
      button={texts.newToken}
      ready={what.trim() !== '' && (!own || password !== '') && (!asksCode || code !== '')}
      onClose={onClose}
      onSend={async () => {
        const body = {
          name: what,
          expiresInDays: days,
          ...(own && { currentPassword: password }),
          ...(asksCode && { oneTimeCode: code }),
        };
        const { data } = await make.send({ params: { operatorId }, body });
        onGiven('tokenId' in data ? { secrets: { token: data.token } } : WAITING);
      }}
    >
      <TextInput
        label={texts.tokenFor}
        data-autofocus
        maxLength={200}
        value={what}
        onChange={({ currentTarget }) => setWhat(currentTarget.value)}
      />
      <NumberInput
        label={texts.tokenDays}
        min={1}
        max={365}
        allowDecimal={false}
        value={days}
        onChange={(value) => setDays(Number(value) || DAYS_DEFAULT)}
      />
      {own ? (
        <PasswordInput
          label={texts.ownPassword}
          autoComplete="current-password"
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
      ) : null}
      {asksCode ? <CodeInput value={code} onChange={setCode} /> : null}
    </EffectDialog>
  );
}
