import { COUNT_REPLAY, REPLAY_WEBHOOKS } from '@munshi/api';
import { localTime } from '@munshi/web';
import { ReplayDialog as Dialog, useRead, useWrite } from '@munshi/web-ui';
import { useState } from 'react';
import { MerchantPick } from '../../picks.tsx';

/** Asks whose webhooks are sent again, and since when. */
export function ReplayDialog({
  merchantId: first,
  onClose,
}: {
  readonly merchantId: string | undefined;
  onClose(): void;
}) {
  const [merchantId, setMerchantId] = useState(first);
  const [typed, setTyped] = useState('');
  const since = localTime(typed) ?? '';
  const ready = merchantId !== undefined && since !== '';
  const asked = { since, ...(merchantId !== undefined && { merchantId }) };
  const counted = useRead(COUNT_REPLAY, { query: asked }, { enabled: ready });
  const replay = useWrite(REPLAY_WEBHOOKS);
  return (
    <Dialog
      typed={typed}
      onType={setTyped}
      missing={ready ? undefined : 'Choose a merchant and a time.'}
      counted={counted}
      onSend={() => replay.send({ body: asked })}
      onClose={onClose}
    >
      <MerchantPick required label="Merchant" value={merchantId} onChange={setMerchantId} />
    </Dialog>
  );
}
