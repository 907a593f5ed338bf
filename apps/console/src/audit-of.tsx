import { type AuditView, LIST_AUDIT } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { type Column, DataTable, useList, When } from '@munshi/web-ui';
import { texts } from './pages/audit/texts.ts';

const COLUMNS: readonly Column<AsText<AuditView>>[] = [
  { id: 'action', header: texts.what, cell: ({ action }) => texts.actionOf(action) },
  { id: 'who', header: texts.who, cell: ({ actor }) => actor.name ?? actor.kind },
  { id: 'where', header: texts.where, cell: ({ actor }) => actor.address ?? '' },
  { id: 'when', header: texts.when, cell: ({ at }) => <When at={at} /> },
];

/** What is recorded about one thing: a merchant, a member. */
export function AuditOf({
  target,
  watch,
  label,
  empty,
}: {
  readonly target: string;
  readonly watch: string;
  readonly label: string;
  readonly empty: string;
}) {
  const list = useList(LIST_AUDIT, { query: { target } }, { watch: [watch] });
  return (
    <DataTable
      label={label}
      list={list}
      rowId={({ auditId }) => auditId}
      rowLabel={({ action }) => texts.actionOf(action)}
      empty={<p>{empty}</p>}
      columns={COLUMNS}
    />
  );
}
