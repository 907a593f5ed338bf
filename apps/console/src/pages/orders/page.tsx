import { COUNT_ORDERS, EXPORT_ORDERS, LIST_ORDERS } from '@munshi/api';
import { OrdersPage, useFilters, useList, useRead } from '@munshi/web-ui';
import { ViewsMenu } from '../../views-menu.tsx';
import { COLUMNS, SHOWN_AT_FIRST } from './columns.tsx';
import { FilterFields } from './filter-fields.tsx';
import { FIELDS, FILTERS, useInWords, useOperatorsQuery } from './filters.ts';

/** C4: the orders of all merchants. */
export default function AllOrders() {
  const filters = useFilters(FILTERS);
  const query = useOperatorsQuery(filters.values);
  const list = useList(LIST_ORDERS, { query }, keptUp(query));
  return (
    <OrdersPage
      filters={filters}
      query={query}
      list={list}
      csvPath={EXPORT_ORDERS.path}
      columns={COLUMNS}
      shownAtFirst={SHOWN_AT_FIRST}
      fields={FIELDS}
      inWords={useInWords(filters.values)}
      searchHint="Reference, name, last four, account, digits, 2500 or 2500 10:40"
      panel={<FilterFields values={filters.values} set={filters.set} />}
      actions={<ViewsMenu />}
      count={<Count query={query} />}
      none={<p>There is no order yet. Merchants make them.</p>}
    />
  );
}

type Query = ReturnType<typeof useOperatorsQuery>;
const keptUp = ({ dueWithinMinutes }: Query) => ({
  watch: ['order'],
  changesWithTime: dueWithinMinutes !== undefined,
});

/** How many there are; nothing where counting takes too long. */
function Count({ query }: { readonly query: Query }) {
  const read = useRead(COUNT_ORDERS, { query }, keptUp(query));
  const counted = read.data?.data;
  return (
    <strong role="status" className="number">
      {counted !== undefined
        ? `${counted.more ? 'More than ' : ''}${counted.count.toLocaleString('en')} ${counted.count === 1 ? 'order' : 'orders'}`
        : read.error === null
          ? 'Counting'
          : ''}
    </strong>
  );
}
