import { type ChannelOptions, createChannel } from '../platform/database/connection/channel.ts';

/** Work that a commit made for the workers. */
interface Call {
  /** Members who may be given withdrawals that they could not before. */
  readonly memberIds: readonly string[];
  /** Webhooks were written. */
  readonly webhooks: boolean;
  /** Which traces they belong to, where anything is traced: as `traceparent`, by delivery. */
  readonly traces?: Readonly<Record<string, string>>;
}

/** Does the work, in a process with the role worker. */
export interface CallHandler {
  onCall(call: Call): void;
  /** Calls may have been lost: look for all work. */
  onMissed(): void;
}

/** Wakes workers, in this process or in others. They also poll, less often. */
export interface Calls {
  /** Goes to this process if it has a handler, else to others, gathered over some milliseconds. */
  call(work: Partial<Call>): void;
  /** Handles the calls of this process and of others from now on. */
  answer(handler: CallHandler): void;
  /** Whether this process is listening to others; undefined if it has no handler. */
  readonly listening: boolean | undefined;
  close(): Promise<void>;
}

const GATHER_MS = 20;
/** Ids that one NOTIFY may carry: its payload is limited to 8,000 bytes. */
const PER_MESSAGE = 200;
const TRACES_PER_MESSAGE = 50;

export function createCalls({ database, log }: Pick<ChannelOptions, 'database' | 'log'>): Calls {
  let handler: CallHandler | undefined;
  const channel = createChannel({
    database,
    log,
    name: 'calls',
    onMissed: () => handler?.onMissed(),
    onMessage: (payload) => handler?.onCall(JSON.parse(payload)),
  });
  const memberIds = new Set<string>();
  let traces: (readonly [deliveryId: string, traceparent: string])[] = [];
  let webhooks = false;
  let gathering = false;

  function send() {
    gathering = false;
    const ids = [...memberIds];
    memberIds.clear();
    sendTraces(); // before a worker learns that there is something to send
    for (let at = 0; at === 0 || at < ids.length; at += PER_MESSAGE) {
      channel.send(
        JSON.stringify({ memberIds: ids.slice(at, at + PER_MESSAGE), webhooks } satisfies Call),
      );
      webhooks = false;
    }
  }

  function sendTraces() {
    const known = traces;
    traces = [];
    for (let at = 0; at < known.length; at += TRACES_PER_MESSAGE) {
      const some = Object.fromEntries(known.slice(at, at + TRACES_PER_MESSAGE));
      channel.send(JSON.stringify({ memberIds: [], webhooks: false, traces: some } satisfies Call));
    }
  }

  return {
    call(work) {
      if (handler !== undefined) {
        handler.onCall({ memberIds: [], webhooks: false, ...work });
        return;
      }
      for (const memberId of work.memberIds ?? []) memberIds.add(memberId);
      webhooks ||= work.webhooks ?? false;
      traces.push(...Object.entries(work.traces ?? {}));
      if (!gathering) setTimeout(send, GATHER_MS).unref();
      gathering = true;
    },
    answer(answering) {
      handler = answering;
      channel.listen();
    },
    get listening() {
      return channel.listening;
    },
    close: channel.close,
  };
}
