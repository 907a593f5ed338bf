import type { PortalHomeView } from '@munshi/api';
import { type AsText, amountText, durationText } from '@munshi/web';
import { Card } from '../page.tsx';
import classes from './order-days.module.css';

type Days = Pick<AsText<PortalHomeView>, 'today' | 'yesterday' | 'timeZone'>;
type Outcomes = Days['today']['deposits'];

interface OrderDaysProps {
  readonly kind: 'deposits' | 'withdrawals';
  readonly of: Days;
}

const grouped = (count: number) => count.toLocaleString('en');

/** What became of a merchant's orders of a kind, today and yesterday by the merchant's clocks. */
export function OrderDays({ kind, of: { today, yesterday, timeZone } }: OrderDaysProps) {
  const title = kind === 'deposits' ? 'Deposits' : 'Withdrawals';
  const amount = kind === 'deposits' ? 'Into the wallet' : 'From the wallet';
  return (
    <Card title={title} actions={<span className="quiet">Days in {timeZone}</span>}>
      <table className={classes['table']} aria-label={title}>
        <thead>
          <tr>
            <td />
            <th scope="col">Created</th>
            <th scope="col">Succeeded</th>
            <th scope="col">{amount}</th>
            <th scope="col">Median time</th>
          </tr>
        </thead>
        <tbody>
          <DayRow day="today" label="Today" amount={amount} of={today[kind]} />
          <DayRow day="yesterday" label="Yesterday" amount={amount} of={yesterday[kind]} />
        </tbody>
      </table>
    </Card>
  );
}

function DayRow({
  day,
  label,
  amount,
  of: { created, completed, failed, sum, successRate, medianSeconds },
}: {
  readonly day: string;
  readonly label: string;
  readonly amount: string;
  readonly of: Outcomes;
}) {
  return (
    <tr data-day={day}>
      <th scope="row">{label}</th>
      <td data-label="Created">{grouped(created)}</td>
      <td data-label="Succeeded">
        {successRate === null ? (
          '–'
        ) : (
          <>
            {Math.round(100 * Number(successRate))} %
            <small>
              {grouped(completed)} of {grouped(completed + failed)} that ended
            </small>
          </>
        )}
      </td>
      <td data-label={amount} className="number">
        {amountText(sum, 'PKR')}
      </td>
      <td data-label="Median time">
        {medianSeconds === null ? '–' : durationText(medianSeconds * 1000)}
      </td>
    </tr>
  );
}
