import { type MerchantOverviewView, READ_MERCHANT_OVERVIEW } from '@munshi/api';
import { type AsText, isZero } from '@munshi/web';
import {
  Card,
  Facts,
  Loaded,
  OrderDays,
  ReceiverHealth,
  useRead,
  WalletSums,
  When,
} from '@munshi/web-ui';
import { Link } from 'wouter';
import classes from './merchant.module.css';
import { counted, type TabProps } from './shown.ts';

type Overview = AsText<MerchantOverviewView>;

/** How the merchant does: wallet, orders of today, webhooks and keys. */
export function OverviewTab({ merchant }: TabProps) {
  const { merchantId } = merchant;
  const read = useRead(
    READ_MERCHANT_OVERVIEW,
    { params: { merchantId } },
    { watch: ['order', 'delivery', 'approval', 'setting'] },
  );
  return (
    <Loaded read={read} rows={8}>
      {({ data }) => (
        <>
          <Card
            title="Wallet"
            actions={<Link href={`/merchants/${merchantId}/money`}>Every movement</Link>}
          >
            <WalletSums balance={data.balance} reservedBy={<Reserving overview={data} />} />
          </Card>
          <div className={classes['columns']}>
            <OrderDays kind="deposits" of={data} />
            <OrderDays kind="withdrawals" of={data} />
          </div>
          <div className={classes['columns']}>
            <Webhooks overview={data} merchant={merchant} />
            <Keys overview={data} />
          </div>
        </>
      )}
    </Loaded>
  );
}

const OPEN_STAGES = ['Awaiting', 'Assigned', 'Sent'].map((stage) => `&stage=${stage}`).join('');

/** The open withdrawals that the money is reserved for. */
function Reserving({ overview: { merchantId, openWithdrawals, balance } }: OverviewProps) {
  if (openWithdrawals === 0 && isZero(balance.reservedBalance)) return null;
  const filters = `merchantId=${merchantId}&orderType=Withdrawal${OPEN_STAGES}`;
  return (
    <div>
      <Link href={`/orders?${filters}`}>by {counted(openWithdrawals, 'open withdrawal')}</Link>
    </div>
  );
}

interface OverviewProps {
  readonly overview: Overview;
}

function Webhooks({
  overview: { merchantId, receivers },
  merchant: { defaultCallbackUrl },
}: OverviewProps & TabProps) {
  const all = `/webhooks?merchantId=${merchantId}`;
  return (
    <Card title="Webhooks" actions={<Link href={all}>Every delivery</Link>}>
      {defaultCallbackUrl === null ? (
        <p className="quiet">
          No default callback URL is set: orders without one of their own send no webhooks.{' '}
          <Link href={`/merchants/${merchantId}/settings`}>Set it</Link>
        </p>
      ) : null}
      {receivers.length === 0 ? <p className="quiet">Nothing has been sent yet.</p> : null}
      <ul className={classes['listed']}>
        {receivers.map((receiver) => (
          <li key={receiver.host}>
            <div>
              <Link href={`${all}&host=${encodeURIComponent(receiver.host)}`}>{receiver.host}</Link>
              <div className="quiet">
                <HowItDoes receiver={receiver} />
              </div>
            </div>
            <ReceiverHealth receiver={receiver} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function HowItDoes({ receiver }: { readonly receiver: Overview['receivers'][number] }) {
  const { failingSince, lastSuccessAt, lastError, pending, failing, abandoned } = receiver;
  const waiting = failing === 0 ? `${pending} waiting` : `${pending} waiting, ${failing} failing`;
  return (
    <>
      {[pending === 0 ? 'none waiting' : waiting, abandoned === 0 ? '' : `${abandoned} given up`]
        .filter((text) => text !== '')
        .join(', ')}
      {' · '}
      {failingSince === null ? (
        lastSuccessAt === null ? (
          'never received one'
        ) : (
          <>
            last received <When at={lastSuccessAt} />
          </>
        )
      ) : (
        <>
          failing since <When at={failingSince} />
          {lastError === null ? null : <div>{lastError}</div>}
        </>
      )}
    </>
  );
}

function Keys({ overview: { merchantId, keys } }: OverviewProps) {
  return (
    <Card
      title="API keys"
      actions={<Link href={`/merchants/${merchantId}/access`}>Keys and addresses</Link>}
    >
      {keys.length === 0 ? (
        <p className="quiet">No key: this merchant cannot make orders.</p>
      ) : (
        <Facts
          facts={keys.map(({ prefix, lastUsedAt }) => [
            `mk_live_${prefix}…`,
            lastUsedAt === null ? (
              'Not used yet'
            ) : (
              <>
                Last used <When key={prefix} at={lastUsedAt} />
              </>
            ),
          ])}
        />
      )}
    </Card>
  );
}
