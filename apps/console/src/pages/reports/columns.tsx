import { addMoney, isZero } from '@munshi/web';
import { byMoney, type Column, Money } from '@munshi/web-ui';

interface AmountColumn<Row> {
  readonly id: string;
  readonly header: string;
  of(row: Row): string;
  /** A change: what is above zero has its sign. */
  readonly signed?: boolean;
  /** What the others come to. */
  readonly strong?: boolean;
}

/** Amounts of a report with their sum below them; what is nothing is quiet. */
export function amountColumn<Row>({
  id,
  header,
  of,
  signed = false,
  strong = false,
}: AmountColumn<Row>): Column<Row> {
  const shown = (amount: string) =>
    strong ? (
      <strong>
        <Money amount={amount} signed={signed} />
      </strong>
    ) : (
      <span {...(isZero(amount) && { className: 'quiet' })}>
        <Money amount={amount} signed={signed} />
      </span>
    );
  return {
    id,
    header,
    align: 'end',
    // On a phone what moved it, and what it came to.
    ...(id === 'opening' && { isChief: false }),
    ...(strong && { isChief: true }),
    compare: byMoney(of),
    cell: (row) => shown(of(row)),
    total: (rows) => shown(addMoney(...rows.map(of))),
  };
}
