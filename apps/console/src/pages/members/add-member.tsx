import { Button, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { CREATE_MEMBER } from '@munshi/api';
import { EffectDialog, fieldError, useWrite } from '@munshi/web-ui';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { LinkDialog, useRecoveryLink } from '../member/recovery-link.tsx';
import { texts as memberTexts } from '../member/texts.ts';
import { isCapacity, isUsername } from '../member/typed.ts';
import { texts } from './texts.ts';

const { newMember: words } = texts;

interface Made {
  readonly memberId: string;
  readonly name: string;
  readonly link: string;
}

/** Adds a member, shows the link by which they choose their password, and goes on to their accounts. */
export function AddMember() {
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<Made | null>(null);
  const [, go] = useLocation();
  return (
    <>
      <Button onClick={() => setAdding(true)}>{words.add}</Button>
      {adding ? <AddDialog onMade={setMade} onClose={() => setAdding(false)} /> : null}
      {made === null ? null : (
        <LinkDialog {...made} onKept={() => go(`/members/${made.memberId}/accounts`)} />
      )}
    </>
  );
}

/** The service asks for a password. Nobody learns this one: the member chooses their own by the link. */
const unknownPassword = () => `${crypto.randomUUID()}${crypto.randomUUID()}`;

const CAPACITY = '10';

function AddDialog({ onMade, onClose }: { onMade(made: Made): void; onClose(): void }) {
  const create = useWrite(CREATE_MEMBER);
  const makeLink = useRecoveryLink();
  const [, go] = useLocation();
  const [password] = useState(unknownPassword);
  const [name, setName] = useState('');
  const [username, setUsername] = useState('');
  const [capacity, setCapacity] = useState(CAPACITY);
  const isUsernameWrong = username !== '' && !isUsername(username);
  const send = async () => {
    const body = { name: name.trim(), username, password, maxOpenOrders: Number(capacity) };
    const { memberId } = (await create.send({ body })).data;
    const link = await makeLink(memberId).catch(() => {
      notifications.show({ message: words.noLink });
      return null;
    });
    if (link === null) go(`/members/${memberId}/accounts`);
    else onMade({ memberId, name: body.name, link });
  };
  return (
    <EffectDialog
      title={words.add}
      ready={name.trim() !== '' && isUsername(username) && isCapacity(capacity)}
      beside={['name', 'username', 'maxOpenOrders']}
      onClose={onClose}
      onSend={send}
    >
      <p>{words.lead}</p>
      <TextInput
        label={texts.name}
        autoComplete="off"
        maxLength={200}
        data-autofocus
        error={fieldError(create.error, 'name')}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <TextInput
        label={memberTexts.change.username}
        description={memberTexts.change.usernameHint}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
        error={
          isUsernameWrong ? memberTexts.change.usernameWrong : fieldError(create.error, 'username')
        }
        value={username}
        onChange={({ currentTarget }) => setUsername(currentTarget.value)}
      />
      <TextInput
        label={memberTexts.change.capacity}
        description={words.capacityHint}
        autoComplete="off"
        inputMode="numeric"
        error={
          isCapacity(capacity)
            ? fieldError(create.error, 'maxOpenOrders')
            : memberTexts.change.capacityWrong
        }
        value={capacity}
        onChange={({ currentTarget }) => setCapacity(currentTarget.value)}
      />
    </EffectDialog>
  );
}
