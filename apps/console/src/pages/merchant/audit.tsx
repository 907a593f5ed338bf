import { type AuditView, LIST_AUDIT } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { type Column, DataTable, useList, When } from '@munshi/web-ui';
import { texts as auditTexts } from '../audit/texts.ts';
import type { TabProps } from './page.tsx';
import { texts } from './texts.ts';

const COLUMNS: readonly Column<AsText<AuditView>>[] = [
  { id: 'action', header: texts.action, cell: ({ action }) => auditTexts.actionOf(action) },
  { id: 'who', header: texts.who, cell: ({ actor }) => actor.name ?? actor.kind },
  { id: 'where', header: texts.where, cell: ({ actor }) => actor.address ?? '' },
  { id: 'when', header: texts.when, cell: ({ at }) => <When at={at} /> },
];

export function AuditTab({ merchant: { merchantId } }: TabProps) {
  const list = useList(LIST_AUDIT, { query: { target: merchantId } }, { watch: ['setting'] });
  return (
    <DataTable
      label={texts.tabs.audit}
      list={list}
      rowId={({ auditId }) => auditId}
      rowLabel={({ action }) => auditTexts.actionOf(action)}
      empty={<p>{texts.noAudit}</p>}
      columns={COLUMNS}
    />
  );
}
