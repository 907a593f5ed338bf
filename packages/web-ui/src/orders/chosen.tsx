import { Button } from '@mantine/core';
import { addMoney, amountText } from '@munshi/web';
import { Copy } from '../copy.tsx';
import classes from './orders.module.css';

interface Row {
  readonly orderReference: string;
  readonly amount: string;
  readonly currency: string;
}

/** What was chosen in the list: how much it is, and its references to paste elsewhere. */
export function Chosen({ rows, onClear }: { readonly rows: readonly Row[]; onClear(): void }) {
  if (rows.length === 0) return null;
  return (
    <div className={classes['chosen']} role="status">
      <strong className="number">
        {rows.length === 1 ? '1 order chosen' : `${rows.length.toLocaleString('en')} orders chosen`}
      </strong>
      <span className="number">{sumsOf(rows).join(' + ')}</span>
      <Copy
        value={rows.map(({ orderReference }) => orderReference).join('\n')}
        what="the references of these orders"
      >
        References
      </Copy>
      <Button variant="subtle" size="compact-sm" onClick={onClear}>
        Choose none
      </Button>
    </div>
  );
}

/** The amounts in each currency. */
function sumsOf(rows: readonly Row[]): readonly string[] {
  const byCurrency = Map.groupBy(rows, ({ currency }) => currency);
  return [...byCurrency].map(([currency, some]) =>
    amountText(
      some.reduce((sum, { amount }) => addMoney(sum, amount), '0'),
      currency,
    ),
  );
}
