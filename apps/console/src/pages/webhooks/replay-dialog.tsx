import { TextInput } from '@mantine/core';
import { COUNT_REPLAY, REPLAY_WEBHOOKS } from '@munshi/api';
import { EffectDialog, Refusal, useRead, useWrite } from '@munshi/web-ui';
import { useState } from 'react';
import { MerchantPick } from '../../picks.tsx';

/** Says for how many orders webhooks are sent again, before it is done. */
export function ReplayDialog({
  merchantId: first,
  onClose,
}: {
  readonly merchantId: string | undefined;
  onClose(): void;
}) {
  const [merchantId, setMerchantId] = useState(first);
  const [typed, setTyped] = useState('');
  const at = Date.parse(typed);
  const since = Number.isNaN(at) ? '' : new Date(at).toISOString();
  const ready = merchantId !== undefined && since !== '';
  const query = { since, ...(merchantId !== undefined && { merchantId }) };
  const counted = useRead(COUNT_REPLAY, { query }, { enabled: ready });
  const replay = useWrite(REPLAY_WEBHOOKS);
  const count = counted.data?.data;
  return (
    <EffectDialog
      title="Send webhooks again"
      {...(count !== undefined && {
        button: `Send ${count.orders.toLocaleString('en')} ${count.orders === 1 ? 'webhook' : 'webhooks'} again`,
      })}
      ready={ready && count !== undefined && count.orders > 0}
      onClose={onClose}
      onSend={() =>
        replay.send({ body: { since, ...(merchantId !== undefined && { merchantId }) } })
      }
    >
      <p>
        For a receiver that has lost deliveries. Each order that had one since then gets a new one
        with its current outcome.
      </p>
      <MerchantPick required label="Merchant" value={merchantId} onChange={setMerchantId} />
      <TextInput
        type="datetime-local"
        withAsterisk
        label="Since"
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Refusal error={counted.error} />
      <strong role="status">
        {!ready
          ? 'Choose a merchant and a time.'
          : count === undefined
            ? 'Counting the orders…'
            : `${count.more ? 'More than ' : ''}${count.orders.toLocaleString('en')} ${count.orders === 1 && !count.more ? 'webhook is' : 'webhooks are'} sent again.`}
      </strong>
    </EffectDialog>
  );
}
