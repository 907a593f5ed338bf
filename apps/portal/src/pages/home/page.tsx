import {
  type BalanceView,
  PORTAL_LIST_KEY_REQUESTS,
  PORTAL_READ_HOME,
  type PortalHomeView,
} from '@munshi/api';
import { type AsText, amountText, isZero } from '@munshi/web';
import { Card, Loaded, Money, OrderDays, Page, Steps, useRead, When } from '@munshi/web-ui';
import CircleCheck from 'lucide-react/icons/circle-check';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useSession } from '../../session.tsx';
import classes from './home.module.css';

const grouped = (count: number) => count.toLocaleString('en');

const STEPS = {
  'api-key': {
    what: 'You have an API key',
    hint: 'Your requests are signed with its secret.',
    to: '/developers',
    label: 'Keys',
  },
  'signed-request': {
    what: 'Your first signed request has arrived',
    hint: 'If it is refused, the signature checker shows what differs.',
    to: '/developers',
    label: 'Check a signature',
  },
  'webhook-received': {
    what: 'Your server has received a webhook',
    hint: 'It answers 2xx within five seconds.',
    to: '/webhooks',
    label: 'Send a test event',
  },
  'webhook-verified': {
    what: 'Your server has accepted a test event',
    hint: 'Verify the signature before you act on a webhook.',
    to: '/webhooks',
    label: 'How to verify',
  },
  'return-addresses': {
    what: 'Customers come back to your shop',
    hint: 'Send successUrl and failureUrl when you create an order.',
    to: '/developers',
    label: 'Documentation',
  },
  'ip-list': {
    what: 'Only your servers can create orders',
    hint: 'A stolen key creates none from any other IP address. It still reads.',
    to: '/settings',
    label: 'IP list',
  },
};

const keyOld = (prefix: string) => `API key ${prefix} is more than a year old`;

const keyUnused = (prefix: string) => `API key ${prefix} is not used`;

type Home = AsText<PortalHomeView>;

const pkr = (amount: string) => amountText(amount, 'PKR');

/** P2: what there is, how today goes, and what needs somebody; for a new merchant the way in. */
export default function HomePage() {
  const read = useRead(PORTAL_READ_HOME, {}, { watch: ['order', 'delivery', 'wallet', 'setting'] });
  return (
    <Page title="Home">
      <KeysReady />
      <Loaded read={read} rows={12}>
        {({ data }) => (
          <>
            <Card title="Your wallet" actions={<Link href="/money">Every movement</Link>}>
              <Sums balance={data.balance} />
            </Card>
            {data.attention.length > 0 || !data.isNew ? (
              <NeedsAttention attention={data.attention} />
            ) : null}
            {data.isNew ? (
              <Checklist steps={data.checklist} />
            ) : (
              <div className={classes['kinds']}>
                <OrderDays kind="deposits" of={data} />
                <OrderDays kind="withdrawals" of={data} />
              </div>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Keys that operators have agreed to, which their admins fetch. */
function KeysReady() {
  const { user } = useSession();
  const enabled = user.capabilities.includes('keys');
  const { data } = useRead(PORTAL_LIST_KEY_REQUESTS, {}, { watch: ['setting'], enabled });
  return data?.data.map(({ approvalId, fetchableUntil }) => (
    <Card
      key={approvalId}
      title="A new API key is ready"
      actions={<Link href="/developers">Fetch it</Link>}
    >
      <p className={classes['sentence']}>
        It can be fetched until <When at={fetchableUntil} />.
      </p>
    </Card>
  ));
}

/** From a key to verified webhooks: each step ticks itself. */
const Checklist = ({ steps }: { readonly steps: Home['checklist'] }) => (
  <Steps
    title="Getting started"
    steps={steps.map(({ step, done }) => {
      const { to, label, ...said } = STEPS[step];
      return { step, done, ...said, action: <Link href={to}>{label}</Link> };
    })}
  />
);

function Sums({
  balance: { availableBalance, reservedBalance, frozenBalance, walletBalance },
}: {
  readonly balance: AsText<BalanceView>;
}) {
  const sums = [
    ['Available', availableBalance],
    ['Reserved', reservedBalance],
    ['Frozen', frozenBalance],
  ] as const;
  return (
    <>
      <dl className={classes['balance']}>
        {sums.map(([name, amount]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Money amount={amount} currency="PKR" />
            </dd>
          </div>
        ))}
      </dl>
      <p className={`quiet ${classes['sentence']}`}>
        {isZero(reservedBalance)
          ? `Your wallet holds ${pkr(walletBalance)}, and all of it is available.`
          : `Your wallet holds ${pkr(walletBalance)}. ${pkr(reservedBalance)} of it is reserved for withdrawals in progress, so ${pkr(availableBalance)} is available.`}{' '}
        {isZero(frozenBalance)
          ? null
          : `Another ${pkr(frozenBalance)} is frozen and not in the wallet.`}
      </p>
    </>
  );
}

function NeedsAttention({ attention }: Pick<Home, 'attention'>) {
  return (
    <Card title="Needs attention">
      {attention.length === 0 ? (
        <p className={classes['well']}>
          <CircleCheck size={16} aria-hidden />
          Nothing needs your attention.
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
            Webhooks to {one.host} are failing since <When at={one.since} />
          </>
        ),
        detail: one.lastError ?? undefined,
        to: `/webhooks?host=${encodeURIComponent(one.host)}`,
        label: 'See why',
      };
    case 'low-balance':
      return {
        key,
        what:
          one.limit === null
            ? `Only ${pkr(one.available)} is available, and yesterday’s withdrawals took ${pkr(one.withdrawnYesterday)}`
            : `Only ${pkr(one.available)} is available, less than your limit of ${pkr(one.limit)}`,
        to: '/money',
        label: 'Every movement',
      };
    case 'many-failures':
      return {
        key,
        what: `${grouped(one.failed)} of ${grouped(one.ended)} orders failed in the last hour`,
        to: '/orders?stage=Failed',
        label: 'See them',
      };
    case 'many-refusals':
      return {
        key,
        what: `${grouped(one.refused)} requests were refused in the last hour`,
        to: '/developers',
        label: 'See why',
      };
    case 'no-callback-url':
      return {
        key,
        what: 'No callback URL is set, so orders without one of their own send no webhooks',
        to: '/settings',
        label: 'Set it',
      };
    case 'key-old':
    case 'key-unused': {
      const say = one.kind === 'key-old' ? keyOld : keyUnused;
      return { key, what: say(one.prefix), to: '/developers', label: 'See the keys' };
    }
  }
}
