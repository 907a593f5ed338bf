import { PORTAL_LIST_REFUSED_REQUESTS, type RefusedRequestView } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { Card, type Column, DataTable, useList, When } from '@munshi/web-ui';
import { Link } from 'wouter';
import classes from './developers.module.css';
import { texts } from './texts.ts';

const COLUMNS: readonly Column<AsText<RefusedRequestView>>[] = [
  {
    id: 'request',
    header: texts.request,
    cell: ({ method, path }) => (
      <span className={classes['request']}>
        {method} {path}
      </span>
    ),
  },
  { id: 'status', header: texts.status, cell: ({ status }) => status },
  {
    id: 'code',
    header: texts.code,
    cell: ({ code }) => (
      <span>
        <strong>{code}</strong>{' '}
        {code.startsWith('SIGNATURE_') ? (
          <Link href="/developers/signature">{texts.checkIt}</Link>
        ) : null}
      </span>
    ),
  },
  {
    id: 'fields',
    header: texts.fields,
    cell: ({ fields }) => fields.map((field) => field.replace(/^\$\.?/, '')).join(', '),
  },
  { id: 'key', header: texts.key, cell: ({ keyPrefix }) => `mk_live_${keyPrefix}…` },
  {
    id: 'from',
    header: texts.from,
    cell: ({ address }) => <span className="number">{address}</span>,
  },
  { id: 'when', header: texts.when, cell: ({ at }) => <When at={at} /> },
];

/** Why requests of the last 7 days were refused. */
export function Refused() {
  const list = useList(PORTAL_LIST_REFUSED_REQUESTS, {}, { watch: ['refused'] });
  return (
    <Card>
      <p className={classes['hint']}>{texts.refusedHint}</p>
      <DataTable
        label={texts.tabs.refused}
        list={list}
        rowId={({ refusedId }) => refusedId}
        rowLabel={({ code }) => code}
        empty={<p>{texts.noneRefused}</p>}
        columns={COLUMNS}
      />
    </Card>
  );
}
