import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ADVANCE_CLOCK, READ_CLOCK } from '@munshi/api';
import { clockText, durationText, exactUtc } from '@munshi/web';
import { errorText, useNow, useRead, useWrite } from '@munshi/web-ui';
import FlaskConical from 'lucide-react/icons/flask-conical';
import { Link, useRoute } from 'wouter';
import classes from './sandbox-bar.module.css';
import { may, useSession } from './session.tsx';

const STEPS = { '+1 min': 60, '+15 min': 900, '+1 h': 3600 };

/** One second after a deadline it has passed. */
const PAST_MS = 1_000;

/** Whether the clock is a sandbox's, undefined while that is not known; when it changes an order. */
export function useSandboxClock() {
  const clock = useRead(READ_CLOCK, {}, { watch: ['order'] }).data?.data;
  return { isSandbox: clock?.sandbox, nextDueAt: clock?.nextDueAt ?? null };
}

/** C15: the clock of a sandbox, striped so that nobody takes it for the real thing. */
export function SandboxBar() {
  const { isSandbox, nextDueAt } = useSandboxClock();
  return isSandbox === true ? <SandboxClock nextDueAt={nextDueAt} /> : null;
}

function SandboxClock({ nextDueAt }: { readonly nextDueAt: string | null }) {
  const { operator } = useSession();
  const now = useNow();
  const { send, sending } = useWrite(ADVANCE_CLOCK);
  const untilDue = nextDueAt === null ? null : Math.max(0, Date.parse(nextDueAt) - now);
  const advance = (seconds: number) =>
    send({ body: { seconds } }).catch((error: Error) =>
      notifications.show({
        color: 'bad',
        title: 'The clock was not advanced',
        message: errorText(error),
      }),
    );
  return (
    <section className={classes['bar']} aria-label="Sandbox clock">
      <strong className={classes['title']}>
        <FlaskConical size={16} aria-hidden /> Sandbox: no real money
      </strong>
      <span>
        <time className="number" title={exactUtc(now)}>
          {clockText(now)}
        </time>
        {', '}
        {untilDue === null
          ? 'no order has a deadline'
          : `next deadline in ${durationText(untilDue)}`}
      </span>
      {may(operator, 'administer') ? (
        <fieldset className={classes['steps']} disabled={sending}>
          <legend>Advance the clock</legend>
          {Object.entries(STEPS).map(([label, seconds]) => (
            <Button
              key={label}
              variant="default"
              size="compact-sm"
              onClick={() => void advance(seconds)}
            >
              {label}
            </Button>
          ))}
          <Button
            variant="default"
            size="compact-sm"
            disabled={untilDue === null}
            onClick={() => void advance(Math.ceil(((untilDue ?? 0) + PAST_MS) / 1000))}
          >
            To the next deadline
          </Button>
          <Play />
        </fieldset>
      ) : null}
    </section>
  );
}

/** To where everybody is played, with the order that is open. */
function Play() {
  const [, shown] = useRoute('/orders/:orderId');
  const [isThere] = useRoute('/sandbox');
  if (isThere) return null;
  const orderId = shown?.orderId;
  return (
    <Button
      component={Link}
      href={orderId === undefined ? '/sandbox' : `/sandbox?order=${orderId}`}
      variant="default"
      size="compact-sm"
    >
      {orderId === undefined ? 'Play an order' : 'Play this order'}
    </Button>
  );
}
