import { plainDigits } from '@munshi/web';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isolated, payableText, shortAccount } from '../format.ts';
import { texts } from '../language.ts';
import { methodName, providerName } from '../methods.ts';
import { now } from '../now.ts';
import { correctable, doTo } from '../outbox/actions.ts';
import { referenceOf } from '../outbox/decisions.ts';
import { PicturePicker } from '../outbox/lazy-pictures.ts';
import { Field } from '../parts/field.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { AccountNumber } from '../parts/values.tsx';
import { may, type Order } from '../work/orders.ts';
import { Amount, Fact } from './facts.tsx';
import { HoldButton } from './hold-button.tsx';
import { ReportSheet } from './lazy-sheets.ts';
import { sendNote } from './note.ts';
import { NOTHING_PICKED } from './picked.ts';
import { SendButton } from './send-button.tsx';

/** Who begins a transfer with less left than this may not finish it in time. */
const SHORT_MS = 2 * 60_000;

/**
 * M7: a withdrawal that this member pays. Once its time is up it goes to another member, who pays it
 * too: then nothing on it leads to a transfer, also on a phone that has not heard of that yet.
 */
export function PayOrder({ order, busy }: { readonly order: Order; readonly busy: boolean }) {
  const { order: words, report, pay } = texts.value;
  const [reporting, setReporting] = useState(false);
  const left = order.dueAt === null ? SHORT_MS : Date.parse(order.dueAt) - now.value;
  const timeUp = left <= 0;
  return (
    <>
      <Amount order={order} label={timeUp ? words.withdrawal : words.toPay} tone="amber" />
      <div role="alert">
        {timeUp ? (
          <p class="note bad">{pay.timeUp}</p>
        ) : left < SHORT_MS ? (
          <p class="note warn">{pay.littleTime}</p>
        ) : null}
      </div>
      {timeUp ? null : <Transfer order={order} busy={busy} />}
      {may(order, 'report') && !busy ? (
        <button type="button" class="quiet-link bad" onClick={() => setReporting(true)}>
          {report.link}
        </button>
      ) : null}
      {reporting ? <ReportSheet order={order} onClose={() => setReporting(false)} /> : null}
    </>
  );
}

/** Where the money goes. */
function Transfer({ order, busy }: { readonly order: Order; readonly busy: boolean }) {
  const { order: words, told } = texts.value;
  const { customerAccountNumber: account, customerAccountName: name } = order;
  const once = (
    <p class="note warn">
      <span>
        {order.heldBefore ? <b>{words.heldBefore} </b> : null}
        {words.payOnce}
      </span>
    </p>
  );
  return (
    <>
      {order.heldBefore ? once : null}
      {account === null ? null : (
        <Fact label={words.payTo(methodName(order.walletType, order.currency))} copy={account}>
          <AccountNumber value={account} />
          <p class="hint">{words.openAndPaste(providerName(order.walletType, order.currency))}</p>
        </Fact>
      )}
      {name === null ? null : (
        <Fact label={words.customerName} copy={name}>
          <bdi>{name}</bdi>
        </Fact>
      )}
      {order.heldBefore ? null : once}
      {order.sendingSince !== null ? (
        <p class="note calm">{told.sending}</p>
      ) : may(order, 'sending') && !busy ? (
        <div class="spaced">
          <SendButton
            class="secondary"
            label={told.startSending}
            send={() => sendNote(order, { kind: 'sending' })}
          />
        </div>
      ) : null}
    </>
  );
}

export function PayAction({ order }: { readonly order: Order }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="primary good" onClick={() => setAsking(true)}>
        {texts.value.pay.button}
      </button>
      {asking ? <PaidSheet order={order} onClose={() => setAsking(false)} /> : null}
    </>
  );
}

/** The transaction's ID, read back before it is sent. One that was not accepted can be corrected. */
function PaidSheet({ order, onClose }: { readonly order: Order; onClose(): void }) {
  const { pay } = texts.value;
  const [typed, setTyped] = useState(
    () => referenceOf(correctable(order.orderId, 'confirm')) ?? '',
  );
  const [picked, setPicked] = useState(NOTHING_PICKED);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  const reference = typed.trim();
  const paste = async () => {
    const text = await navigator.clipboard.readText().catch(() => '');
    if (text !== '') setTyped(plainDigits(text.trim()).slice(0, 100));
    input.current?.focus();
  };
  const confirm = async () => {
    if (reference === '') return;
    const decision = { kind: 'confirm', body: { transactionReference: reference } } as const;
    await doTo(order, decision, picked.contents);
    onClose();
  };
  const money = payableText(order);
  return (
    <Sheet title={pay.title} onClose={onClose}>
      <div class="with-button">
        <Field
          label={pay.reference}
          hint={pay.referenceHint}
          value={typed}
          onInput={(text) => setTyped(plainDigits(text))}
          inputRef={input}
          input={{ autocomplete: 'off', autocapitalize: 'characters', dir: 'ltr', maxlength: 100 }}
        />
        <button type="button" class="secondary" onClick={() => void paste()}>
          {pay.paste}
        </button>
      </div>
      <PicturePicker picked={picked} onPick={setPicked} />
      <p class="hint">
        {reference === '' ? pay.missing : pay.sureLead(money, isolated(reference))}
      </p>
      <HoldButton
        key={String(reference === '')}
        label={pay.confirm(money)}
        sure={pay.sure(shortAccount(order.customerAccountNumber ?? ''))}
        disabled={reference === '' || picked.reading}
        onDone={confirm}
      />
    </Sheet>
  );
}
