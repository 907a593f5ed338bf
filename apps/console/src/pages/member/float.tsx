import { Button, TextInput } from '@mantine/core';
import {
  ADJUST_FLOAT,
  EXPORT_MEMBER_MOVEMENTS,
  LIST_MEMBER_MOVEMENTS,
  type MovementView,
} from '@munshi/api';
import { type AsText, amountText, isZero, readAmount } from '@munshi/web';
import {
  Card,
  type Column,
  CsvLink,
  DataTable,
  EffectDialog,
  type InternalNote,
  isAskedFor,
  Money,
  Reference,
  Refusal,
  useList,
  When,
} from '@munshi/web-ui';
import { useState } from 'react';
import { Link } from 'wouter';
import { EffectSummary } from '../../effects/effect-summary.tsx';
import { useAmountEffect } from '../../effects/use-amount-effect.ts';
import { sayIfItWaits } from '../../say-if-it-waits.tsx';
import classes from './member.module.css';
import type { TabProps } from './shown.ts';

const MOVED = { settlement: 'Order', float: 'Adjustment' };

const COLUMNS: readonly Column<AsText<MovementView>>[] = [
  { id: 'kind', header: 'What', cell: ({ kind }) => MOVED[kind] },
  {
    id: 'amount',
    header: 'Amount',
    align: 'end',
    cell: ({ amount }) => <Money amount={amount} signed />,
  },
  {
    id: 'order',
    header: 'Order',
    cell: ({ orderId, orderReference }) =>
      orderId === null ? null : (
        <Link href={`/orders/${orderId}`}>
          <Reference reference={orderReference ?? orderId} />
        </Link>
      ),
  },
  { id: 'note', header: 'Note', cell: ({ note }) => note },
  { id: 'when', header: 'When', cell: ({ at }) => <When at={at} /> },
];

/** What moved their float, and its adjustment. */
export function FloatTab({ member }: TabProps) {
  const { memberId, floatBalance, allowedActions } = member;
  const list = useList(LIST_MEMBER_MOVEMENTS, { params: { memberId } }, { watch: ['member'] });
  const [adjusting, setAdjusting] = useState(() => isAskedFor('float'));
  return (
    <Card
      title="Movements"
      actions={
        <div className={classes['actions']}>
          <CsvLink
            path={EXPORT_MEMBER_MOVEMENTS.path.replace(':memberId', memberId)}
            label="Save these movements as a CSV file"
            size="xs"
          />
          {allowedActions.includes('float-adjustments') ? (
            <Button variant="default" size="xs" onClick={() => setAdjusting(true)}>
              Adjust the float
            </Button>
          ) : null}
        </div>
      }
    >
      <p>
        <Money amount={floatBalance} currency="PKR" large />
      </p>
      <DataTable
        label="Movements"
        list={list}
        rowId={({ movementId }) => movementId}
        rowLabel={({ kind }) => MOVED[kind]}
        empty={<p>Nothing has moved their float yet.</p>}
        columns={COLUMNS}
      />
      {adjusting ? <Adjust member={member} onClose={() => setAdjusting(false)} /> : null}
    </Card>
  );
}

/** Adds to the float or takes from it, with what becomes of it. */
function Adjust({ member, onClose }: Pick<TabProps, 'member'> & { onClose(): void }) {
  const [typed, setTyped] = useState('');
  const read = readAmount(typed.replace('\u2212', '-'));
  const amount = read === undefined || isZero(read) ? undefined : read;
  const request = (of: string, reason: string, internal: InternalNote = {}) => ({
    params: { memberId: member.memberId },
    body: { amount: of, reason, ...internal },
  });
  const { effect, error, isShown, send } = useAmountEffect(ADJUST_FLOAT, amount, (of) =>
    request(of, '…'),
  );
  return (
    <EffectDialog
      title="Adjust the float"
      button={`Adjust the float ${amount === undefined ? '' : amountText(amount, 'PKR')}`.trim()}
      danger={amount?.startsWith('-') ?? false}
      wide={effect !== undefined}
      ready={isShown}
      note={{
        hint: 'The member reads this in the app. It is in the audit log, too.',
        internal: true,
      }}
      onClose={onClose}
      onSend={async (reason, internal) => {
        sayIfItWaits(await send(request(amount ?? '', reason, internal)));
      }}
    >
      <TextInput
        label="Amount"
        description="In PKR. With a minus sign it is taken from the float."
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        value={typed}
        error={
          typed !== '' && amount === undefined ? 'Enter an amount, such as 2500 or −500.' : null
        }
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      {effect === undefined ? null : <EffectSummary effect={effect} />}
      <Refusal error={error} />
    </EffectDialog>
  );
}
