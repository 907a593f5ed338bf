import { PORTAL_EXPORT_ORDERS, PORTAL_LIST_ORDERS } from '@munshi/api';
import {
  filtersInWords,
  KindFilters,
  ORDER_FIELDS,
  ORDER_FILTERS,
  OrdersPage,
  RangeFilters,
  useFilters,
  useList,
  useOrderQuery,
} from '@munshi/web-ui';
import { Link } from 'wouter';
import { useMethodName } from '../../method-names.ts';
import { COLUMNS, SHOWN_AT_FIRST } from './columns.tsx';

/** P3: the orders of the merchant. */
export default function OwnOrders() {
  const filters = useFilters(ORDER_FILTERS);
  const { values, set } = filters;
  const query = useOrderQuery(values);
  const list = useList(PORTAL_LIST_ORDERS, { query }, { watch: ['order'] });
  const methodName = useMethodName();
  return (
    <OrdersPage
      filters={filters}
      query={query}
      list={list}
      csvPath={PORTAL_EXPORT_ORDERS.path}
      columns={COLUMNS}
      shownAtFirst={SHOWN_AT_FIRST}
      fields={ORDER_FIELDS}
      inWords={filtersInWords(values, methodName)}
      searchHint="Any reference or part of it, last four, or an amount"
      panel={
        <>
          <KindFilters values={values} set={set} methodName={methodName} />
          <RangeFilters values={values} set={set} />
        </>
      }
      none={
        <>
          <p>There are no orders yet. Your first signed request creates one.</p>
          <Link href="/developers">See how to send one</Link>
        </>
      }
    />
  );
}
