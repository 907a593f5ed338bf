import type { ClosingMerchantView, ClosingView } from '@munshi/api';
import { type AsText, isZero, subtractMoney } from '@munshi/web';
import { type List, Money, MoreButton, Skeleton } from '@munshi/web-ui';
import type { ReactNode } from 'react';
import classes from './closing.module.css';
import { CountRow, type Member } from './count-row.tsx';
import { Difference } from './difference.tsx';

type Merchant = AsText<ClosingMerchantView>;
type Sums = AsText<ClosingView>['sums'];

interface AmountProps {
  readonly label: string;
  readonly of: string;
  readonly strong?: boolean;
}

const Amount = ({ label, of, strong = false }: AmountProps) => (
  <td
    data-align="end"
    data-label={label}
    {...(strong ? { 'data-strong': true } : isZero(of) && { className: 'quiet' })}
  >
    <Money amount={of} aligned />
  </td>
);
const negated = (amount: string) => subtractMoney('0', amount);

function Heads({ heads }: { readonly heads: readonly string[] }) {
  return (
    <thead>
      <tr>
        {heads.map((head, at) => (
          <th key={head} scope="col" {...(at > 0 && { 'data-align': 'end' })}>
            {head}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Rows of a closing with their sum, which is of all of them, whichever have been read. */
function Table<Row>({
  label,
  list,
  children,
}: {
  readonly label: string;
  readonly list: List<Row>;
  readonly children: ReactNode;
}) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section className={classes['scroll']} aria-label={`${label}, to scroll`} tabIndex={0}>
        <table className={classes['table']} aria-label={label}>
          {children}
        </table>
      </section>
      <MoreButton list={list} />
    </>
  );
}

export function Merchants({ list, sums }: { readonly list: List<Merchant>; readonly sums: Sums }) {
  if (list.rows === undefined) return <Skeleton rows={4} />;
  if (list.rows.length === 0) return <p className="quiet">No wallet has money or was moved.</p>;
  const isFrozen = !isZero(sums.merchants.frozen) || !isZero(sums.merchants.frozenClosing);
  const cells = (of: Omit<Merchant, 'merchantId' | 'merchantName'>) => (
    <>
      <Amount label="Opening" of={of.opening} />
      <Amount label="In" of={of.deposits} />
      <Amount label="Out" of={of.withdrawals} />
      <Amount label="Fees" of={negated(of.fees)} />
      <Amount label="Adjustments" of={of.adjustments} />
      {isFrozen ? <Amount label="Frozen" of={negated(of.frozen)} /> : null}
      <Amount label="Closing" of={of.closing} strong />
      {isFrozen ? <Amount label="Frozen at the end" of={of.frozenClosing} /> : null}
    </>
  );
  return (
    <Table label="Wallets by merchant" list={list}>
      <Heads
        heads={[
          ...['Merchant', 'Opening', 'In', 'Out', 'Fees', 'Adjustments'],
          ...(isFrozen ? ['Frozen', 'Closing', 'Frozen at the end'] : ['Closing']),
        ]}
      />
      <tbody>
        {list.rows.map((row) => (
          <tr key={row.merchantId}>
            <th scope="row">{row.merchantName}</th>
            {cells(row)}
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Sum of {sums.merchants.count}</th>
          {cells(sums.merchants)}
        </tr>
      </tfoot>
    </Table>
  );
}

export function Members({ list, sums }: { readonly list: List<Member>; readonly sums: Sums }) {
  if (list.rows === undefined) return <Skeleton rows={4} />;
  if (list.rows.length === 0) return <p className="quiet">No member has a float.</p>;
  const cells = (
    of: Pick<Member, 'opening' | 'deposits' | 'withdrawals' | 'adjustments' | 'closing'>,
  ) => (
    <>
      <Amount label="Opening" of={of.opening} />
      <Amount label="Deposits" of={of.deposits} />
      <Amount label="Payouts" of={of.withdrawals} />
      <Amount label="Adjustments" of={of.adjustments} />
      <Amount label="Expected" of={of.closing} strong />
    </>
  );
  return (
    <Table label="Floats by member" list={list}>
      <Heads
        heads={[
          ...['Member', 'Opening', 'Deposits', 'Payouts', 'Adjustments'],
          ...['Expected', 'Counted', 'Difference'],
        ]}
      />
      <tbody>
        {list.rows.map((row) => (
          <tr key={row.memberId}>
            <th scope="row">{row.memberName}</th>
            {cells(row)}
            <td data-align="end" data-label="Counted">
              {row.counted === null ? (
                <span className="quiet">{row.note === null ? 'Not yet' : 'Not counted'}</span>
              ) : (
                <Money amount={row.counted} aligned />
              )}
            </td>
            <td data-align="end" data-label="Difference">
              {row.difference === null ? null : <Difference amount={row.difference} />}
              {row.note === null ? null : <div className={classes['note']}>{row.note}</div>}
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Sum of {sums.members.count}</th>
          {cells(sums.members)}
          <Amount label="Counted" of={sums.members.counted} />
          <td data-align="end" data-label="Difference">
            {sums.members.uncounted === sums.members.count ? null : (
              <Difference amount={sums.members.difference} />
            )}
          </td>
        </tr>
      </tfoot>
    </Table>
  );
}

/** The members with a field each. */
export function Counting({
  closingId,
  list,
  sums,
}: {
  readonly closingId: string;
  readonly list: List<Member>;
  readonly sums: Sums;
}) {
  if (list.rows === undefined) return <Skeleton rows={6} />;
  if (list.rows.length === 0) return <p className="quiet">No member has a float to count.</p>;
  const { count, uncounted, closing, counted, difference } = sums.members;
  return (
    <>
      <p className="quiet">
        Enter goes down, and what you typed is kept. Type - for a float that cannot be counted.
      </p>
      <table className={`${classes['table']} ${classes['counting']}`} aria-label="Floats to count">
        <Heads heads={['Member', 'Expected', 'Counted', 'Difference']} />
        <tbody>
          {list.rows.map((member) => (
            <CountRow key={member.memberId} closingId={closingId} member={member} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">
              {uncounted === 0
                ? `All ${count} counted`
                : `${count - uncounted} of ${count} counted`}
            </th>
            <td data-align="end" data-label="Expected">
              <Money amount={closing} aligned />
            </td>
            <td data-align="end" data-label="Counted">
              <Money amount={counted} aligned />
            </td>
            <td className={classes['verdict']} data-label="Difference">
              {uncounted === count ? null : <Difference amount={difference} />}
            </td>
          </tr>
        </tfoot>
      </table>
      <MoreButton list={list} />
    </>
  );
}
