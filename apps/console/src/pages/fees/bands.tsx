import { Button } from '@mantine/core';
import type { OrderView } from '@munshi/api';
import { compareMoney, groupedAmount, isZero, shareOf } from '@munshi/web';
import classes from './fees.module.css';
import { bandText, feeText, type Rule } from './rule-text.ts';

const MARKS = {
  inForce: 'In force',
  newBand: 'New',
  replaced: 'Replaced by the new one',
  overlaps: 'Overlap: not allowed',
  noRule: 'No rule here',
};

type Band = Pick<Rule, 'fromAmount' | 'toAmount'>;

/** Whose rules of which kind a band stands among. */
export interface Slot {
  readonly merchantId: string | undefined;
  readonly orderType: OrderView['orderType'];
  readonly walletType: OrderView['walletType'];
}

export const slotOf = ({ merchantId, orderType, walletType }: Rule): Slot => ({
  merchantId: merchantId ?? undefined,
  orderType,
  walletType,
});

/** What a part of the line is. */
type Mark = 'inForce' | 'newBand' | 'replaced' | 'overlaps' | 'noRule';

/** A part of the line, from one end of a band to the next; null: without an end. */
interface Part {
  readonly from: string;
  readonly to: string | null;
  readonly mark: Mark;
}

interface BandsProps {
  /** Those in force for the slot. */
  readonly rules: readonly Rule[];
  readonly band: Band;
  /** Starts from one of them. */
  onChoose(rule: Rule): void;
}

/** The bands in force on a line, drawn to scale, with the new one among them. */
export function Bands({ rules: rows, band, onChoose }: BandsProps) {
  const parts = partsOf(rows, band);
  const marks = (Object.keys(MARKS) as Mark[]).filter((mark) =>
    parts.some((part) => part.mark === mark),
  );
  return (
    <section aria-label="Bands in force" className={classes['bands']}>
      <h3>Bands in force</h3>
      <Line parts={parts} />
      <ul className={classes['legend']}>
        {marks.map((mark) => (
          <li key={mark}>
            <span className={classes['part']} data-mark={mark} aria-hidden />
            {MARKS[mark]}:{' '}
            {parts
              .filter((part) => part.mark === mark)
              .map(({ from, to }) =>
                bandText({ fromAmount: isZero(from) ? null : from, toAmount: to }),
              )
              .join('; ')}
          </li>
        ))}
      </ul>
      {rows.length === 0 ? null : (
        <ul className={classes['known']}>
          {rows.map((rule) => (
            <li key={rule.feeRuleId}>
              {bandText(rule)}: <strong>{feeText(rule)}</strong>{' '}
              <Button size="compact-xs" variant="subtle" onClick={() => onChoose(rule)}>
                Change it
              </Button>
            </li>
          ))}
        </ul>
      )}
      {marks.includes('overlaps') ? (
        <p role="alert">
          The band overlaps another one. Choose the same band to replace it, or end it first.
        </p>
      ) : null}
    </section>
  );
}

/** What is beyond the last end of a band has this part of the line. */
const TAIL = 0.2;
/** Ends that are nearer than this to the one before are not written under the line. */
const WRITTEN_APART = 0.12;

function Line({ parts }: { readonly parts: readonly Part[] }) {
  const last = parts.at(-1)?.from ?? '0';
  const at = (amount: string | null) =>
    amount === null ? 1 : isZero(last) ? 0 : shareOf(amount, last) * (1 - TAIL);
  const written: string[] = [];
  for (const { from } of parts) {
    const before = written.at(-1);
    if (before === undefined || at(from) - at(before) >= WRITTEN_APART) written.push(from);
  }
  return (
    <div className={classes['line']} aria-hidden>
      {parts.map(({ from, to, mark }) => (
        <span
          key={from}
          className={classes['part']}
          data-mark={mark}
          style={{ insetInlineStart: percent(at(from)), width: percent(at(to) - at(from)) }}
        />
      ))}
      {written.map((end) => (
        <span key={end} className={classes['end']} style={{ insetInlineStart: percent(at(end)) }}>
          {groupedAmount(end)}
        </span>
      ))}
    </div>
  );
}

const percent = (share: number) => `${share * 100}%`;

/** The line in parts: each is in the same bands from its beginning to its end. */
function partsOf(rules: readonly Band[], band: Band): readonly Part[] {
  const ends = [
    '0',
    ...[...rules, band].flatMap(({ fromAmount, toAmount }) => [fromAmount, toAmount]),
  ]
    .filter((end) => end !== null)
    .toSorted(compareMoney)
    .filter((end, index, all) => index === 0 || compareMoney(end, all[index - 1] as string) !== 0);
  return ends.map((from, index) => {
    const rule = rules.find((each) => covers(each, from));
    const mark = markOf(rule, covers(band, from) ? band : undefined);
    return { from, to: ends[index + 1] ?? null, mark };
  });
}

const covers = ({ fromAmount, toAmount }: Band, amount: string): boolean =>
  compareMoney(fromAmount ?? '0', amount) <= 0 &&
  (toAmount === null || compareMoney(amount, toAmount) < 0);

/** The same band is replaced; any other that shares an amount overlaps, which is refused. */
function markOf(rule: Band | undefined, added: Band | undefined): Mark {
  if (rule === undefined) return added === undefined ? 'noRule' : 'newBand';
  if (added === undefined) return 'inForce';
  return isSameBand(rule, added) ? 'replaced' : 'overlaps';
}

/** Whether a new rule replaces this one. */
export const isSameBand = (one: Band, other: Band): boolean =>
  isSame(one.fromAmount, other.fromAmount) && isSame(one.toAmount, other.toAmount);

const isSame = (one: string | null, other: string | null): boolean =>
  one === null || other === null ? one === other : compareMoney(one, other) === 0;
