import { useState } from 'preact/hooks';
import { agoText, payableText } from '../format.ts';
import { texts } from '../language.ts';
import { correctable, doTo } from '../outbox/actions.ts';
import { PicturePicker } from '../outbox/lazy-pictures.ts';
import { Field } from '../parts/field.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { en } from '../texts/reasons.ts';
import type { Order } from '../work/orders.ts';
import { HoldButton } from './hold-button.tsx';
import { NOTHING_PICKED } from './picked.ts';
import { Reasons } from './reasons.tsx';

type Reason = keyof typeof en.reject;

/** No money has come: why, and twice asked. */
export function RejectSheet({ order, onClose }: { readonly order: Order; onClose(): void }) {
  const { reject } = texts.value;
  const [before] = useState(() => correctable(order.orderId, 'reject')?.body);
  const [reasonCode, setReasonCode] = useState<Reason | undefined>(before?.reasonCode ?? undefined);
  const [words, setWords] = useState(before?.reasonCode === 'other' ? before.reason : '');
  const [picked, setPicked] = useState(NOTHING_PICKED);
  const ready = reasonCode !== undefined && (reasonCode !== 'other' || words.trim() !== '');
  const send = async () => {
    if (reasonCode === undefined) return;
    const reason = words.trim() || en.reject[reasonCode];
    await doTo(order, { kind: 'reject', body: { reason, reasonCode } }, picked.contents);
    onClose();
  };
  return (
    <Sheet title={reject.title} onClose={onClose}>
      {order.sentAt === null ? null : <p>{reject.paidAgo(agoText(order.sentAt))}</p>}
      <Reasons
        legend={reject.why}
        reasons={reject.reasons}
        chosen={reasonCode}
        onChoose={setReasonCode}
      />
      {reasonCode === 'other' ? (
        <Field label={reject.words} value={words} onInput={setWords} input={{ maxlength: 500 }} />
      ) : null}
      <PicturePicker picked={picked} onPick={setPicked} />
      <p class="hint">{reject.sureLead}</p>
      <HoldButton
        key={`${reasonCode} ${ready}`} // another reason asks again
        tone="danger"
        label={reject.button(payableText(order))}
        sure={reject.sure[reasonCode ?? 'notReceived']}
        disabled={!ready || picked.reading}
        onDone={send}
      />
    </Sheet>
  );
}
