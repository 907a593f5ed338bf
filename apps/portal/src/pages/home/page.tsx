import {
  type BalanceView,
  PORTAL_BALANCE,
  PORTAL_OVERVIEW,
  type PortalOverviewView,
} from '@munshi/api';
import { type AsText, amountText, durationText, isZero } from '@munshi/web';
import { Card, Loaded, Page, useRead, When } from '@munshi/web-ui';
import CircleCheck from 'lucide-react/icons/circle-check';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import classes from './home.module.css';
import { texts } from './texts.ts';

type Overview = AsText<PortalOverviewView>;
type Kind = Overview['today']['deposits'];

const pkr = (amount: string) => amountText(amount, 'PKR');

/** P2: what there is, how today goes, and what needs somebody. */
export default function HomePage() {
  const overview = useRead(PORTAL_OVERVIEW, {}, { watch: ['order', 'delivery'] });
  return (
    <Page title={texts.title}>
      <Balance />
      <Loaded read={overview} rows={8}>
        {({ data }) => (
          <>
            <Concerns concerns={data.concerns} />
            <div className={classes['kinds']}>
              <Days kind="deposits" overview={data} />
              <Days kind="withdrawals" overview={data} />
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Balance() {
  const read = useRead(PORTAL_BALANCE, {}, { watch: ['order', 'balance'] });
  return (
    <Card title={texts.balance} actions={<Link href="/money">{texts.toMoney}</Link>}>
      <Loaded read={read}>
        {({ data }) => ('availableBalance' in data ? <Sums balance={data} /> : null)}
      </Loaded>
    </Card>
  );
}

function Sums({
  balance: { availableBalance, reservedBalance, frozenBalance, walletBalance },
}: {
  readonly balance: AsText<BalanceView>;
}) {
  const sums = [
    [texts.available, availableBalance],
    [texts.reserved, reservedBalance],
    [texts.frozen, frozenBalance],
  ] as const;
  return (
    <>
      <dl className={classes['balance']}>
        {sums.map(([name, amount]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="number">{pkr(amount)}</dd>
          </div>
        ))}
      </dl>
      <p className={`quiet ${classes['sentence']}`}>
        {isZero(reservedBalance)
          ? texts.nothingReserved(pkr(walletBalance))
          : texts.sentence(pkr(walletBalance), pkr(reservedBalance), pkr(availableBalance))}{' '}
        {isZero(frozenBalance) ? null : texts.frozenSentence(pkr(frozenBalance))}
      </p>
    </>
  );
}

function Concerns({ concerns }: Pick<Overview, 'concerns'>) {
  return (
    <Card title={texts.concerns}>
      {concerns.length === 0 ? (
        <p className={classes['well']}>
          <CircleCheck size={16} aria-hidden />
          {texts.allWell}
        </p>
      ) : (
        <ul className={classes['concerns']}>
          {concerns.map((concern) => {
            const { key, what, detail, to, label } = inWords(concern);
            return (
              <li key={key}>
                <TriangleAlert size={16} aria-hidden />
                <div>
                  <p>{what}</p>
                  {detail === undefined ? null : <p className="quiet">{detail}</p>}
                </div>
                <Link href={to}>{label}</Link>
              </li>
            );
          })}
        </ul>
      )}
    </Card>
  );
}

interface InWords {
  readonly key: string;
  readonly what: ReactNode;
  readonly detail?: ReactNode;
  readonly to: string;
  readonly label: string;
}

function inWords(concern: Overview['concerns'][number]): InWords {
  const key = JSON.stringify(concern);
  switch (concern.kind) {
    case 'webhooks-failing':
      return {
        key,
        what: (
          <>
            {texts.webhooksFailing(concern.host)} {texts.since} <When at={concern.since} />
          </>
        ),
        detail: concern.lastError ?? undefined,
        to: `/webhooks?host=${encodeURIComponent(concern.host)}`,
        label: texts.toWebhooks,
      };
    case 'low-balance':
      return {
        key,
        what: texts.lowBalance(pkr(concern.available), pkr(concern.yesterday)),
        to: '/money',
        label: texts.toMoney,
      };
    case 'many-failures':
      return {
        key,
        what: texts.manyFailures(concern.failed, concern.ended),
        to: '/orders?stage=Failed',
        label: texts.toFailed,
      };
    case 'key-old':
    case 'key-unused': {
      const say = concern.kind === 'key-old' ? texts.keyOld : texts.keyUnused;
      return { key, what: say(concern.prefix), to: '/developers', label: texts.toKeys };
    }
  }
}

function Days({
  kind,
  overview: { today, yesterday, timeZone },
}: {
  readonly kind: 'deposits' | 'withdrawals';
  readonly overview: Overview;
}) {
  const amount = kind === 'deposits' ? texts.intoWallet : texts.fromWallet;
  return (
    <Card title={texts[kind]} actions={<span className="quiet">{texts.daysIn(timeZone)}</span>}>
      <table className={classes['table']} aria-label={texts[kind]}>
        <thead>
          <tr>
            <td />
            <th scope="col">{texts.created}</th>
            <th scope="col">{texts.rate}</th>
            <th scope="col">{amount}</th>
            <th scope="col">{texts.median}</th>
          </tr>
        </thead>
        <tbody>
          <DayRow day="today" label={texts.today} amount={amount} of={today[kind]} />
          <DayRow day="yesterday" label={texts.yesterday} amount={amount} of={yesterday[kind]} />
        </tbody>
      </table>
    </Card>
  );
}

function DayRow({
  day,
  label,
  amount,
  of: { created, completed, failed, completedAmount, medianSeconds },
}: {
  readonly day: string;
  readonly label: string;
  readonly amount: string;
  readonly of: Kind;
}) {
  const ended = completed + failed;
  return (
    <tr data-day={day}>
      <th scope="row">{label}</th>
      <td data-label={texts.created}>{texts.count(created)}</td>
      <td data-label={texts.rate}>
        {ended === 0 ? (
          texts.nothing
        ) : (
          <>
            {texts.percent(Math.round((100 * completed) / ended))}
            <small>{texts.rateOf(completed, ended)}</small>
          </>
        )}
      </td>
      <td data-label={amount} className="number">
        {pkr(completedAmount)}
      </td>
      <td data-label={texts.median}>
        {medianSeconds === null ? texts.nothing : durationText(medianSeconds * 1000)}
      </td>
    </tr>
  );
}
