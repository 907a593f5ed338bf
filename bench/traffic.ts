import {
  type Address,
  type Answer,
  addressOf,
  Connection,
  type WireRequest,
} from './connection.ts';

/** One request of a load, with the check of its answer. */
export interface Step {
  readonly request: WireRequest;
  isRight(answer: Answer): boolean;
}

/** The result of a load. Latencies in milliseconds, of all answers. */
export interface Measurement {
  readonly answered: number;
  /** Wrong answers, and requests without one. */
  readonly wrong: number;
  readonly seconds: number;
  /** Right answers per second. */
  readonly perSecond: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly slowest: number;
  /** The first wrong answer, for debugging. */
  readonly example: string | undefined;
}

export interface Load {
  /** One server, or several that share the connections. */
  readonly url: string | readonly string[];
  readonly connections: number;
  /** Ends after this time or without a next step. */
  readonly seconds: number;
  next(): Step | undefined;
}

/** Latencies and wrong answers as they come in. */
function createRecord() {
  let latencies = new Float64Array(1 << 16);
  let count = 0;
  let wrong = 0;
  let example: string | undefined;
  const started = performance.now();
  return {
    add(latency: number, right: boolean, answer: Answer | Error) {
      if (count === latencies.length) {
        const larger = new Float64Array(count * 2);
        larger.set(latencies);
        latencies = larger;
      }
      latencies[count] = latency;
      count += 1;
      if (right) return;
      wrong += 1;
      example ??=
        answer instanceof Error
          ? `no answer: ${answer.message}`
          : `${answer.status} ${answer.body.slice(0, 300)}`;
    },
    end(): Measurement {
      const seconds = (performance.now() - started) / 1000;
      const sorted = latencies.subarray(0, count).sort();
      const at = (share: number) => sorted[Math.min(count - 1, Math.floor(count * share))] ?? 0;
      return {
        answered: count,
        wrong,
        seconds,
        perSecond: (count - wrong) / seconds,
        p50: at(0.5),
        p90: at(0.9),
        p99: at(0.99),
        p999: at(0.999),
        slowest: sorted[count - 1] ?? 0,
        example,
      };
    },
  };
}

const connectTo = (url: Load['url'], connections: number) => {
  const addresses = [url].flat().map(addressOf);
  return Array.from(
    { length: connections },
    (_, at) => new Connection(addresses[at % addresses.length] as Address),
  );
};

/**
 * Closed loop: each connection sends its next request when the last one is answered. Throughput at
 * full load.
 */
export async function closedLoop({ url, connections, seconds, next }: Load): Promise<Measurement> {
  const open = connectTo(url, connections);
  const record = createRecord();
  const end = performance.now() + seconds * 1000;
  await Promise.all(
    open.map(async (connection) => {
      while (performance.now() < end) {
        const step = next();
        if (step === undefined) return;
        await send(connection, step, performance.now(), record);
      }
    }),
  );
  const measurement = record.end();
  for (const connection of open) connection.close();
  return measurement;
}

/** A backlog of this many seconds means overload, and the load ends. */
const BACKLOG_SECONDS = 5;

/**
 * Open loop: requests arrive at a fixed rate, regardless of the answers. Each is timed from when it
 * was due, also while it waits for a free connection (no coordinated omission).
 */
export async function openLoop({
  url,
  connections,
  seconds,
  next,
  rate,
}: Load & { readonly rate: number }): Promise<Measurement> {
  const all = connectTo(url, connections);
  const free = [...all];
  const record = createRecord();
  const started = performance.now();
  const dueAt = (arrival: number) => started + (arrival * 1000) / rate;
  let total = Math.round(rate * seconds);
  let sent = 0;
  let wake: (() => void) | undefined;
  const freed = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  while (sent < total) {
    const now = performance.now();
    while (sent < total && dueAt(sent) <= now && free.length > 0) {
      const step = next();
      if (step === undefined) {
        total = sent;
        break;
      }
      const connection = free.pop() as Connection;
      send(connection, step, dueAt(sent), record).then(() => {
        free.push(connection);
        wake?.();
      });
      sent += 1;
    }
    if (now - dueAt(sent) > BACKLOG_SECONDS * 1000) break;
    await (free.length === 0 ? freed() : new Promise((resolve) => setTimeout(resolve, 1)));
  }
  while (free.length < all.length) await freed();
  const measurement = record.end();
  for (const connection of all) connection.close();
  return measurement;
}

async function send(
  connection: Connection,
  { request, isRight }: Step,
  since: number,
  record: ReturnType<typeof createRecord>,
) {
  const answer = await connection.send(request).catch((error: Error) => error);
  const failed = answer instanceof Error;
  if (failed) connection.close();
  record.add(performance.now() - since, !failed && isRight(answer), answer);
}
