import { Button } from '@mantine/core';
import type { AnswerOf } from '@munshi/api';
import { LIST_ALL_DELIVERIES, LIST_WEBHOOK_ENDPOINTS, type ListedDeliveryView } from '@munshi/api';
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
  Page,
  Receivers,
  SearchFilter,
  text,
  useFilters,
  useList,
  When,
} from '@munshi/web-ui';
import X from 'lucide-react/icons/x';
import { useState } from 'react';
import { MerchantPick } from '../../picks.tsx';
import { sees, useSession } from '../../session.tsx';
import { ViewsMenu } from '../../views-menu.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import { texts } from './texts.ts';
import classes from './webhooks.module.css';

type Receiver = AsText<AnswerOf<typeof LIST_WEBHOOK_ENDPOINTS>>['data'][number];
type Delivery = AsText<ListedDeliveryView>;

const STATUSES = ['pending', 'delivered', 'abandoned', 'superseded'] as const;
const EVENTS = ['order.completed', 'order.failed', 'webhook.test'] as const;
const ANSWERS = ['400', '401', '403', '404', '429', '500', '502', '503'] as const;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const FILTERS = {
  id: text(),
  merchantId: text(),
  host: text(),
  status: oneOf(STATUSES),
  eventType: oneOf(EVENTS),
  responseStatus: oneOf(ANSWERS),
  from: text(),
  to: text(),
};

/** C9: how receivers do, and every delivery. */
export default function WebhooksPage() {
  const { operator } = useSession();
  const { values, set, clear, count } = useFilters(FILTERS);
  const [replaying, setReplaying] = useState(false);
  return (
    <Page
      title={texts.title}
      actions={
        <>
          <ViewsMenu screen="deliveries" />
          {sees(operator, 'admin') ? (
            <Button variant="default" onClick={() => setReplaying(true)}>
              {texts.replay}
            </Button>
          ) : null}
        </>
      }
    >
      <h2 className={classes['heading']}>{texts.receivers}</h2>
      <AllReceivers onOpen={({ merchantId, host }) => set({ merchantId, host })} />
      <h2 className={classes['heading']}>{texts.deliveries}</h2>
      <FilterBar count={count} onClear={clear}>
        <SearchFilter label={texts.find} value={values.id} onChange={(id) => set({ id })} />
        <div className={classes['pick']}>
          <MerchantPick
            bare
            label={texts.merchant}
            value={values.merchantId}
            onChange={(merchantId) => set({ merchantId })}
          />
        </div>
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
          value={values.responseStatus}
          onChange={(responseStatus) => set({ responseStatus })}
        />
        <DayFilter label={texts.from} value={values.from} onChange={(from) => set({ from })} />
        <DayFilter label={texts.until} value={values.to} onChange={(to) => set({ to })} />
      </FilterBar>
      {values.host === undefined ? null : (
        <p className={classes['host']}>
          {texts.onlyTo} <strong>{values.host}</strong>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<X size={12} aria-hidden />}
            onClick={() => set({ host: undefined })}
          >
            {texts.everyReceiver}
          </Button>
        </p>
      )}
      <Deliveries values={values} filtered={count > 0} />
      {replaying ? (
        <ReplayDialog merchantId={values.merchantId} onClose={() => setReplaying(false)} />
      ) : null}
    </Page>
  );
}

function AllReceivers({ onOpen }: { onOpen(receiver: Receiver): void }) {
  const list = useList(LIST_WEBHOOK_ENDPOINTS, {}, { watch: ['delivery'] });
  return (
    <Receivers
      label={texts.receivers}
      list={list}
      rowId={({ merchantId, host }) => `${merchantId} ${host}`}
      more={[{ id: 'merchant', header: texts.merchant, cell: ({ merchantName }) => merchantName }]}
      onOpen={onOpen}
    />
  );
}

type Values = ReturnType<typeof useFilters<typeof FILTERS>>['values'];

function Deliveries({ values, filtered }: { readonly values: Values; readonly filtered: boolean }) {
  const { id, responseStatus, from, to, ...others } = values;
  const byDelivery = useList(
    LIST_ALL_DELIVERIES,
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
    LIST_ALL_DELIVERIES,
    { query: { orderId: id ?? '' } },
    { enabled: isNone && UUID.test(id) },
  );
  return (
    <DataTable
      label={texts.deliveries}
      list={isNone && byOrder.rows !== undefined ? byOrder : byDelivery}
      rowId={({ deliveryId }) => deliveryId}
      rowLabel={({ orderReference, eventType }) => orderReference ?? texts.events[eventType]}
      href={({ deliveryId }) => `/deliveries/${deliveryId}`}
      empty={<p>{filtered ? texts.noneFound : texts.noDeliveries}</p>}
      columns={DELIVERY_COLUMNS}
    />
  );
}

const DELIVERY_COLUMNS: readonly Column<Delivery>[] = [
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
  { id: 'merchant', header: texts.merchant, cell: ({ merchantName }) => merchantName },
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
