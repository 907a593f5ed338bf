import { clockText } from '@munshi/web';
import { Card } from '@munshi/web-ui';
import { Link } from 'wouter';
import { Chart, Legend } from '../../chart/chart.tsx';
import { successText } from '../../success.ts';
import classes from './now.module.css';
import type { Overview } from './overview.ts';
import { atEnd, Table } from './table.tsx';

const MINUTE_MS = 60_000;
const SLICE_MS = 5 * MINUTE_MS;

export const MEMBERS_ONLINE = '/members?status=active&online=true';

/** The last hour against the same hour of the week before: in numbers, drawn, and as a table. */
export function LastHour({ overview }: { readonly overview: Overview }) {
  const { lastHour, weekBefore, membersOnline } = overview;
  const compared: readonly (readonly [string, string, string])[] = [
    ['Orders', String(lastHour.created), String(weekBefore.created)],
    ['Completed', String(lastHour.completed), String(weekBefore.completed)],
    ['Success', successText(lastHour), successText(weekBefore)],
  ];
  return (
    <Card title="Last hour">
      <div className={classes['pulse']}>
        <dl className={classes['hour']}>
          <div>
            <dt>Members online</dt>
            <dd className={`number ${classes['number']}`}>
              <Link href={MEMBERS_ONLINE} className={classes['counted']}>
                {membersOnline}
              </Link>
            </dd>
          </div>
          {compared.map(([name, now, before]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <div className={`number ${classes['number']}`}>{now}</div>
                <div className="quiet">{before} a week before</div>
              </dd>
            </div>
          ))}
        </dl>
        <Pulse overview={overview} />
      </div>
      <Parts overview={overview} />
    </Card>
  );
}

/** When each part of the last hour began. */
const timesOf = ({ asOf, lastHour: { slices } }: Overview) =>
  slices.map((_, at) => Date.parse(asOf) - (slices.length - at) * SLICE_MS);

function Pulse({ overview }: { readonly overview: Overview }) {
  const { lastHour, weekBefore } = overview;
  const series = [
    {
      label: 'Last hour',
      colour: '--accent',
      shape: 'bars' as const,
      values: lastHour.slices.map(({ created }) => created),
    },
    {
      label: 'A week before',
      colour: '--quiet',
      shape: 'dashed' as const,
      values: weekBefore.slices.map(({ created }) => created),
    },
  ];
  return (
    <figure className={classes['chart']}>
      <figcaption>
        <span>Orders every 5 minutes</span>
        <Legend series={series} />
      </figcaption>
      <Chart
        summary={`Orders every 5 minutes of the last hour, ${lastHour.created} in all, and a week before, ${weekBefore.created} in all`}
        times={timesOf(overview)}
        series={series}
        height={132}
        fromZero
        timeText={clockText}
        valueText={String}
      />
    </figure>
  );
}

function Parts({ overview }: { readonly overview: Overview }) {
  const { lastHour, weekBefore } = overview;
  const times = timesOf(overview);
  return (
    <details className={classes['details']}>
      <summary>The last hour as a table</summary>
      <Table
        label="The last hour and a week before"
        headers={[['From'], ...['Last hour', 'A week before', 'Completed'].map(atEnd)]}
      >
        {lastHour.slices.map(({ created, completed }, at) => (
          <tr key={times[at]}>
            <td className="number">{clockText(times[at] ?? 0)}</td>
            <td data-align="end">{created}</td>
            <td data-align="end">{weekBefore.slices[at]?.created}</td>
            <td data-align="end">{completed}</td>
          </tr>
        ))}
      </Table>
    </details>
  );
}
