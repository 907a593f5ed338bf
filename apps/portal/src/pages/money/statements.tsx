import { PORTAL_LIST_STATEMENTS } from '@munshi/api';
import { Card, StatementsTable, useList } from '@munshi/web-ui';

export function Statements() {
  const list = useList(PORTAL_LIST_STATEMENTS, {}, { watch: ['wallet'] });
  return (
    <Card>
      <StatementsTable list={list} href={(month) => `/statements/${month}`} />
    </Card>
  );
}
