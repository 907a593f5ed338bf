import { Button } from '@mantine/core';
import { LIST_MERCHANTS, type ListedMerchantView, MERCHANT_STATUSES } from '@munshi/api';
import type { AsText } from '@munshi/web';
import {
  byMoney,
  byNumber,
  byText,
  byTime,
  Chip,
  ChoiceFilter,
  type Column,
  DataTable,
  FilterBar,
  isAskedFor,
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
import { STATUSES } from '../merchant/shown.ts';
import { AddMerchant } from './add-merchant.tsx';
import { MerchantStatus } from './status.tsx';

const FILTERS = { search: text(), status: oneOf(MERCHANT_STATUSES) };

/** The face counts no further. */
const COUNTED_MAX = 1_000;

const COLUMNS: readonly Column<AsText<ListedMerchantView>>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name, compare: byText(({ name }) => name) },
  {
    id: 'status',
    header: 'Status',
    compare: byText(({ status }) => status),
    cell: ({ status }) => <MerchantStatus status={status} />,
  },
  {
    id: 'available',
    header: 'Available, PKR',
    align: 'end',
    compare: byMoney(({ availableBalance }) => availableBalance),
    cell: ({ availableBalance }) => <Money amount={availableBalance} />,
  },
  {
    id: 'reserved',
    header: 'Reserved, PKR',
    align: 'end',
    compare: byMoney(({ reservedBalance }) => reservedBalance),
    cell: ({ reservedBalance }) => <Money amount={reservedBalance} />,
  },
  {
    id: 'orders',
    header: 'Orders, 24 h',
    align: 'end',
    compare: byNumber(({ ordersOfDay }) => ordersOfDay),
    cell: ({ ordersOfDay }) => (
      <span className="number">{ordersOfDay < COUNTED_MAX ? ordersOfDay : `${ordersOfDay}+`}</span>
    ),
  },
  {
    id: 'failing',
    header: 'Webhooks',
    compare: byNumber(({ failingReceivers }) => failingReceivers),
    cell: ({ failingReceivers }) =>
      failingReceivers === 0 ? null : (
        <Chip
          tone="failed"
          label={failingReceivers === 1 ? 'Failing' : `${failingReceivers} receivers failing`}
        />
      ),
  },
  {
    id: 'created',
    header: 'Added',
    compare: byTime(({ createdAt }) => createdAt),
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
];

/** C10, the list. */
export default function MerchantsPage() {
  const { operator } = useSession();
  const { values, set, clear, count } = useFilters(FILTERS);
  const list = useList(LIST_MERCHANTS, { query: values }, { watch: ['setting', 'order'] });
  const [adding, setAdding] = useState(() => isAskedFor('merchant'));
  return (
    <Page
      title="Merchants"
      actions={
        may(operator, 'write') ? (
          <Button onClick={() => setAdding(true)}>Add a merchant</Button>
        ) : undefined
      }
    >
      <FilterBar count={count} onClear={clear}>
        <SearchFilter
          label="Find a merchant by name or phone"
          value={values.search}
          onChange={(search) => set({ search })}
        />
        <ChoiceFilter
          label="Status"
          choices={MERCHANT_STATUSES.map((value) => ({ value, label: STATUSES[value] }))}
          value={values.status}
          onChange={(status) => set({ status })}
        />
      </FilterBar>
      <DataTable
        label="Merchants"
        list={list}
        rowId={({ merchantId }) => merchantId}
        rowLabel={({ name }) => name}
        href={({ merchantId }) => `/merchants/${merchantId}`}
        empty={
          <p>{count > 0 ? 'No merchant matches these filters.' : 'There are no merchants yet.'}</p>
        }
        columns={COLUMNS}
      />
      {adding ? <AddMerchant onClose={() => setAdding(false)} /> : null}
    </Page>
  );
}
