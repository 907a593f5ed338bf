import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ADD_ACCOUNT, WALLET_TYPES } from '@munshi/api';
import { EffectDialog, fieldError, useWrite } from '@munshi/web-ui';
import { useState } from 'react';
import { useMethodName } from '../../method-names.tsx';
import { LIMITS, LimitFields, NO_LIMITS, useLimits } from './limit-fields.tsx';
import { QrAmount } from './qr-amount.tsx';
import type { TabProps } from './shown.ts';
import { texts } from './texts.ts';

const { newAccount: words } = texts;
type Method = (typeof WALLET_TYPES)[number];

/** Adds an account to a member, who may add their own as well. */
export function AddAccount({ member }: Pick<TabProps, 'member'>) {
  const [adding, setAdding] = useState(false);
  return (
    <>
      {member.allowedActions.includes('accounts') ? (
        <Button variant="default" onClick={() => setAdding(true)}>
          {words.add}
        </Button>
      ) : null}
      {adding ? <AddDialog member={member} onClose={() => setAdding(false)} /> : null}
    </>
  );
}

const BESIDE = ['accountNumber', 'accountTitle', 'qrPayload', ...LIMITS];

function AddDialog({ member, onClose }: Pick<TabProps, 'member'> & { onClose(): void }) {
  const { send, error } = useWrite(ADD_ACCOUNT);
  const nameOf = useMethodName();
  const [method, setMethod] = useState<Method>(WALLET_TYPES[0]);
  const [number, setNumber] = useState('');
  const [title, setTitle] = useState('');
  const [code, setCode] = useState('');
  const [withAmount, setWithAmount] = useState(true);
  const limits = useLimits(NO_LIMITS);
  const hasCode = code.trim() !== '';
  const body = {
    walletType: method,
    accountNumber: number.trim(),
    accountTitle: title.trim(),
    ...(hasCode && { qrPayload: code.trim(), qrAmount: withAmount }),
    ...Object.fromEntries(limits.changed.map((limit) => [limit, limits.of(limit)])),
  };
  return (
    <EffectDialog
      title={words.addTo(member.name)}
      button={words.add}
      ready={number.trim() !== '' && title.trim() !== '' && !limits.isWrong}
      beside={BESIDE}
      onClose={onClose}
      onSend={async () => {
        await send({ params: { memberId: member.memberId }, body });
        notifications.show({ message: words.added });
      }}
    >
      <p>{words.lead}</p>
      <Select
        label={texts.method}
        data={WALLET_TYPES.map((value) => ({ value, label: nameOf(value) }))}
        value={method}
        allowDeselect={false}
        data-autofocus
        onChange={(chosen) => setMethod((chosen as Method | null) ?? method)}
      />
      <TextInput
        label={texts.number}
        autoComplete="off"
        spellCheck={false}
        maxLength={50}
        error={fieldError(error, 'accountNumber')}
        value={number}
        onChange={({ currentTarget }) => setNumber(currentTarget.value)}
      />
      <TextInput
        label={texts.title}
        description={words.titleHint}
        autoComplete="off"
        maxLength={200}
        error={fieldError(error, 'accountTitle')}
        value={title}
        onChange={({ currentTarget }) => setTitle(currentTarget.value)}
      />
      <Textarea
        label={words.code}
        description={words.codeHint}
        autosize
        minRows={1}
        maxRows={5}
        spellCheck={false}
        error={fieldError(error, 'qrPayload')}
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
      {hasCode ? <QrAmount value={withAmount} onChange={setWithAmount} /> : null}
      <LimitFields limits={limits} error={error} />
    </EffectDialog>
  );
}
