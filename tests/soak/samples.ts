import type { Database } from '../../apps/server/src/platform/database/db.ts';

/** What the service looked like at one moment. Memory in MiB, delays in milliseconds. */
export interface Sample {
  readonly seconds: number;
  readonly rss: number;
  readonly heap: number;
  readonly external: number;
  /** 99th percentile of the event loop's delay since the sample before. */
  readonly loopDelay: number;
  readonly unansweredCommands: number;
  readonly webhooksOnTheWay: number;
  readonly webhooksDue: number;
  readonly openOrders: number;
  readonly databaseConnections: number;
  readonly sockets: number;
}

const MIB = 2 ** 20;

const QUEUES = `select (select count(*)::integer from delivery_queue where next_attempt_at <= $1::timestamptz) as due,
  (select count(*)::integer from orders where due_at is not null) as open,
  (select count(*)::integer from pg_stat_activity where application_name like 'munshi%' and pid <> pg_backend_pid()) as connections`;

/** Reads the service's metrics and the database's counts. */
export async function takeSample(
  url: string,
  { pool }: Database,
  seconds: number,
): Promise<Sample> {
  const [text, queues] = await Promise.all([
    fetch(`${url}/metrics`).then((response) => response.text()),
    pool.query(QUEUES, [new Date().toISOString()]).then(({ rows }) => rows[0]),
  ]);
  const metric = (name: string) =>
    Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  const sockets = /^nodejs_active_resources\{type="TCPSocketWrap"\} (\d+)$/m.exec(text)?.[1] ?? '0';
  return {
    seconds: Math.round(seconds),
    rss: metric('process_resident_memory_bytes') / MIB,
    heap: metric('nodejs_heap_size_used_bytes') / MIB,
    external: metric('nodejs_external_memory_bytes') / MIB,
    loopDelay: metric('nodejs_eventloop_lag_p99_seconds') * 1000,
    unansweredCommands: metric('munshi_engine_unanswered_commands'),
    webhooksOnTheWay: metric('munshi_webhook_attempts_in_flight'),
    webhooksDue: queues.due,
    openOrders: queues.open,
    databaseConnections: queues.connections,
    sockets: Number(sockets),
  };
}
