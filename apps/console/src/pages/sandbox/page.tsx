import { LIST_ORDERS } from '@munshi/api';
import { amountText } from '@munshi/web';
import {
  Card,
  Loaded,
  OrderStatus,
  Page,
  Skeleton,
  text,
  useFilters,
  useRead,
} from '@munshi/web-ui';
import { Link } from 'wouter';
import { useSandboxClock } from '../../sandbox-bar.tsx';
import { MakeOrder } from './make-order.tsx';
import { PlayedOrder } from './played-order.tsx';
import classes from './sandbox.module.css';

const ADDRESS = { order: text() };
const LATEST = 8;

/** C15: an order of any kind, and everybody in it, played. The frame has the clock. */
export default function SandboxPage() {
  const { values, set } = useFilters(ADDRESS);
  const { isSandbox } = useSandboxClock();
  if (isSandbox === undefined) return <Skeleton rows={8} />;
  const { order: orderId } = values;
  return (
    <Page
      title="Sandbox"
      lead="Make an order and play everybody in it. The clock is in the bar above."
    >
      <div className={classes['columns']} data-open={orderId !== undefined}>
        <div>
          <Card title="Make an order">
            <MakeOrder isNext={orderId === undefined} onMade={(made) => set({ order: made })} />
          </Card>
          <Card title="Latest orders">
            <Latest openId={orderId} />
          </Card>
        </div>
        {orderId === undefined ? (
          <div className={classes['choose']}>
            <strong>No order is open</strong>
            <p>Make one, or open one of the latest, to play its customer and its member.</p>
          </div>
        ) : (
          <PlayedOrder key={orderId} orderId={orderId} />
        )}
      </div>
    </Page>
  );
}

function Latest({ openId }: { readonly openId: string | undefined }) {
  const list = useRead(LIST_ORDERS, { query: { limit: LATEST } }, { watch: ['order'] });
  return (
    <Loaded read={list}>
      {({ data }) =>
        data.length === 0 ? (
          <p className="quiet">There is none yet.</p>
        ) : (
          <ul className={classes['latest']}>
            {data.map(({ orderId, amount, currency, orderType, status, stage }) => (
              <li key={orderId}>
                <Link href={`/sandbox?order=${orderId}`} aria-current={orderId === openId}>
                  <span className="number">
                    {amountText(amount, currency)} {orderType.toLowerCase()}
                  </span>
                  <OrderStatus status={status} stage={stage} />
                </Link>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}
