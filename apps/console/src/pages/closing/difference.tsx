import { amountText, compareMoney, subtractMoney } from '@munshi/web';
import { Chip } from '@munshi/web-ui';

/** Counted less expected, by a word. */
export function Difference({ amount }: { readonly amount: string }) {
  const side = compareMoney(amount, '0');
  if (side === 0) return <Chip tone="done" label="Exact" />;
  return side > 0 ? (
    <Chip tone="needed" label={`Over by ${amountText(amount, 'PKR')}`} />
  ) : (
    <Chip tone="failed" label={`Short by ${amountText(subtractMoney('0', amount), 'PKR')}`} />
  );
}
