import { type BalanceView, PORTAL_READ_HOME, type PortalHomeView } from '@munshi/api';
import { type AsText, amountText, durationText, isZero } from '@munshi/web';
import { Card, Loaded, Page, useRead, When } from '@munshi/web-ui';
import Circle from 'lucide-react/icons/circle';
import CircleCheck from 'lucide-react/icons/circle-check';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import classes from './home.module.css';
import { texts } from './texts.ts';

type Home = AsText<PortalHomeView>;
type Outcomes = Home['today']['deposits'];

const pkr = (amount: string) => amountText(amount, 'PKR');

/** P2: what there is, how today goes, and what needs somebody; for a new merchant the way in. */
export default function HomePage() {
  const read = useRead(PORTAL_READ_HOME, {}, { watch: ['order', 'delivery', 'wallet', 'setting'] });
  return (
    <Page title={texts.title}>
      <Loaded read={read} rows={12}>
        {({ data }) => (
          <>
            <Card title={texts.balance} actions={<Link href="/money">{texts.toMoney}</Link>}>
              <Sums balance={data.balance} />
            </Card>
            {data.attention.length > 0 || !data.isNew ? (
              <NeedsAttention attention={data.attention} />
            ) : null}
            {data.isNew ? (
              <Checklist steps={data.checklist} />
            ) : (
              <div className={classes['kinds']}>
                <Days kind="deposits" home={data} />
                <Days kind="withdrawals" home={data} />
              </div>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** From a key to verified webhooks: each step ticks itself. */
function Checklist({ steps }: { readonly steps: Home['checklist'] }) {
  const done = steps.filter((one) => one.done).length;
  return (
    <Card
      title={texts.checklist}
      actions={<span className="quiet">{texts.stepsDone(done, steps.length)}</span>}
    >
      <ol className={classes['steps']}>
        {steps.map(({ step, done: isDone }) => {
          const { what, hint, to, label } = texts.steps[step];
          const Mark = isDone ? CircleCheck : Circle;
          return (
            <li key={step} data-done={isDone}>
              <Mark size={20} aria-label={isDone ? texts.done : texts.toDo} role="img" />
              <div>
                <p>{what}</p>
                {isDone ? null : <p className="quiet">{hint}</p>}
              </div>
              {isDone ? null : <Link href={to}>{label}</Link>}
            </li>
          );
        })}
      </ol>
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

function NeedsAttention({ attention }: Pick<Home, 'attention'>) {
  return (
    <Card title={texts.concerns}>
      {attention.length === 0 ? (
        <p className={classes['well']}>
          <CircleCheck size={16} aria-hidden />
          {texts.allWell}
        </p>
      ) : (
        <ul className={classes['concerns']}>
          {attention.map((one) => {
            const { key, what, detail, to, label } = inWords(one);
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

function inWords(one: Home['attention'][number]): InWords {
  const key = JSON.stringify(one);
  switch (one.kind) {
    case 'webhook-failing':
      return {
        key,
        what: (
          <>
            {texts.webhooksFailing(one.host)} {texts.since} <When at={one.since} />
          </>
        ),
        detail: one.lastError ?? undefined,
        to: `/webhooks?host=${encodeURIComponent(one.host)}`,
        label: texts.toWebhooks,
      };
    case 'low-balance':
      return {
        key,
        what:
          one.limit === null
            ? texts.lowBalance(pkr(one.available), pkr(one.withdrawnYesterday))
            : texts.belowLimit(pkr(one.available), pkr(one.limit)),
        to: '/money',
        label: texts.toMoney,
      };
    case 'many-failures':
      return {
        key,
        what: texts.manyFailures(one.failed, one.ended),
        to: '/orders?stage=Failed',
        label: texts.toFailed,
      };
    case 'many-refusals':
      return {
        key,
        what: texts.manyRefusals(one.refused),
        to: '/developers',
        label: texts.toRefusals,
      };
    case 'no-callback-url':
      return { key, what: texts.noCallback, to: '/settings', label: texts.toSettings };
    case 'key-old':
    case 'key-unused': {
      const say = one.kind === 'key-old' ? texts.keyOld : texts.keyUnused;
      return { key, what: say(one.prefix), to: '/developers', label: texts.toKeys };
    }
  }
}

function Days({
  kind,
  home: { today, yesterday, timeZone },
}: {
  readonly kind: 'deposits' | 'withdrawals';
  readonly home: Home;
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
      <td data-label={texts.created}>{texts.count(created)}</td>
      <td data-label={texts.rate}>
        {successRate === null ? (
          texts.nothing
        ) : (
          <>
            {texts.percent(Math.round(100 * Number(successRate)))}
            <small>{texts.rateOf(completed, completed + failed)}</small>
          </>
        )}
      </td>
      <td data-label={amount} className="number">
        {pkr(sum)}
      </td>
      <td data-label={texts.median}>
        {medianSeconds === null ? texts.nothing : durationText(medianSeconds * 1000)}
      </td>
    </tr>
  );
}
