import { hasLetteredIds, roundedAmount } from '@munshi/web';
import type { ComponentChildren } from 'preact';
import { leftToRight, moneyText, payableText, timeText } from '../format.ts';
import { texts } from '../language.ts';
import { isQr, methodName } from '../methods.ts';
import { TickIcon, WarnIcon } from '../parts/icons.tsx';
import { CopyButton, Digits, Money, ReadOff } from '../parts/values.tsx';
import { type Order, shortReference } from '../work/orders.ts';

/** The large word and the amount, at the top of every order. */
export const Amount = ({
  order,
  label,
  tone = '',
}: {
  readonly order: Order;
  readonly label: string;
  readonly tone?: string;
}) => (
  <div class="headline">
    <p class={`label ${tone}`}>{label}</p>
    <p class="amount">
      <Money {...order} />
    </p>
    {roundedAmount(order) && (
      <p class="hint">
        {texts.value.order.number} {moneyText(order.amount, order.currency)}
      </p>
    )}
  </div>
);

interface FactProps {
  readonly label: string;
  readonly children: ComponentChildren;
  /** What the button below it copies. */
  readonly copy?: string;
  /** What to do with what was copied. */
  readonly hint?: string;
}

export const Fact = ({ label, children, copy, hint }: FactProps) => (
  <div class="card fact">
    <p class="label">{label}</p>
    <div class="value">{children}</div>
    {copy === undefined ? null : <CopyButton value={copy} what={label} />}
    {hint === undefined ? null : <p class="hint">{hint}</p>}
  </div>
);

/** The member's own account that the money comes to. */
export const OwnAccount = ({
  order: { account, currency },
  label,
}: {
  readonly order: Order;
  readonly label: (method: string) => string;
}) =>
  account === null ? null : (
    <Fact label={label(methodName(account.walletType, currency))} copy={account.accountNumber}>
      <ReadOff of={account.accountNumber} />
    </Fact>
  );

/** What the customer says the payment can be known by. */
export function PayerDigits({ order }: { readonly order: Order }) {
  const { order: words } = texts.value;
  const { currency, payerAccount, transactionDigits, walletType } = order;
  if (isQr(walletType) && payerAccount !== null)
    return (
      <Fact
        label={walletType === 'ProviderBQR' ? words.payerIban : words.payer}
        copy={payerAccount}
      >
        <ReadOff of={payerAccount} />
      </Fact>
    );
  if (transactionDigits === null) return null;
  return (
    <div class="card fact">
      <p class="label" id="digits">
        {words.digits}
      </p>
      <Digits of={transactionDigits} />
      {hasLetteredIds(currency) && transactionDigits.startsWith('0') && (
        <p class="hint">{words.digitsZeros}</p>
      )}
    </div>
  );
}

/** Other orders that may have been paid with the same payment, in one warning. */
export function Duplicates({ order }: { readonly order: Order }) {
  const { own, elsewhere } = order.duplicates;
  if (own.length === 0 && !elsewhere) return null;
  return (
    <p class="note warn">
      <WarnIcon size={18} /> <span>{duplicatesText(order)}</span>
    </p>
  );
}

function duplicatesText({ transactionDigits: digits, duplicates: { own, elsewhere } }: Order) {
  const { order: words } = texts.value;
  const named = own.map(
    ({ orderReference, sentAt, amount, currency }) =>
      [
        leftToRight(shortReference(orderReference)),
        timeText(sentAt),
        payableText({ orderType: 'Deposit', amount, currency }),
      ] as const,
  );
  const [only] = named;
  if (only === undefined) return words.duplicateElsewhere;
  if (named.length > 1 || elsewhere) {
    const others = elsewhere ? [words.duplicateOther] : [];
    const orders = [...named.map((each) => words.duplicateOf(...each)), ...others];
    return words.duplicates(orders.join(' · '));
  }
  return digits === null
    ? words.duplicateOwnPlain(...only)
    : words.duplicateOwn(leftToRight(digits), ...only);
}

/** What this member has said to operators of a deposit. */
export const NotesToOperators = ({ order: { told, currency } }: { readonly order: Order }) => (
  <>
    {told.map(({ kind, amount, at }) => (
      <p class="note calm" key={at}>
        <TickIcon size={18} />{' '}
        <span>
          {kind === 'moneySeen' || amount === null
            ? texts.value.told.moneySeen
            : texts.value.told.otherAmount(moneyText(amount, currency))}
        </span>
      </p>
    ))}
  </>
);

/** At the end of every order: what operators ask for. */
export const Reference = ({ order: { orderReference } }: { readonly order: Order }) => (
  <p class="hint reference-line">
    {texts.value.order.number} <ReadOff of={orderReference} />
  </p>
);
