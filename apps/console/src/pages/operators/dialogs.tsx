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
import { type ReactNode, useState } from 'react';
import { EditDialog } from '../../edit-dialog.tsx';
import { useMayWait } from '../../effects/use-may-wait.tsx';
import { fieldLabel } from '../../field-names.ts';
import { whatWaits } from '../../say-if-it-waits.tsx';
import { useSession } from '../../session.tsx';
import { ROLE_HINTS, STATUSES } from './names.ts';

/** What a dialog has given: secrets with their title, or that it waits. */
export interface Given {
  readonly title?: string;
  readonly lead?: string;
  readonly secrets?: Secrets;
  readonly said?: ReactNode;
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

/** Approvers are made on the server. */
const { approver: _, ...GIVEN } = ROLE_HINTS;
const role = choiceField(GIVEN);
const NEW = { name: nameField, username: usernameField, role };

/** A new operator, and the link by which they choose their password. */
export function InviteDialog({ onGiven, onClose }: DialogProps) {
  const [ifItWaits, create] = useMayWait(CREATE_OPERATOR);
  const [, invite] = useMayWait(MAKE_OPERATOR_RECOVERY); // it waits where the first does
  const form = useForm(NEW, fieldLabel, { name: '', username: '', role: 'viewer' });
  const send = async () => {
    const { data } = await create({ body: form.values });
    if (!('operatorId' in data)) return onGiven({ said: whatWaits(data) });
    const { operatorId, name } = data;
    const made = (await invite({ params: { operatorId } })).data;
    if (!('principalId' in made)) return onGiven({ said: whatWaits(made) });
    onGiven({
      title: `Send this link to ${name}`,
      lead: 'It works once, within 24 hours. Whoever has it can sign in: send it only to them.',
      secrets: { link: made.link },
    });
  };
  return (
    <EffectDialog
      title="Invite an operator"
      ready={form.isWhole}
      beside={form.names}
      onClose={onClose}
      onSend={send}
    >
      {(refusal) => (
        <>
          <p>They get a link with which they choose their own password.</p>
          {form.show(refusal)}
          {ifItWaits(form.isWhole ? { body: form.values } : null)}
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
      title={`Change the role of ${operator.name}`}
      button="Change role"
      fields={{ role }}
      before={operator as { role: keyof typeof GIVEN }} // an approver’s can only be lowered
      endpoint={CHANGE_OPERATOR}
      request={(body) => ({ params: { operatorId }, body })}
      onClose={onClose}
    >
      <p>They are signed out. If the new role is lower, their pending requests are dropped.</p>
    </EditDialog>
  );
}

function ChangeStatus({
  operator,
  status,
  onGiven,
  onClose,
}: ActionProps & { readonly status: OperatorView['status'] }) {
  const [ifItWaits, change] = useMayWait(CHANGE_OPERATOR);
  const { operatorId, name } = operator;
  const request = { params: { operatorId }, body: { status } };
  const suspends = status === 'suspended';
  return (
    <EffectDialog
      title={suspends ? `Suspend ${name}` : `Activate ${name}`}
      danger={suspends}
      onClose={onClose}
      onSend={async () => {
        const { data } = await change(request);
        onGiven({ said: whatWaits(data) });
      }}
    >
      <Effects label="Status">
        <Effect what={name} before={STATUSES[operator.status]} after={STATUSES[status]} />
      </Effects>
      <p>
        {suspends
          ? 'They are signed out at once, and their pending requests are dropped.'
          : 'They can sign in again.'}
      </p>
      {ifItWaits(request)}
    </EffectDialog>
  );
}

function Rename({ operator, onClose }: ActionProps) {
  const { operatorId } = operator;
  return (
    <EditDialog
      title={`Rename ${operator.name}`}
      button="Rename"
      fields={{ name: nameField }}
      before={operator}
      endpoint={CHANGE_OPERATOR}
      request={(body) => ({ params: { operatorId }, body })}
      onClose={onClose}
    />
  );
}

function Recovery({ operator, onGiven, onClose }: ActionProps) {
  const [ifItWaits, make] = useMayWait(MAKE_OPERATOR_RECOVERY);
  const { operatorId, name } = operator;
  return (
    <EffectDialog
      title={`Make a recovery link for ${name}`}
      button="Make a recovery link"
      onClose={onClose}
      onSend={async () => {
        const { data } = await make({ params: { operatorId } });
        if (!('principalId' in data)) return onGiven({ said: whatWaits(data) });
        const secrets = { link: data.link };
        onGiven({
          title: `Send this link to ${name}`,
          lead: 'It works once, within 24 hours. Whoever has it can sign in: send it only to them.',
          secrets,
        });
      }}
    >
      <p>
        For a forgotten password or a lost phone. They are signed out now. Using the link turns
        their one-time codes off.
      </p>
      {ifItWaits({ params: { operatorId } })}
    </EffectDialog>
  );
}

function CodesOff({ operator, onGiven, onClose }: ActionProps) {
  const [ifItWaits, remove] = useMayWait(REMOVE_CODE);
  const { operatorId, name } = operator;
  return (
    <EffectDialog
      title={`Turn the one-time codes of ${name} off`}
      button="Turn codes off"
      danger
      onClose={onClose}
      onSend={async () => {
        const { data } = await remove({ params: { operatorId } });
        onGiven({ said: whatWaits(data) });
      }}
    >
      <p>They are signed out, and then need only their password.</p>
      {ifItWaits({ params: { operatorId } })}
    </EffectDialog>
  );
}

function RevokeTokens({ operator, onClose }: ActionProps) {
  const revoke = useWrite(REVOKE_OPERATOR_TOKENS);
  const { operatorId, name, tokens } = operator;
  return (
    <EffectDialog
      title={`Revoke the script tokens of ${name}`}
      button="Revoke script tokens"
      danger
      onClose={onClose}
      onSend={() => revoke.send({ params: { operatorId } })}
    >
      <p>
        {tokens === 1
          ? 'One script stops working at once.'
          : `${tokens} scripts stop working at once.`}
      </p>
    </EffectDialog>
  );
}

function EndSignIns({ operator, onClose }: ActionProps) {
  const end = useWrite(END_OPERATOR_SESSIONS);
  const { operatorId, name } = operator;
  return (
    <EffectDialog
      title={`End the sign-ins of ${name}`}
      button="End sign-ins"
      danger
      onClose={onClose}
      onSend={() => end.send({ params: { operatorId } })}
    >
      <p>
        They are signed out at once, and script tokens that they made end. With their password they
        can sign in again: suspend them to prevent that.
      </p>
    </EffectDialog>
  );
}

const DAYS_DEFAULT = 90;

function NewToken({ operator, onGiven, onClose }: ActionProps) {
  const [ifItWaits, make] = useMayWait(CREATE_OPERATOR_TOKEN);
  const [what, setWhat] = useState('');
  const [days, setDays] = useState(DAYS_DEFAULT);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { operatorId } = operator;
  const own = useSession().operator.operatorId === operatorId;
  const asksCode = own && operator.hasOneTimeCode;
  return (
    <EffectDialog
      title={`New script token for ${operator.name}`}
      button="New script token"
      ready={what.trim() !== '' && (!own || password !== '') && (!asksCode || code !== '')}
      onClose={onClose}
      onSend={async () => {
        const body = {
          name: what,
          expiresInDays: days,
          ...(own && { currentPassword: password }),
          ...(asksCode && { oneTimeCode: code }),
        };
        const { data } = await make({ params: { operatorId }, body });
        onGiven('tokenId' in data ? { secrets: { token: data.token } } : { said: whatWaits(data) });
      }}
    >
      <TextInput
        label="What it is for"
        data-autofocus
        maxLength={200}
        value={what}
        onChange={({ currentTarget }) => setWhat(currentTarget.value)}
      />
      <NumberInput
        label="Days until it ends"
        min={1}
        max={365}
        allowDecimal={false}
        value={days}
        onChange={(value) => setDays(Number(value) || DAYS_DEFAULT)}
      />
      {own ? (
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
      ) : null}
      {asksCode ? <CodeInput value={code} onChange={setCode} /> : null}
      {ifItWaits({ params: { operatorId }, body: { name: 'x', expiresInDays: days } })}
    </EffectDialog>
  );
}
