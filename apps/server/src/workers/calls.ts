import { type ChannelOptions, createChannel } from '../storage/channel.ts';

/** Work that a commit brought, for whoever does such work. */
interface Call {
  /** Members who may be given withdrawals that they could not before. */
  readonly memberIds: readonly string[];
  /** Webhooks were written. */
  readonly webhooks: boolean;
}

/**
 * From processes that only answer requests to those that do what time brings: both look by
 * themselves too, later.
 */
export interface Calls {
  /** Sends calls, some milliseconds' worth as one. */
  call(work: Partial<Call>): void;
  /** Hears the calls of other processes. */
  answer(): void;
  close(): Promise<void>;
}

interface CallOptions extends Pick<ChannelOptions, 'database' | 'log'> {
  readonly onCall: (call: Call) => void;
  /** Calls may have been lost: whatever they may have been for is to be looked for. */
  readonly onMissed: () => void;
}

const GATHER_MS = 20;
/** Ids that one NOTIFY may carry: its payload is limited to 8,000 bytes. */
const PER_MESSAGE = 200;

export function createCalls({ database, log, onCall, onMissed }: CallOptions): Calls {
  const channel = createChannel({
    database,
    log,
    name: 'calls',
    onMissed,
    onMessage: (payload) => onCall(JSON.parse(payload)),
  });
  const memberIds = new Set<string>();
  let webhooks = false;
  let gathering = false;

  function send() {
    gathering = false;
    const ids = [...memberIds];
    memberIds.clear();
    for (let at = 0; at === 0 || at < ids.length; at += PER_MESSAGE) {
      channel.send(
        JSON.stringify({ memberIds: ids.slice(at, at + PER_MESSAGE), webhooks } satisfies Call),
      );
      webhooks = false;
    }
  }

  return {
    call(work) {
      for (const memberId of work.memberIds ?? []) memberIds.add(memberId);
      webhooks ||= work.webhooks ?? false;
      if (!gathering) setTimeout(send, GATHER_MS).unref();
      gathering = true;
    },
    answer: channel.listen,
    close: channel.close,
  };
}
