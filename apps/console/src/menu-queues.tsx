import { Age, Countdown } from '@munshi/web-ui';
import { Link, useLocation, useSearch } from 'wouter';
import classes from './menu-queues.module.css';
import { useQueueCounts } from './queue-counts.ts';
import { FIRST_QUEUE, QUEUE_NAMES, type Queue, queuePath } from './queue-names.ts';
import { screensOf } from './screens.ts';
import { type Operator, useSession } from './session.tsx';

/** Somebody has waited for an operator longer than a customer should. */
const LATE_MS = 30 * 60_000;

/** The queues of the menu, each with its count and the age of its oldest. */
export function MenuQueues() {
  const { operator } = useSession();
  const { data } = useQueueCounts();
  const [location] = useLocation();
  const shown = new URLSearchParams(useSearch()).get('queue') ?? FIRST_QUEUE;
  const here = location === '/queues' ? `/queues?queue=${shown}` : location;
  if (data === undefined) return null;
  return (
    <section aria-labelledby="menu-queues">
      <h2 id="menu-queues" className={classes['heading']}>
        Queues
      </h2>
      <ul className={classes['queues']}>
        {data.data.queues.map(({ queue, count, oldestAt }) => (
          <li key={queue}>
            <Link
              href={queuePath(queue)}
              className={classes['queue']}
              aria-current={isCurrent(queue, here, operator) ? 'page' : undefined}
            >
              <span className={classes['name']}>{QUEUE_NAMES[queue]}</span>{' '}
              <span className={count === 0 ? 'quiet number' : 'number'}>{count}</span>{' '}
              {oldestAt === null ? null : (
                <span className={classes['age']}>
                  {queue === 'aboutToRunOut' ? (
                    <Countdown at={oldestAt} />
                  ) : (
                    <Age at={oldestAt} redAfterMs={LATE_MS} isShort />
                  )}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A queue that is part of a screen in the menu leaves it to that screen: one item is current. */
function isCurrent(queue: Queue, here: string, operator: Operator): boolean {
  const path = queuePath(queue);
  const listed = screensOf(operator).some(
    (screen) =>
      screen.menu !== undefined &&
      screen.menu.isListed !== false &&
      screen.path === path.split('?')[0],
  );
  return !listed && here === path;
}
