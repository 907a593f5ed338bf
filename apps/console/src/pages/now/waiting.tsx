import { Age, Card, Countdown, Loaded } from '@munshi/web-ui';
import Check from 'lucide-react/icons/check';
import { Link } from 'wouter';
import { useQueueCounts } from '../../queue-counts.ts';
import { QUEUE_NAMES, queuePath } from '../../queue-names.ts';
import classes from './now.module.css';

/** Only queues in which something waits: the menu has all of them. */
export function Waiting() {
  const counts = useQueueCounts();
  return (
    <Card title="Waiting for operators">
      <Loaded read={counts} rows={2}>
        {({ data }) => {
          const queues = data.queues.filter(({ count }) => count > 0);
          if (queues.length === 0)
            return (
              <p className={classes['nothing']}>
                <Check size={16} aria-hidden /> Nothing waits.
              </p>
            );
          return (
            <ul className={classes['waiting']}>
              {queues.map(({ queue, count, oldestAt }) => (
                <li key={queue}>
                  <Link href={queuePath(queue)} className={classes['queue']}>
                    <strong className="number">{count}</strong>
                    <span>{QUEUE_NAMES[queue]}</span>
                    {oldestAt === null ? null : (
                      <span className={classes['since']}>
                        {queue === 'aboutToRunOut' ? (
                          <>
                            ends in <Countdown at={oldestAt} />
                          </>
                        ) : (
                          <>
                            oldest <Age at={oldestAt} redAfterMs={30 * 60_000} />
                          </>
                        )}
                      </span>
                    )}
                  </Link>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Card>
  );
}
