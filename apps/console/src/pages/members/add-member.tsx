import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { CREATE_MEMBER } from '@munshi/api';
import { EffectDialog, useForm, useWrite } from '@munshi/web-ui';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { texts as fieldTexts } from '../../changes-texts.ts';
import { capacityField, NAMES } from '../member/member-fields.ts';
import { LinkDialog, useRecoveryLink } from '../member/recovery-link.tsx';
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

const FIELDS = { ...NAMES, maxOpenOrders: capacityField(words.capacityHint) };
const EMPTY = { name: '', username: '', maxOpenOrders: 10 };

function AddDialog({ onMade, onClose }: { onMade(made: Made): void; onClose(): void }) {
  const create = useWrite(CREATE_MEMBER);
  const makeLink = useRecoveryLink();
  const [, go] = useLocation();
  const [password] = useState(unknownPassword);
  const form = useForm(FIELDS, fieldTexts.field, EMPTY);
  const send = async () => {
    const { memberId, name } = (await create.send({ body: { ...form.values, password } })).data;
    const link = await makeLink(memberId).catch(() => {
      notifications.show({ message: words.noLink });
      return null;
    });
    if (link === null) go(`/members/${memberId}/accounts`);
    else onMade({ memberId, name, link });
  };
  return (
    <EffectDialog
      title={words.add}
      ready={form.isWhole}
      beside={form.names}
      onClose={onClose}
      onSend={send}
    >
      {(refusal) => (
        <>
          <p>{words.lead}</p>
          {form.show(refusal)}
        </>
      )}
    </EffectDialog>
  );
}
