import { randomUUID } from 'node:crypto';
import { BoundedMap } from '../platform/bounded-map.ts';
import { NoWorkerError } from '../platform/clock.ts';
import { type ChannelOptions, createChannel } from '../platform/database/connection/channel.ts';
import { UnavailableError } from '../platform/database/errors.ts';

/** Has the sandbox clock advanced by a process that has the role worker. */
export interface AdvanceCalls {
  /**
   * Resolves when it has run. Throws NoWorkerError if no worker answers, UnavailableError if the
   * one that runs it falls silent.
   */
  ask(seconds: number): Promise<void>;
  /** Runs the advances that other processes ask for. */
  answer(advance: (seconds: number) => Promise<void>): void;
  close(): Promise<void>;
}

/** The asker picks one of the workers that offer themselves; that one then reports every second. */
type Message = { readonly id: string } & (
  | { readonly step: 'wanted' | 'working' | 'done' }
  | { readonly step: 'offered'; readonly worker: string }
  | { readonly step: 'given'; readonly worker: string; readonly seconds: number }
  | { readonly step: 'failed'; readonly reason: string; readonly unavailable: boolean }
);

const AGAIN_MS = 500;
const BEAT_MS = 1_000;
const SILENCE_MS = 5_000;

interface Asked {
  readonly seconds: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
  given: boolean;
  receivedAt: number;
}

export function createAdvanceCalls({
  database,
  log,
}: Pick<ChannelOptions, 'database' | 'log'>): AdvanceCalls {
  const worker = randomUUID();
  const asked = new Map<string, Asked>();
  /** A message may come twice. */
  const taken = new BoundedMap<string, true>(1_000);
  let advance: ((seconds: number) => Promise<void>) | undefined;
  const channel = createChannel({
    database,
    log,
    name: 'advances',
    onMessage: (payload) => receive(JSON.parse(payload)),
  });
  const send = (message: Message) => channel.send(JSON.stringify(message));

  function receive(message: Message) {
    const { id } = message;
    if (message.step === 'wanted') {
      if (advance !== undefined) send({ id, step: 'offered', worker });
    } else if (message.step === 'given') {
      if (message.worker === worker) work(id, message.seconds);
    } else hearAnswer(message, asked.get(id));
  }

  function hearAnswer(message: Message, one: Asked | undefined) {
    if (one === undefined) return;
    one.receivedAt = performance.now();
    if (message.step === 'offered' && !one.given) {
      one.given = true;
      send({ id: message.id, step: 'given', worker: message.worker, seconds: one.seconds });
    } else if (message.step === 'done') one.resolve();
    else if (message.step === 'failed')
      one.reject(
        message.unavailable ? new UnavailableError(message.reason) : new Error(message.reason),
      );
  }

  async function work(id: string, seconds: number) {
    if (taken.has(id)) return;
    taken.set(id, true);
    const beat = setInterval(send, BEAT_MS, { id, step: 'working' });
    try {
      await advance?.(seconds);
      send({ id, step: 'done' });
    } catch (error) {
      log.warn({ err: error }, 'an advance that another process asked for failed');
      send({
        id,
        step: 'failed',
        reason: (error as Error).message,
        unavailable: error instanceof UnavailableError,
      });
    } finally {
      clearInterval(beat);
    }
  }

  return {
    async ask(seconds) {
      const id = randomUUID();
      channel.listen();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const one: Asked = { seconds, resolve, reject, given: false, receivedAt: performance.now() };
      asked.set(id, one);
      const look = () => {
        const silent = performance.now() - one.receivedAt > SILENCE_MS;
        if (silent && one.given)
          reject(new UnavailableError('the process that advances the clock has fallen silent'));
        else if (silent) reject(new NoWorkerError());
        else if (!one.given) send({ id, step: 'wanted' });
      };
      look();
      const timer = setInterval(look, AGAIN_MS);
      await promise.finally(() => {
        clearInterval(timer);
        asked.delete(id);
      });
    },
    answer(run) {
      advance = run;
      channel.listen();
    },
    close: channel.close,
  };
}
