import { Button } from '@mantine/core';
import { type AnswerOf, LIST_ALL_DELIVERIES, LIST_WEBHOOK_ENDPOINTS } from '@munshi/api';
import type { AsText } from '@munshi/web';
import {
  DELIVERY_FILTERS,
  DeliveryFilterBar,
  DeliveryTable,
  id,
  Page,
  Receivers,
  useDeliveries,
  useFilters,
  useList,
} from '@munshi/web-ui';
import X from 'lucide-react/icons/x';
import { useState } from 'react';
import { MerchantPick } from '../../picks.tsx';
import { may, useSession } from '../../session.tsx';
import { ReplayDialog } from './replay-dialog.tsx';
import classes from './webhooks.module.css';

type Receiver = AsText<AnswerOf<typeof LIST_WEBHOOK_ENDPOINTS>>['data'][number];

const FILTERS = { ...DELIVERY_FILTERS, merchantId: id() };

/** C9: how receivers do, and every delivery. */
export default function WebhooksPage() {
  const { operator } = useSession();
  const chosen = useFilters(FILTERS);
  const { values, set, count } = chosen;
  const list = useDeliveries(LIST_ALL_DELIVERIES, values);
  const [replaying, setReplaying] = useState(false);
  return (
    <Page
      title="Webhooks"
      actions={
        may(operator, 'write') ? (
          <Button variant="default" onClick={() => setReplaying(true)}>
            Replay…
          </Button>
        ) : null
      }
    >
      <h2 className={classes['heading']}>Receivers</h2>
      <AllReceivers onOpen={({ merchantId, host }) => set({ merchantId, host })} />
      <h2 className={classes['heading']}>Deliveries</h2>
      <DeliveryFilterBar chosen={chosen}>
        <div className={classes['pick']}>
          <MerchantPick
            bare
            label="Merchant"
            value={values.merchantId}
            onChange={(merchantId) => set({ merchantId })}
          />
        </div>
      </DeliveryFilterBar>
      {values.host === undefined ? null : (
        <p className={classes['host']}>
          Only what goes to <strong>{values.host}</strong>
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<X size={12} aria-hidden />}
            onClick={() => set({ host: undefined })}
          >
            Every receiver
          </Button>
        </p>
      )}
      <DeliveryTable
        list={list}
        filtered={count > 0}
        none="Nothing has been sent yet."
        more={[{ id: 'merchant', header: 'Merchant', cell: ({ merchantName }) => merchantName }]}
      />
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
      label="Receivers"
      list={list}
      rowId={({ merchantId, host }) => `${merchantId} ${host}`}
      more={[{ id: 'merchant', header: 'Merchant', cell: ({ merchantName }) => merchantName }]}
      onOpen={onOpen}
    />
  );
}
