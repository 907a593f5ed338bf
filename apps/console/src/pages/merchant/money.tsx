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
import { Part } from './part.tsx';
import { KINDS, type TabProps } from './shown.ts';
import { Statements } from './statements.tsx';

const ADJUSTMENT_STATUSES = {
  applied: 'Applied',
  pendingApproval: 'Waits for approval',
  declined: 'Declined',
};

const TONES = { applied: 'done', pendingApproval: 'needed', declined: 'over' } as const;

const COLUMNS: readonly Column<AsText<AdjustmentView>>[] = [
  { id: 'kind', header: 'Kind', cell: ({ kind }) => KINDS[kind] },
  {
    id: 'amount',
    header: 'Amount, PKR',
    align: 'end',
    cell: ({ amount }) => <Money amount={amount} />,
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status }) => <Chip tone={TONES[status]} label={ADJUSTMENT_STATUSES[status]} />,
  },
  { id: 'reason', header: 'Reason', cell: ({ reason }) => reason },
  { id: 'when', header: 'When', cell: ({ requestedAt }) => <When at={requestedAt} /> },
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
        title="Balance"
        actions={
          allowedActions.includes('adjustments') ? (
            <Button variant="default" size="xs" onClick={() => setAdjusting(true)}>
              Adjust the wallet
            </Button>
          ) : null
        }
      >
        <Loaded read={balance}>{({ data }) => <WalletSums balance={data} />}</Loaded>
      </Card>
      <Movements merchant={merchant} />
      <Card title="Adjustments">
        <DataTable
          label="Adjustments"
          list={list}
          rowId={({ adjustmentId }) => adjustmentId}
          rowLabel={({ reason }) => reason}
          empty={<p>Nobody has adjusted this wallet.</p>}
          columns={COLUMNS}
        />
      </Card>
      <Part id="statements" title="Statements">
        <Statements merchant={merchant} />
      </Part>
      {adjusting ? <Adjust merchantId={merchantId} onClose={() => setAdjusting(false)} /> : null}
    </>
  );
}
