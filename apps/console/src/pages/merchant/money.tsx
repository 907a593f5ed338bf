import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ADJUST_WALLET, type AdjustmentView, LIST_ADJUSTMENTS, READ_BALANCE } from '@munshi/api';
import { type AsText, amountText, isZero, readAmount } from '@munshi/web';
import {
  Card,
  Chip,
  type Column,
  DataTable,
  EffectDialog,
  Loaded,
  Money,
  useList,
  useRead,
  useWrite,
  When,
} from '@munshi/web-ui';
import { useState } from 'react';
import classes from './merchant.module.css';
import type { TabProps } from './page.tsx';
import { texts } from './texts.ts';

const KINDS = ['credit', 'debit', 'freeze', 'unfreeze'] as const;
type Kind = (typeof KINDS)[number];
const TONES = { applied: 'done', pendingApproval: 'needed', declined: 'over' } as const;

const COLUMNS: readonly Column<AsText<AdjustmentView>>[] = [
  { id: 'kind', header: texts.kindColumn, cell: ({ kind }) => texts.kinds[kind] },
  {
    id: 'amount',
    header: texts.amount,
    align: 'end',
    cell: ({ amount }) => <Money amount={amount} />,
  },
  {
    id: 'status',
    header: texts.status,
    cell: ({ status }) => <Chip tone={TONES[status]} label={texts.adjustmentStatuses[status]} />,
  },
  { id: 'reason', header: texts.reason, cell: ({ reason }) => reason },
  { id: 'when', header: texts.when, cell: ({ requestedAt }) => <When at={requestedAt} /> },
];

export function MoneyTab({ merchant }: TabProps) {
  const { merchantId, allowedActions } = merchant;
  const balance = useRead(READ_BALANCE, { params: { merchantId } }, { watch: ['order'] });
  const list = useList(LIST_ADJUSTMENTS, { query: { merchantId } }, { watch: ['approval'] });
  const [adjusting, setAdjusting] = useState(false);
  return (
    <>
      <Card
        title={texts.balance}
        actions={
          allowedActions.includes('adjustments') ? (
            <Button variant="default" size="xs" onClick={() => setAdjusting(true)}>
              {texts.adjust}
            </Button>
          ) : null
        }
      >
        <Loaded read={balance}>
          {({ data }) => (
            <>
              <dl className={classes['sums']}>
                {(
                  [
                    [texts.available, data.availableBalance],
                    [texts.reserved, data.reservedBalance],
                    [texts.wallet, data.walletBalance],
                    [texts.frozen, data.frozenBalance],
                  ] as const
                ).map(([name, amount]) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>
                      <Money amount={amount} currency={data.currency} large />
                    </dd>
                  </div>
                ))}
              </dl>
              <p className={classes['hint']}>{texts.sum}</p>
              {data.overdrawn ? <Chip tone="failed" label={texts.overdrawn} /> : null}
            </>
          )}
        </Loaded>
      </Card>
      <Card title={texts.adjustments}>
        <DataTable
          label={texts.adjustments}
          list={list}
          rowId={({ adjustmentId }) => adjustmentId}
          rowLabel={({ reason }) => reason}
          empty={<p>{texts.noAdjustments}</p>}
          columns={COLUMNS}
        />
      </Card>
      {adjusting ? <Adjust merchantId={merchantId} onClose={() => setAdjusting(false)} /> : null}
    </>
  );
}

function Adjust({ merchantId, onClose }: { readonly merchantId: string; onClose(): void }) {
  const { send } = useWrite(ADJUST_WALLET);
  const [kind, setKind] = useState<Kind>('credit');
  const [typed, setTyped] = useState('');
  const read = readAmount(typed);
  const amount = read === undefined || read.startsWith('-') || isZero(read) ? undefined : read;
  const request = (reason: string) => ({
    params: { merchantId },
    body: { kind, amount: amount ?? '', reason },
  });
  return (
    <EffectDialog
      title={texts.adjust}
      deed={texts
        .deed(texts.kinds[kind], amount === undefined ? '' : amountText(amount, 'PKR'))
        .trim()}
      danger={kind === 'debit' || kind === 'freeze'}
      ready={amount !== undefined}
      note={{ label: texts.reason }}
      onClose={onClose}
      onSend={async (reason) => {
        const { data } = await send(request(reason));
        if (data.status === 'pendingApproval') notifications.show({ message: texts.waits });
      }}
    >
      <SegmentedControl
        aria-label={texts.kind}
        value={kind}
        onChange={(next) => setKind(next as Kind)}
        data={KINDS.map((value) => ({ value, label: texts.kinds[value] }))}
      />
      <TextInput
        label={texts.amount}
        inputMode="decimal"
        autoComplete="off"
        data-autofocus
        value={typed}
        error={typed !== '' && amount === undefined ? texts.amountWrong : null}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </EffectDialog>
  );
}
