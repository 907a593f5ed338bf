import { Button } from '@mantine/core';
import { LIST_MERCHANTS, type ListedMerchantView, MERCHANT_STATUSES } from '@munshi/api';
import type { AsText } from '@munshi/web';
import {
  Chip,
  ChoiceFilter,
  type Column,
  DataTable,
  FilterBar,
  Money,
  oneOf,
  Page,
  SearchFilter,
  text,
  useFilters,
  useList,
  When,
} from '@munshi/web-ui';
import { useState } from 'react';
import { may, useSession } from '../../session.tsx';
import { texts } from '../merchant/texts.ts';
import { AddMerchant } from './add-merchant.tsx';
import { MerchantStatus } from './status.tsx';

const FILTERS = { search: text(), status: oneOf(MERCHANT_STATUSES) };

/** The face counts no further. */
const COUNTED_MAX = 1_000;

const COLUMNS: readonly Column<AsText<ListedMerchantView>>[] = [
  { id: 'name', header: texts.name, cell: ({ name }) => name },
  {
    id: 'status',
    header: texts.status,
    cell: ({ status }) => <MerchantStatus status={status} />,
  },
  {
    id: 'available',
    header: `${texts.available}, PKR`,
    align: 'end',
    cell: ({ availableBalance }) => <Money amount={availableBalance} />,
  },
  {
    id: 'reserved',
    header: `${texts.reserved}, PKR`,
    align: 'end',
    cell: ({ reservedBalance }) => <Money amount={reservedBalance} />,
  },
  {
    id: 'orders',
    header: texts.ordersOfDay,
    align: 'end',
    cell: ({ ordersOfDay }) => (
      <span className="number">
        {ordersOfDay < COUNTED_MAX ? ordersOfDay : texts.atLeast(ordersOfDay)}
      </span>
    ),
  },
  {
    id: 'failing',
    header: texts.failingReceivers,
    cell: ({ failingReceivers }) =>
      failingReceivers === 0 ? null : (
        <Chip tone="failed" label={texts.failing(failingReceivers)} />
      ),
  },
  { id: 'created', header: texts.created, cell: ({ createdAt }) => <When at={createdAt} /> },
];

/** C10, the list. */
export default function MerchantsPage() {
  const { operator } = useSession();
  const { values, set, clear, count } = useFilters(FILTERS);
  const list = useList(LIST_MERCHANTS, { query: values }, { watch: ['setting', 'order'] });
  const [adding, setAdding] = useState(false);
  return (
    <Page
      title={texts.title}
      actions={
        may(operator, 'write') ? (
          <Button onClick={() => setAdding(true)}>{texts.add}</Button>
        ) : undefined
      }
    >
      <FilterBar count={count} onClear={clear}>
        <SearchFilter
          label={texts.search}
          value={values.search}
          onChange={(search) => set({ search })}
        />
        <ChoiceFilter
          label={texts.status}
          choices={MERCHANT_STATUSES.map((value) => ({ value, label: texts.statuses[value] }))}
          value={values.status}
          onChange={(status) => set({ status })}
        />
      </FilterBar>
      <DataTable
        label={texts.title}
        list={list}
        rowId={({ merchantId }) => merchantId}
        rowLabel={({ name }) => name}
        href={({ merchantId }) => `/merchants/${merchantId}`}
        empty={<p>{count > 0 ? texts.noneFound : texts.none}</p>}
        columns={COLUMNS}
      />
      {adding ? <AddMerchant onClose={() => setAdding(false)} /> : null}
    </Page>
  );
}
