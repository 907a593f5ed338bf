import type {
  LIST_ALL_DELIVERIES,
  PORTAL_LIST_DELIVERIES,
  PortalListedDelivery,
  SearchedDeliveriesView,
} from '@munshi/api';
import { type AsText, type RequestOf, timesOfDays } from '@munshi/web';
import type { ReactNode } from 'react';
import { type List, useList } from '../api.tsx';
import { type Column, DataTable } from '../data-table.tsx';
import { DaysFilter } from '../days-filter.tsx';
import { ChoiceFilter, FilterBar, SearchFilter } from '../filters.tsx';
import { Reference } from '../orders/reference.tsx';
import { WhatWasSearched } from '../searched.tsx';
import { day, type Filters, oneOf, text } from '../use-filters.ts';
import { useTimeZone, When } from '../when.tsx';
import { DeliveryStatus } from './delivery-status.tsx';
import { EVENT_NAMES, STATUS_NAMES } from './names.ts';

const STATUSES = ['pending', 'delivered', 'abandoned', 'superseded'] as const;
/** Those that fail are pending too. */
const OUTCOMES = STATUSES.map((value) => ({
  value,
  label: value === 'pending' ? 'Pending or failing' : STATUS_NAMES[value],
}));
const EVENTS = Object.keys(EVENT_NAMES) as (keyof typeof EVENT_NAMES)[];
const ANSWERS = ['400', '401', '403', '404', '429', '500', '502', '503'] as const;

/** What deliveries are found by. */
export const DELIVERY_FILTERS = {
  search: text(),
  host: text(),
  status: oneOf(STATUSES),
  eventType: oneOf(EVENTS),
  responseStatus: oneOf(ANSWERS),
  from: day(),
  to: day(),
};
type Chosen = Filters<typeof DELIVERY_FILTERS>;
type Delivery = AsText<PortalListedDelivery>;

/** The deliveries that fit. */
export function useDeliveries<E extends typeof LIST_ALL_DELIVERIES | typeof PORTAL_LIST_DELIVERIES>(
  endpoint: E,
  { responseStatus, from, to, ...others }: Chosen['values'] & { readonly merchantId?: string },
): ReturnType<typeof useList<E>> {
  const timeZone = useTimeZone();
  const query = {
    ...others,
    ...timesOfDays({ from, to }, timeZone),
    ...(responseStatus !== undefined && { responseStatus: Number(responseStatus) }),
  };
  return useList(endpoint, { query } as RequestOf<E>, { watch: ['delivery'] });
}

/** `children` follow the search. */
export function DeliveryFilterBar({
  chosen: { values, set, clear, count },
  children,
}: {
  readonly chosen: Chosen;
  readonly children?: ReactNode;
}) {
  const { search, status, eventType, responseStatus, from, to } = values;
  return (
    <FilterBar count={count} onClear={clear}>
      <SearchFilter
        label="Find a webhook"
        placeholder="Reference, id or URL"
        value={search}
        onChange={(next) => set({ search: next })}
      />
      {children}
      <ChoiceFilter
        label="Outcome"
        choices={OUTCOMES}
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
  readonly list: List<Row> & {
    readonly first: { readonly searched: AsText<SearchedDeliveriesView> | null } | undefined;
  };
  readonly filtered: boolean;
  /** Said where nothing was sent yet. */
  readonly none: string;
  /** After the outcome, such as whose it is. */
  readonly more?: readonly Column<Row>[];
}

export function DeliveryTable<Row extends Delivery>(props: TableProps<Row>) {
  const { list, filtered, none, more = [] } = props;
  const searched = list.first?.searched;
  return (
    <DataTable
      label="Deliveries"
      list={list}
      rowId={({ deliveryId }) => deliveryId}
      rowLabel={nameOf}
      href={({ deliveryId }) => `/deliveries/${deliveryId}`}
      empty={
        filtered ? (
          <>
            <p>No delivery matches these filters.</p>
            {searched ? <WhatWasSearched searched={searched} what="deliveries" /> : null}
          </>
        ) : (
          <p>{none}</p>
        )
      }
      columns={[...WHAT, ...more, ...HOW]}
    />
  );
}

const nameOf = ({ orderReference, eventType }: Delivery) =>
  orderReference ?? EVENT_NAMES[eventType];

const WHAT: readonly Column<Delivery>[] = [
  {
    id: 'order',
    header: 'Order',
    cell: ({ orderReference, eventType }) =>
      orderReference === null ? EVENT_NAMES[eventType] : <Reference reference={orderReference} />,
  },
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
