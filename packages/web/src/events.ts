import { UNATTENDED } from './presence.ts';

/**
 * A face's stream of server-sent events. An event is a hint to read again, never the truth itself.
 * Read by fetch and not by EventSource, which hides heartbeats and the status of a refusal.
 */

export interface LiveEvent {
  /** `order`, `claim`, `approval` … as the face names it. */
  readonly kind: string;
  /** What the face says of it, often ids; empty where it says nothing that can be read. */
  readonly data: Readonly<Record<string, unknown>>;
}

export interface LiveState {
  /** False until the stream has begun, and from 30 seconds without a sign on. */
  readonly live: boolean;
  /** When something last came from the service, local time; null: never. */
  readonly lastSeenAt: number | null;
}

export interface LiveOptions {
  readonly url: string;
  onEvent(event: LiveEvent): void;
  onState(state: LiveState): void;
  /** Called every ten seconds while the stream is away, and once when it is back. */
  onPoll(): void;
  /** The session has ended. Called every ten seconds until there is one again. */
  onSignedOut?(): void;
}

/** No event and no heartbeat for this long: what is shown may be old. */
export const SILENCE_MS = 30_000;
const POLL_MS = 10_000;
/** And up to as much again by chance: many come back at once. */
const RETRY_MS = 2_000;

/** Follows until the answered function is called. */
export function follow(options: LiveOptions): () => void {
  const stopped = new AbortController();
  let state: LiveState = { live: false, lastSeenAt: null };
  let silence: ReturnType<typeof setTimeout> | undefined;
  let poll: ReturnType<typeof setInterval> | undefined;

  const set = (next: LiveState) => {
    const [before, after] = [state.live, next.live];
    state = next;
    options.onState(state);
    if (before !== after && after) options.onPoll(); // what was missed meanwhile
    clearInterval(poll);
    poll = after ? undefined : setInterval(options.onPoll, POLL_MS);
  };
  const seen = () => {
    clearTimeout(silence);
    if (state.live) state = { live: true, lastSeenAt: Date.now() };
    else set({ live: true, lastSeenAt: Date.now() });
    silence = setTimeout(() => attempt?.abort(), SILENCE_MS);
  };
  const away = () => {
    clearTimeout(silence);
    if (state.live) set({ ...state, live: false });
  };

  let attempt: AbortController | undefined;
  const run = async () => {
    while (!stopped.signal.aborted) {
      attempt = new AbortController();
      const signal = AbortSignal.any([attempt.signal, stopped.signal]);
      const outcome = await readStream(options, signal, seen).catch(() => 'ended' as const);
      if (stopped.signal.aborted) return;
      away();
      if (outcome === 'signed out') options.onSignedOut?.();
      // The page stays, and may have a session again.
      const waitMs = outcome === 'signed out' ? POLL_MS : RETRY_MS * (1 + Math.random());
      await pause(waitMs, stopped.signal);
    }
  };
  poll = setInterval(options.onPoll, POLL_MS);
  void run();
  return () => {
    stopped.abort();
    clearTimeout(silence);
    clearInterval(poll);
  };
}

/** One connection, to its end. That it is made again uses the session as little as it does. */
async function readStream(
  { url, onEvent }: LiveOptions,
  signal: AbortSignal,
  seen: () => void,
): Promise<'ended' | 'signed out'> {
  const response = await fetch(url, {
    headers: { Accept: 'text/event-stream', ...UNATTENDED },
    signal,
  });
  if (response.status === 401) return 'signed out';
  if (!response.ok || response.body === null) return 'ended';
  seen();
  const decoder = new TextDecoder();
  let unread = '';
  for await (const bytes of chunksOf(response.body)) {
    seen();
    const blocks = (unread + decoder.decode(bytes, { stream: true })).split(/\r?\n\r?\n/);
    unread = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = readEvent(block);
      if (event !== undefined) onEvent(event);
    }
  }
  return 'ended';
}

/** A block of the stream; undefined for a comment, such as a heartbeat. */
export function readEvent(block: string): LiveEvent | undefined {
  let [kind, data] = ['', ''];
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = /^(event|data): ?(.*)$/.exec(line) ?? [];
    if (name === 'event') kind = value;
    if (name === 'data') data += value;
  }
  return kind === '' ? undefined : { kind, data: objectOf(data) };
}

function objectOf(text: string): LiveEvent['data'] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as LiveEvent['data']) : {};
  } catch {
    return {};
  }
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Not every browser that is in use iterates a stream by itself. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
