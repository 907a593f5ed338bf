import type {
  LIST_ALL_DELIVERIES,
  PORTAL_LIST_DELIVERIES,
  PortalListedDelivery,
} from '@munshi/api';
import { type AsText, type RequestOf, timesOfDays } from '@munshi/web';
import type { ReactNode } from 'react';
import { type List, useList } from '../api.tsx';
import { type Column, DataTable } from '../data-table.tsx';
import { DaysFilter } from '../days-filter.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../filters.tsx';
import { day, type Filters, oneOf, text } from '../use-filters.ts';
import { useTimeZone, When } from '../when.tsx';
import { DeliveryStatus } from './delivery-status.tsx';
import { EVENT_NAMES, STATUS_NAMES } from './names.ts';

const STATUSES = ['pending', 'delivered', 'abandoned', 'superseded'] as const;
const EVENTS = Object.keys(EVENT_NAMES) as (keyof typeof EVENT_NAMES)[];
const ANSWERS = ['400', '401', '403', '404', '429', '500', '502', '503'] as const;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What deliveries are found by. */
export const DELIVERY_FILTERS = {
  id: text(),
  host: text(),
  status: oneOf(STATUSES),
  eventType: oneOf(EVENTS),
  responseStatus: oneOf(ANSWERS),
  from: day(),
  to: day(),
};
type Chosen = Filters<typeof DELIVERY_FILTERS>;
type Delivery = AsText<PortalListedDelivery>;

/**
 * The deliveries that fit. Where none has the id, it may be an order's; a text that is no id has
 * none.
 */
export function useDeliveries<E extends typeof LIST_ALL_DELIVERIES | typeof PORTAL_LIST_DELIVERIES>(
  endpoint: E,
  {
    id: typed,
    responseStatus,
    from,
    to,
    ...others
  }: Chosen['values'] & { readonly merchantId?: string },
): ReturnType<typeof useList<E>> {
  const timeZone = useTimeZone();
  const id = typed?.trim();
  const isSearched = id !== undefined;
  const isId = isSearched && UUID.test(id);
  const query = {
    ...others,
    ...timesOfDays({ from, to }, timeZone),
    ...(responseStatus !== undefined && { responseStatus: Number(responseStatus) }),
  };
  const useFound = (what: object, enabled: boolean) =>
    useList(endpoint, { query: { ...query, ...what } } as RequestOf<E>, {
      watch: ['delivery'],
      enabled,
    });
  const byDelivery = useFound(isId ? { deliveryId: id } : {}, isId || !isSearched);
  const isNone = isId && byDelivery.rows?.length === 0;
  const byOrder = useFound({ orderId: id }, isNone);
  if (isSearched && !isId) return { ...byDelivery, rows: [], error: null, hasMore: false };
  return isNone ? byOrder : byDelivery;
}

/** `children` follow the search. */
export function DeliveryFilterBar({
  chosen: { values, set, clear, count },
  children,
}: {
  readonly chosen: Chosen;
  readonly children?: ReactNode;
}) {
  const { id, status, eventType, responseStatus, from, to } = values;
  return (
    <FilterBar count={count} onClear={clear}>
      <SearchFilter
        label="Delivery or order id"
        value={id}
        onChange={(next) => set({ id: next })}
      />
      {children}
      <ChoiceFilter
        label="Outcome"
        choices={STATUSES.map((value) => ({ value, label: STATUS_NAMES[value] }))}
        value={status}
        onChange={(next) => set({ status: next })}
      />
      <ChoiceFilter
        label="Event"
        choices={EVENTS.map((value) => ({ value, label: EVENT_NAMES[value] }))}
        value={eventType}
        onChange={(next) => set({ eventType: next })}
      />
      <ChoiceFilter
        label="Answered with"
        choices={ANSWERS.map((value) => ({ value, label: value }))}
        value={responseStatus}
        onChange={(next) => set({ responseStatus: next })}
      />
      <DaysFilter from={from} to={to} set={set} />
    </FilterBar>
  );
}

interface TableProps<Row extends Delivery> {
  readonly list: List<Row>;
  readonly filtered: boolean;
  /** Said where nothing was sent yet. */
  readonly none: string;
  /** After the outcome, such as whose it is. */
  readonly more?: readonly Column<Row>[];
}

export function DeliveryTable<Row extends Delivery>(props: TableProps<Row>) {
  const { list, filtered, none, more = [] } = props;
  return (
    <DataTable
      label="Deliveries"
      list={list}
      rowId={({ deliveryId }) => deliveryId}
      rowLabel={nameOf}
      href={({ deliveryId }) => `/deliveries/${deliveryId}`}
      empty={
        <p>
          {filtered ? 'No delivery matches these filters. An id is found when it is whole.' : none}
        </p>
      }
      columns={[...WHAT, ...more, ...HOW]}
    />
  );
}

const nameOf = ({ orderReference, eventType }: Delivery) =>
  orderReference ?? EVENT_NAMES[eventType];

const WHAT: readonly Column<Delivery>[] = [
  { id: 'order', header: 'Order', cell: nameOf },
  { id: 'event', header: 'Event', cell: ({ eventType }) => EVENT_NAMES[eventType] },
  {
    id: 'status',
    header: 'Outcome',
    cell: ({ status, attemptsMade }) => (
      <DeliveryStatus status={status} attemptsMade={attemptsMade} />
    ),
  },
];
const HOW: readonly Column<Delivery>[] = [
  { id: 'host', header: 'Receiver', cell: ({ host }) => host },
  {
    id: 'answer',
    header: 'Answered',
    cell: ({ lastAttempt }) =>
      lastAttempt === null ? null : (lastAttempt.responseStatus ?? 'No answer'),
  },
  {
    id: 'attempts',
    header: 'Attempts',
    align: 'end',
    cell: ({ attemptsMade }) => attemptsMade,
  },
  { id: 'made', header: 'Made', cell: ({ createdAt }) => <When at={createdAt} /> },
];
