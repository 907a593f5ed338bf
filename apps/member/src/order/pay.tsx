import { PAYMENT_TEXT_MAX, plainDigits, readPaymentText } from '@munshi/web';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isolated, payableText, shortAccount } from '../format.ts';
import { texts } from '../language.ts';
import { kindOf, methodName, providerName } from '../methods.ts';
import { now } from '../now.ts';
import { correctable, doTo } from '../outbox/actions.ts';
import { referenceOf } from '../outbox/decisions.ts';
import { PicturePicker } from '../outbox/lazy-pictures.ts';
import { Field } from '../parts/field.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { Exact, ReadOff } from '../parts/values.tsx';
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
  const { order: words, pay } = texts.value;
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
          {words.isWrong}
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
        <Fact
          label={words.payTo(methodName(order.walletType, order.currency))}
          copy={account}
          hint={openAndPaste(order, account)}
        >
          <ReadOff of={account} />
        </Fact>
      )}
      {name === null ? null : (
        <Fact label={words.customerName} copy={name}>
          <Exact>{name}</Exact>
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

/** Which app takes the account: a UPI ID is of no wallet. */
function openAndPaste({ walletType, currency }: Order, account: string): string {
  const { upi, bank, wallet } = texts.value.order.openAndPaste;
  if (account.includes('@')) return upi;
  return kindOf(walletType) === 'bank' ? bank : wallet(providerName(walletType, currency));
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

/** What is longer and names no ID is a message, and is not sent. */
const TYPED_MAX = 40;

/** The transaction's ID, read back before it is sent. One that was not accepted can be corrected. */
function PaidSheet({ order, onClose }: { readonly order: Order; onClose(): void }) {
  const { pay } = texts.value;
  const [typed, setTyped] = useState(
    () => referenceOf(correctable(order.orderId, 'confirm')) ?? '',
  );
  /** The IDs of a pasted text that did not have one: none, or several to choose from. */
  const [found, setFound] = useState<readonly string[]>();
  const [picked, setPicked] = useState(NOTHING_PICKED);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => input.current?.focus(), []);
  const reference = typed.trim();
  const take = (id: string) => {
    setTyped(id);
    setFound(undefined);
    input.current?.focus();
  };
  const read = (text: string) => {
    const { ids } = readPaymentText(text);
    const [id = text.length > TYPED_MAX ? undefined : plainDigits(text.trim())] = ids;
    if (id !== undefined && ids.length < 2) return take(id);
    setTyped('');
    setFound(ids);
  };
  const paste = async () => {
    const text = await navigator.clipboard.readText().catch(() => '');
    if (text !== '') read(text);
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
          error={found?.length === 0 ? pay.noId : undefined}
          onInput={(text) =>
            text.length - typed.length > 1 ? read(text) : setTyped(plainDigits(text).slice(0, 100))
          }
          inputRef={input}
          input={{
            autocomplete: 'off',
            autocapitalize: 'characters',
            dir: 'ltr',
            maxlength: PAYMENT_TEXT_MAX,
          }}
        />
        <button type="button" class="secondary" onClick={() => void paste()}>
          {pay.paste}
        </button>
      </div>
      {found?.[0] === undefined ? null : (
        <>
          <p class="note warn" role="alert">
            {pay.whichId}
          </p>
          {found.map((id) => (
            <button type="button" class="secondary spaced" key={id} onClick={() => take(id)}>
              <bdi dir="ltr" translate={false}>
                {id}
              </bdi>
            </button>
          ))}
        </>
      )}
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
