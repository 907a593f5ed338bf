import { TextInput } from '@mantine/core';
import { COUNT_REPLAY, REPLAY_WEBHOOKS } from '@munshi/api';
import { EffectDialog, Refusal, useRead, useWrite } from '@munshi/web-ui';
import { useState } from 'react';
import { MerchantPick } from '../../picks.tsx';
import { texts } from './texts.ts';

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
      title={texts.replayTitle}
      {...(count !== undefined && { button: texts.replayButton(count.orders) })}
      ready={ready && count !== undefined && count.orders > 0}
      onClose={onClose}
      onSend={() =>
        replay.send({ body: { since, ...(merchantId !== undefined && { merchantId }) } })
      }
    >
      <p>{texts.replayLead}</p>
      <MerchantPick required label={texts.merchant} value={merchantId} onChange={setMerchantId} />
      <TextInput
        type="datetime-local"
        withAsterisk
        label={texts.since}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Refusal error={counted.error} />
      <strong role="status">
        {!ready
          ? texts.choose
          : count === undefined
            ? texts.counting
            : texts.wouldNotify(count.orders, count.more)}
      </strong>
    </EffectDialog>
  );
}
