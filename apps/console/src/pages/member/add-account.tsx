import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ADD_ACCOUNT, WALLET_TYPES } from '@munshi/api';
import {
  choiceField,
  EffectDialog,
  isAskedFor,
  linesField,
  optional,
  textField,
  useForm,
  useWrite,
} from '@munshi/web-ui';
import { useState } from 'react';
import { fieldLabel } from '../../field-names.ts';
import { useMethodName } from '../../method-names.ts';
import { ACCOUNT, NEW_ACCOUNT, namesShown } from './member-fields.ts';
import type { TabProps } from './shown.ts';

type Method = (typeof WALLET_TYPES)[number];

/** Adds an account to a member, who may add their own as well. */
export function AddAccount({ member, standing }: Pick<TabProps, 'member' | 'standing'>) {
  const [adding, setAdding] = useState(() => isAskedFor('account') && member.accounts.length === 0);
  return (
    <>
      {member.allowedActions.includes('accounts') ? (
        <Button variant="default" onClick={() => setAdding(true)}>
          Add an account
        </Button>
      ) : null}
      {adding ? (
        <AddDialog member={member} standing={standing} onClose={() => setAdding(false)} />
      ) : null}
    </>
  );
}

const EMPTY = {
  walletType: WALLET_TYPES[0] as Method,
  accountNumber: '',
  accountTitle: '',
  qrPayload: null,
  ...NEW_ACCOUNT,
};

function AddDialog({
  member,
  standing,
  onClose,
}: Pick<TabProps, 'member' | 'standing'> & { onClose(): void }) {
  const { send } = useWrite(ADD_ACCOUNT);
  const nameOf = useMethodName();
  const methods = Object.fromEntries(WALLET_TYPES.map((type) => [type, nameOf(type)]));
  const fields = {
    walletType: choiceField(methods as Record<Method, string>),
    accountNumber: textField({ maxLength: 50 }),
    accountTitle: textField({ maxLength: 200, hint: 'The name that customers see when they pay.' }),
    qrPayload: optional(
      linesField({ hint: 'Optional: the text in the code, as any reader of QR codes shows it.' }),
    ),
    ...ACCOUNT,
  };
  const form = useForm(fields, fieldLabel, EMPTY);
  return (
    <EffectDialog
      title={`Add an account for ${member.name}`}
      button="Add an account"
      ready={form.isWhole}
      beside={form.names}
      onClose={onClose}
      onSend={async () => {
        await send({ params: { memberId: member.memberId }, body: form.values });
        notifications.show({ message: 'The account is added and waits for approval.' });
      }}
    >
      {(refusal) => (
        <>
          <p>Customers pay to it once it is approved.</p>
          {form.show(refusal, namesShown(form.names, form.values, standing))}
        </>
      )}
    </EffectDialog>
  );
}
