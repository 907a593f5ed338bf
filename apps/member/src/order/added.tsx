import { leftToRight, moneyText } from '../format.ts';
import { texts } from '../language.ts';
import type { Order } from '../work/orders.ts';

/** What the customer has said since they confirmed: word for word, to be looked for in the app. */
export function Added({ order: { added, currency } }: { readonly order: Order }) {
  const { added: words } = texts.value;
  if (added === null) return null;
  const { formerDigits, amountSent, paidBy, pictures } = added;
  const lines = [
    formerDigits === null ? null : words.formerDigits(leftToRight(formerDigits)),
    amountSent === null ? null : words.amountSent(moneyText(amountSent, currency)),
    paidBy === null ? null : words.paidBy(`\u2068${paidBy}\u2069`),
    pictures === 0 ? null : words.picture,
  ].filter((line) => line !== null);
  return (
    <div class="note calm">
      <div>
        {lines.map((line) => (
          <div key={line}>{line}</div>
        ))}
      </div>
    </div>
  );
}
