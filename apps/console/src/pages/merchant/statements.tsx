import { LIST_STATEMENTS } from '@munshi/api';
import { Card, StatementsTable, useList } from '@munshi/web-ui';
import type { TabProps } from './shown.ts';

export function Statements({ merchant: { merchantId } }: TabProps) {
  const params = { merchantId };
  const list = useList(LIST_STATEMENTS, { params }, { watch: ['order', 'approval'] });
  return (
    <Card>
      <StatementsTable
        list={list}
        href={(month) => `/merchants/${merchantId}/statements/${month}`}
      />
    </Card>
  );
}
