import { Button, TextInput } from '@mantine/core';
import { CHANGE_MEMBER } from '@munshi/api';
import { Effect, EffectDialog, Effects, fieldError, useWrite } from '@munshi/web-ui';
import { type ReactNode, useState } from 'react';
import type { TabProps } from './shown.ts';
import { texts } from './texts.ts';
import { isCapacity, isUsername } from './typed.ts';

const { change: words } = texts;

/** Changes a member's name, username and capacity. */
export function ChangeMember({ member }: Pick<TabProps, 'member'>) {
  const [changing, setChanging] = useState(false);
  return (
    <>
      {member.allowedActions.includes('change') ? (
        <Button variant="default" onClick={() => setChanging(true)}>
          {words.open}
        </Button>
      ) : null}
      {changing ? <ChangeDialog member={member} onClose={() => setChanging(false)} /> : null}
    </>
  );
}

function ChangeDialog({ member, onClose }: Pick<TabProps, 'member'> & { onClose(): void }) {
  const { send, error } = useWrite(CHANGE_MEMBER);
  // As it was when the dialog opened, so that another operator's change meanwhile is not undone.
  const [before] = useState({
    name: member.name,
    username: member.username,
    maxOpenOrders: String(member.maxOpenOrders),
  });
  const [typed, setTyped] = useState(before);
  const [name, username, capacity] = [typed.name.trim(), typed.username, typed.maxOpenOrders];
  const changes: readonly (readonly [what: string, before: string, after: string])[] = [
    [words.name, before.name, name],
    [words.username, before.username, username],
    [
      words.capacity,
      before.maxOpenOrders,
      isCapacity(capacity) ? String(Number(capacity)) : capacity,
    ],
  ];
  const changed = changes.filter(([, was, becomes]) => was !== becomes);
  const isReady = changed.length > 0 && name !== '' && isUsername(username) && isCapacity(capacity);
  const body = {
    ...(name !== before.name && { name }),
    ...(username !== before.username && { username }),
    ...(capacity !== before.maxOpenOrders && { maxOpenOrders: Number(capacity) }),
  };
  const field = (which: keyof typeof before, wrong: string | null, hint?: ReactNode) => ({
    label: words[which === 'maxOpenOrders' ? 'capacity' : which],
    autoComplete: 'off',
    ...(hint !== undefined && { description: hint }),
    error: wrong ?? fieldError(error, which),
    value: typed[which],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setTyped({ ...typed, [which]: value }),
  });
  return (
    <EffectDialog
      title={words.title(member.name)}
      button={words.button}
      ready={isReady}
      beside={['name', 'username', 'maxOpenOrders']}
      onClose={onClose}
      onSend={() => send({ params: { memberId: member.memberId }, body })}
    >
      <TextInput
        {...field(
          'maxOpenOrders',
          isCapacity(capacity) ? null : words.capacityWrong,
          words.capacityHint(member.openOrders),
        )}
        inputMode="numeric"
        data-autofocus
      />
      <TextInput {...field('name', name === '' ? words.nameMissing : null)} maxLength={200} />
      <TextInput
        {...field(
          'username',
          isUsername(username) ? null : words.usernameWrong,
          words.usernameHint,
        )}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
      />
      {isReady ? (
        <Effects label={words.becomes}>
          {changed.map(([what, was, becomes]) => (
            <Effect key={what} what={what} before={was} after={becomes} />
          ))}
        </Effects>
      ) : null}
    </EffectDialog>
  );
}
