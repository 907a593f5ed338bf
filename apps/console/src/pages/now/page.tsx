import { type OrderView, READ_OVERVIEW } from '@munshi/api';
import { durationText, isZero } from '@munshi/web';
import { Age, Card, Countdown, Loaded, Money, Page, useRead } from '@munshi/web-ui';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { MethodName, useMethodName } from '../../method-names.ts';
import { percentText, successOf, successText } from '../../success.ts';
import { ReadyForYou } from '../approvals/ready.tsx';
import { Hours } from './hours.tsx';
import { LastHour, MEMBERS_ONLINE } from './last-hour.tsx';
import classes from './now.module.css';
import type { Method } from './overview.ts';
import { SetUp } from './set-up.tsx';
import { Bars, Trend } from './sparks.tsx';
import { atEnd, type Header, Table } from './table.tsx';
import { Waiting } from './waiting.tsx';

/** C2: first the queues with work, then the figures; readable on a wall, too. */
export default function NowPage() {
  const overview = useRead(
    READ_OVERVIEW,
    {},
    { watch: ['order', 'member'], changesWithTime: true },
  );
  return (
    <Page title="Now">
      <SetUp />
      <ReadyForYou />
      <Waiting />
      <Loaded read={overview} rows={12}>
        {({ data }) => (
          <>
            <LastHour overview={data} />
            <Methods methods={data.methods} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const secondsText = (seconds: number) => durationText(seconds * 1000);

const isQuiet = ({ waiting, inHand, membersFree, hours }: Method) =>
  waiting + inHand + membersFree === 0 && hours.every(({ created }) => created === 0);

const FIGURES = [
  'Unassigned',
  'In hand',
  'Member to act',
  'Members free',
  'Room for',
  'Float free, PKR',
  'Success',
  'Median to confirm',
] as const;
const METHOD_HEADERS: readonly Header[] = [['Method'], ...FIGURES.map(atEnd), ['Last 12 hours']];

function Methods({ methods }: { readonly methods: readonly Method[] }) {
  const nameOf = useMethodName();
  const active = methods.filter((method) => !isQuiet(method));
  const quiet = methods.filter(isQuiet);
  return (
    <Card title="By method">
      <Table label="Every method in use" headers={METHOD_HEADERS} cards>
        {active.map((method) => (
          <MethodRow key={method.walletType} method={method} />
        ))}
      </Table>
      {quiet.length === 0 ? null : (
        <p className="quiet">
          No orders and no members: {quiet.map(({ walletType }) => nameOf(walletType)).join(', ')}.
        </p>
      )}
      <Hours methods={active} />
    </Card>
  );
}

type Status = OrderView['status'];
const WAITING: readonly Status[] = ['Awaiting', 'Queued'];
const TO_CONFIRM: readonly Status[] = ['AwaitingMemberConfirmation', 'AwaitingMemberPayout'];
const IN_HAND: readonly Status[] = ['Queued', 'AwaitingCustomerPayment', ...TO_CONFIRM];

/** The list of a method's orders by their statuses. */
const ordersOf = (walletType: string, statuses: readonly Status[]) =>
  `/orders?${new URLSearchParams([['walletType', walletType], ...statuses.map((one) => ['status', one])])}`;

/** A count that leads to what it counts. */
function Counted({
  count,
  path,
  label,
}: {
  readonly count: number;
  readonly path: string;
  /** Says of what, as numbers alone say nothing in a screen reader. */
  readonly label: string;
}) {
  if (count === 0) return <span className="number">0</span>;
  return (
    <Link href={path} className={`number ${classes['counted']}`} aria-label={`${count}, ${label}`}>
      {count}
    </Link>
  );
}

function MethodRow({ method }: { readonly method: Method }) {
  const { walletType, hours } = method;
  const name = useMethodName()(walletType);
  const sum = (of: (hour: Method['hours'][number]) => number) =>
    hours.reduce((total, hour) => total + of(hour), 0);
  const counts = {
    created: sum(({ created }) => created),
    completed: sum(({ completed }) => completed),
    failed: sum(({ failed }) => failed),
  };
  const median = hours.findLast(({ medianConfirmSeconds }) => medianConfirmSeconds !== null);
  const figure = (label: (typeof FIGURES)[number], content: ReactNode) => (
    <td data-align="end" data-label={label}>
      {content}
    </td>
  );
  return (
    <tr>
      <th scope="row">
        <MethodName method={walletType} />
      </th>
      {figure(
        'Unassigned',
        <>
          <Counted
            count={method.waiting}
            path={ordersOf(walletType, WAITING)}
            label={`${name}: Unassigned`}
          />{' '}
          {method.oldestWaitingAt === null ? null : (
            <>
              · <Age at={method.oldestWaitingAt} redAfterMs={10 * 60_000} />
            </>
          )}
        </>,
      )}
      {figure(
        'In hand',
        <Counted
          count={method.inHand}
          path={ordersOf(walletType, IN_HAND)}
          label={`${name}: In hand`}
        />,
      )}
      {figure(
        'Member to act',
        <>
          <Counted
            count={method.toConfirm}
            path={ordersOf(walletType, TO_CONFIRM)}
            label={`${name}: Member to act`}
          />{' '}
          {method.soonestDueAt === null ? null : (
            <>
              · <Countdown at={method.soonestDueAt} />
            </>
          )}
        </>,
      )}
      {figure(
        'Members free',
        method.membersFree === 0 ? (
          <span className={classes['nobody']}>Nobody is free</span>
        ) : (
          <Counted
            count={method.membersFree}
            path={MEMBERS_ONLINE}
            label={`${name}: Members free`}
          />
        ),
      )}
      {figure('Room for', <span className="number">{method.freeCapacity}</span>)}
      {figure(
        'Float free, PKR',
        isZero(method.freeFloat) ? '0' : <Money amount={method.freeFloat} />,
      )}
      {figure(
        'Success',
        <Trend label={`${name}, success by hour`} hours={hours.map(successOf)} asText={percentText}>
          {successText(counts)}
        </Trend>,
      )}
      {figure(
        'Median to confirm',
        <Trend
          label={`${name}, median to confirm by hour`}
          hours={hours.map(({ medianConfirmSeconds }) => medianConfirmSeconds)}
          asText={secondsText}
        >
          {median?.medianConfirmSeconds == null ? 'none' : secondsText(median.medianConfirmSeconds)}
        </Trend>,
      )}
      <td data-label="Last 12 hours">
        <Bars label={`${name}, orders an hour`} hours={hours.map(({ created }) => created)} />
      </td>
    </tr>
  );
}
