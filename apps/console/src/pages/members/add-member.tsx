import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { CREATE_MEMBER, READ_SETTINGS } from '@munshi/api';
import { EffectDialog, isAskedFor, useForm, useRead, useWrite } from '@munshi/web-ui';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { fieldLabel } from '../../field-names.ts';
import { capacityField, NAMES, NEW_MEMBER_CAPACITY } from '../member/member-fields.ts';
import { LinkDialog, useRecoveryLink } from '../member/recovery-link.tsx';

interface Made {
  readonly memberId: string;
  readonly name: string;
  readonly link: string;
}

/** Adds a member, shows the link by which they choose their password, and goes on to their accounts. */
export function AddMember() {
  const [adding, setAdding] = useState(() => isAskedFor('member'));
  const [made, setMade] = useState<Made | null>(null);
  const [, go] = useLocation();
  return (
    <>
      <Button onClick={() => setAdding(true)}>Add a member</Button>
      {adding ? <AddDialog onMade={setMade} onClose={() => setAdding(false)} /> : null}
      {made === null ? null : (
        <LinkDialog {...made} onKept={() => go(`/members/${made.memberId}/accounts`)}>
          Once they have chosen their password by it, add their account and approve it.
        </LinkDialog>
      )}
    </>
  );
}

/** The service asks for a password. Nobody learns this one: the member chooses their own by the link. */
const unknownPassword = () => `${crypto.randomUUID()}${crypto.randomUUID()}`;

const FIELDS = {
  ...NAMES,
  maxOpenOrders: capacityField('Both kinds together. It can be changed at any time.'),
};
const EMPTY = { name: '', username: '', phone: null, maxOpenOrders: NEW_MEMBER_CAPACITY };

function AddDialog({ onMade, onClose }: { onMade(made: Made): void; onClose(): void }) {
  const create = useWrite(CREATE_MEMBER);
  const [, makeLink] = useRecoveryLink(); // nobody is there yet of whom it could be asked
  const settings = useRead(READ_SETTINGS, {}, { watch: ['setting'] }).data?.data;
  const [, go] = useLocation();
  const [password] = useState(unknownPassword);
  const form = useForm(FIELDS, fieldLabel, EMPTY);
  const send = async () => {
    const { memberId, name } = (await create.send({ body: { ...form.values, password } })).data;
    const link = await makeLink(memberId).catch(() => {
      notifications.show({ message: 'The member is added, but no link was made. Make it here.' });
      return null;
    });
    if (link === null) go(`/members/${memberId}/accounts`);
    else onMade({ memberId, name, link });
  };
  return (
    <EffectDialog
      title="Add a member"
      ready={form.isWhole}
      beside={form.names}
      onClose={onClose}
      onSend={send}
    >
      {(refusal) => (
        <>
          <p>
            You send them a link, by which they choose their password. Their account is approved
            after that; for deposits they need float.
          </p>
          {settings?.requireSecondOperator ? (
            <p>The link waits for a second operator. Once it is approved, you fetch it.</p>
          ) : null}
          {form.show(refusal)}
        </>
      )}
    </EffectDialog>
  );
}
