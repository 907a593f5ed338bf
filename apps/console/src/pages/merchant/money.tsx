import { Button } from '@mantine/core';
import { type AdjustmentView, LIST_ADJUSTMENTS, READ_BALANCE } from '@munshi/api';
import type { AsText } from '@munshi/web';
import {
  Card,
  Chip,
  type Column,
  DataTable,
  Loaded,
  Money,
  useList,
  useRead,
  WalletSums,
  When,
} from '@munshi/web-ui';
import { useState } from 'react';
import { Adjust } from './adjust.tsx';
import { Movements } from './movements.tsx';
import type { TabProps } from './shown.ts';
import { texts } from './texts.ts';

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
  const balance = useRead(
    READ_BALANCE,
    { params: { merchantId } },
    { watch: ['order', 'approval'] },
  );
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
        <Loaded read={balance}>{({ data }) => <WalletSums balance={data} />}</Loaded>
      </Card>
      <Movements merchant={merchant} />
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
