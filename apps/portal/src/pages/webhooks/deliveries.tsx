import { PORTAL_DELIVERIES, type PortalListedDelivery } from '@munshi/api';
import { type AsText, timesOfDays } from '@munshi/web';
import {
  ChoiceFilter,
  type Column,
  DataTable,
  DayFilter,
  DeliveryStatus,
  deliveryTexts,
  FilterBar,
  oneOf,
  SearchFilter,
  text,
  useFilters,
  useList,
  When,
} from '@munshi/web-ui';
import { texts } from './texts.ts';

const STATUSES = ['pending', 'delivered', 'abandoned', 'superseded'] as const;
const EVENTS = ['order.completed', 'order.failed', 'webhook.test'] as const;
const ANSWERS = ['400', '401', '403', '404', '429', '500', '502', '503'] as const;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const FILTERS = {
  id: text(),
  host: text(),
  status: oneOf(STATUSES),
  eventType: oneOf(EVENTS),
  responseStatus: oneOf(ANSWERS),
  from: text(),
  to: text(),
};

/** Every delivery, found by its id, its order, and how it ended. */
export function Deliveries() {
  const { values, set, clear, count } = useFilters(FILTERS);
  const { id, responseStatus, from, to, ...others } = values;
  const byDelivery = useList(
    PORTAL_DELIVERIES,
    {
      query: {
        ...others,
        ...timesOfDays({ from, to }),
        ...(responseStatus !== undefined && { responseStatus: Number(responseStatus) }),
        ...(id !== undefined && UUID.test(id) && { deliveryId: id }),
      },
    },
    { watch: ['delivery'] },
  );
  const isNone = id !== undefined && byDelivery.rows?.length === 0;
  const byOrder = useList(
    PORTAL_DELIVERIES,
    { query: { orderId: id ?? '' } },
    { enabled: isNone && UUID.test(id) },
  );
  return (
    <>
      <FilterBar count={count} onClear={clear}>
        <SearchFilter label={texts.find} value={id} onChange={(next) => set({ id: next })} />
        <ChoiceFilter
          label={texts.status}
          choices={STATUSES.map((value) => ({ value, label: deliveryTexts.statuses[value] }))}
          value={values.status}
          onChange={(status) => set({ status })}
        />
        <ChoiceFilter
          label={texts.event}
          choices={EVENTS.map((value) => ({ value, label: texts.events[value] }))}
          value={values.eventType}
          onChange={(eventType) => set({ eventType })}
        />
        <ChoiceFilter
          label={texts.answeredWith}
          choices={ANSWERS.map((value) => ({ value, label: value }))}
          value={responseStatus}
          onChange={(next) => set({ responseStatus: next })}
        />
        <DayFilter label={texts.from} value={from} onChange={(next) => set({ from: next })} />
        <DayFilter label={texts.until} value={to} onChange={(next) => set({ to: next })} />
      </FilterBar>
      <DataTable
        label={texts.deliveries}
        list={isNone && byOrder.rows !== undefined ? byOrder : byDelivery}
        rowId={({ deliveryId }) => deliveryId}
        rowLabel={({ orderReference, eventType }) => orderReference ?? texts.events[eventType]}
        href={({ deliveryId }) => `/deliveries/${deliveryId}`}
        empty={<p>{count > 0 ? texts.noneFound : texts.none}</p>}
        columns={COLUMNS}
      />
    </>
  );
}

const COLUMNS: readonly Column<AsText<PortalListedDelivery>>[] = [
  {
    id: 'order',
    header: texts.order,
    cell: ({ orderReference, eventType }) => orderReference ?? texts.events[eventType],
  },
  { id: 'event', header: texts.event, cell: ({ eventType }) => texts.events[eventType] },
  {
    id: 'status',
    header: texts.status,
    cell: ({ status, attemptsMade }) => (
      <DeliveryStatus status={status} attemptsMade={attemptsMade} />
    ),
  },
  { id: 'host', header: texts.receiver, cell: ({ host }) => host },
  {
    id: 'answer',
    header: texts.answered,
    cell: ({ lastAttempt }) =>
      lastAttempt === null ? null : (lastAttempt.responseStatus ?? texts.noAnswer),
  },
  {
    id: 'attempts',
    header: texts.attempts,
    align: 'end',
    cell: ({ attemptsMade }) => attemptsMade,
  },
  { id: 'made', header: texts.made, cell: ({ createdAt }) => <When at={createdAt} /> },
];
