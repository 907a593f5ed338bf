import { PORTAL_EXPORT_ORDERS, PORTAL_LIST_ORDERS } from '@munshi/api';
import {
  filtersInWords,
  KindFilters,
  ORDER_FILTERS,
  OrdersPage,
  RangeFilters,
  useFilters,
  useList,
  useOrderQuery,
} from '@munshi/web-ui';
import { Link } from 'wouter';
import { useMethodName } from '../../method-names.tsx';
import { COLUMNS, SHOWN_AT_FIRST } from './columns.tsx';
import { texts } from './texts.ts';

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
      fields={texts.fields}
      inWords={filtersInWords(values, methodName)}
      searchHint={texts.searchHint}
      panel={
        <>
          <KindFilters values={values} set={set} methodName={methodName} />
          <RangeFilters values={values} set={set} />
        </>
      }
      none={
        <>
          <p>{texts.none}</p>
          <Link href="/developers">{texts.toDevelopers}</Link>
        </>
      }
    />
  );
}
