import { useState } from 'preact/hooks';
import { texts } from '../language.ts';
import { correctable, doTo } from '../outbox/actions.ts';
import { Sheet } from '../parts/sheet.tsx';
import { en, reasonOf } from '../texts/reasons.ts';
import { may, type Order } from '../work/orders.ts';
import { Amount, NotesToOperators, OwnAccount } from './facts.tsx';
import { sendNote } from './note.ts';
import { Reasons } from './reasons.tsx';
import { SendButton } from './send-button.tsx';

/** M5: assigned, and the customer has not paid. */
export function WaitOrder({ order, busy }: { readonly order: Order; readonly busy: boolean }) {
  const { order: words, giveBack } = texts.value;
  const [giving, setGiving] = useState(false);
  return (
    <>
      <Amount order={order} label={words.toCome} />
      <OwnAccount order={order} label={words.comesTo} />
      <p class="note calm">{words.doNotConfirm}</p>
      <NotesToOperators order={order} />
      {may(order, 'release') && !busy ? (
        <button type="button" class="quiet-link" onClick={() => setGiving(true)}>
          {giveBack.link}
        </button>
      ) : null}
      {giving ? <GiveBackSheet order={order} onClose={() => setGiving(false)} /> : null}
    </>
  );
}

function GiveBackSheet({ order, onClose }: { readonly order: Order; onClose(): void }) {
  const { giveBack, reject } = texts.value;
  const [reason, setReason] = useState(() =>
    reasonOf(en.giveBack, correctable(order.orderId, 'release')?.body.reason),
  );
  const send = async () => {
    if (reason === undefined) return null;
    await doTo(order, { kind: 'release', body: { reason: en.giveBack[reason] } });
    onClose();
    return null;
  };
  return (
    <Sheet title={giveBack.title} onClose={onClose}>
      <p>{giveBack.lead}</p>
      <Reasons
        legend={reject.why}
        reasons={giveBack.reasons}
        chosen={reason}
        onChoose={setReason}
      />
      <SendButton
        class="danger"
        label={giveBack.button}
        disabled={reason === undefined}
        send={send}
      />
    </Sheet>
  );
}

/** The money is there before the customer has said so. */
export const WaitAction = ({ order }: { readonly order: Order }) =>
  may(order, 'money-seen') && order.told.length === 0 ? (
    <SendButton
      class="secondary"
      label={texts.value.told.seeMoney}
      send={() => sendNote(order, { kind: 'moneySeen' })}
    />
  ) : null;
