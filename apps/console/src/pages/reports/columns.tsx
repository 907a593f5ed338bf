import { addMoney, isZero } from '@munshi/web';
import { type Column, Money } from '@munshi/web-ui';

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
        <Money amount={amount} signed={signed} aligned />
      </strong>
    ) : (
      <span {...(isZero(amount) && { className: 'quiet' })}>
        <Money amount={amount} signed={signed} aligned />
      </span>
    );
  return {
    id,
    header,
    align: 'end',
    cell: (row) => shown(of(row)),
    total: (rows) => shown(addMoney(...rows.map(of))),
  };
}
