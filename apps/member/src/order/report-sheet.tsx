import { useState } from 'preact/hooks';
import { payableText } from '../format.ts';
import { texts } from '../language.ts';
import { correctable, doTo } from '../outbox/actions.ts';
import { PicturePicker } from '../outbox/lazy-pictures.ts';
import { Sheet } from '../parts/sheet.tsx';
import { en, reasonOf } from '../texts/reasons.ts';
import { may, type Order } from '../work/orders.ts';
import { HoldButton } from './hold-button.tsx';
import { NOTHING_PICKED } from './picked.ts';
import { Reasons } from './reasons.tsx';
import { SendButton } from './send-button.tsx';
import { words } from './words.ts';

export interface SheetProps {
  readonly order: Order;
  onClose(): void;
}

/**
 * Something is wrong with a withdrawal: operations take it over. Who has begun to send it can no
 * longer say that nothing was sent: the merchant might pay it again.
 */
export function ReportSheet({ order, onClose }: SheetProps) {
  const { reject } = texts.value;
  const report = words.value;
  const [reason, setReason] = useState(() =>
    reasonOf(en.report, correctable(order.orderId, 'report')?.body.reason),
  );
  const [picked, setPicked] = useState(NOTHING_PICKED);
  const [cannot, setCannot] = useState(false);
  if (cannot) return <CannotPaySheet order={order} onClose={onClose} />;
  const send = async () => {
    if (reason === undefined) return null;
    await doTo(order, { kind: 'report', body: { reason: en.report[reason] } }, picked.contents);
    onClose();
    return null;
  };
  return (
    <Sheet title={report.title} onClose={onClose}>
      <p>{order.handedOver ? report.leadPaid : report.lead}</p>
      <Reasons legend={reject.why} reasons={report.reasons} chosen={reason} onChoose={setReason} />
      <PicturePicker picked={picked} onPick={setPicked} />
      <SendButton
        class="primary"
        label={report.button}
        disabled={reason === undefined || picked.reading}
        send={send}
      />
      {may(order, 'reject') && order.sendingSince === null ? (
        <button type="button" class="quiet-link bad" onClick={() => setCannot(true)}>
          {report.cannot}
        </button>
      ) : null}
    </Sheet>
  );
}

/** The withdrawal fails: said what that means for the customer. */
function CannotPaySheet({ order, onClose }: SheetProps) {
  const { reject } = texts.value;
  const report = words.value;
  const money = payableText(order);
  const send = async () => {
    await doTo(order, { kind: 'reject', body: { reason: en.cannotPay } });
    onClose();
  };
  return (
    <Sheet title={report.cannotTitle} onClose={onClose}>
      <p>{report.cannotLead(money)}</p>
      <HoldButton
        tone="danger"
        label={reject.button(money)}
        sure={report.cannotSure}
        onDone={send}
      />
    </Sheet>
  );
}
