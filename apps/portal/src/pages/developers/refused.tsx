import { PORTAL_LIST_REFUSED_REQUESTS, type RefusedRequestView } from '@munshi/api';
import type { AsText } from '@munshi/web';
import { Card, type Column, DataTable, useList, When } from '@munshi/web-ui';
import { Link } from 'wouter';
import classes from './developers.module.css';

const COLUMNS: readonly Column<AsText<RefusedRequestView>>[] = [
  {
    id: 'request',
    header: 'Request',
    cell: ({ method, path }) => (
      <span className={classes['request']}>
        {method} {path}
      </span>
    ),
  },
  { id: 'status', header: 'Status', cell: ({ status }) => status },
  {
    id: 'code',
    header: 'Code',
    cell: ({ code }) => (
      <span>
        <strong>{code}</strong>{' '}
        {code.startsWith('SIGNATURE_') ? <Link href="/developers/signature">Check it</Link> : null}
      </span>
    ),
  },
  {
    id: 'fields',
    header: 'Field or header',
    cell: ({ fields }) => fields.map((field) => field.replace(/^\$\.?/, '')).join(', '),
  },
  { id: 'key', header: 'Key', cell: ({ keyPrefix }) => `mk_live_${keyPrefix}…` },
  {
    id: 'from',
    header: 'From',
    cell: ({ address }) => <span className="number">{address}</span>,
  },
  { id: 'when', header: 'When', cell: ({ at }) => <When at={at} /> },
];

/** Why requests of the last 7 days were refused. */
export function Refused() {
  const list = useList(PORTAL_LIST_REFUSED_REQUESTS, {}, { watch: ['refused'] });
  return (
    <Card>
      <p className={classes['hint']}>
        The newest 200 of the last 7 days, without bodies and secrets. Requests with an unknown key
        are not listed.
      </p>
      <DataTable
        label="Refused requests"
        list={list}
        rowId={({ refusedId }) => refusedId}
        rowLabel={({ code }) => code}
        empty={<p>No request was refused in the last 7 days.</p>}
        columns={COLUMNS}
      />
    </Card>
  );
}
