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

/** A stream that was asked for. */
export interface AskedStream {
  readonly answer: Promise<Response>;
  end(): void;
}

export interface LiveOptions {
  /** Asks for the stream, again after each end. */
  ask(): AskedStream;
  onEvent(event: LiveEvent): void;
  onState(state: LiveState): void;
  /**
   * Called when there is something to read: once the stream has begun, so that no event is missed
   * between the two, or two seconds later without it; every ten seconds while it is away, and once
   * when it is back.
   */
  onPoll(): void;
  /** The session has ended. Called every ten seconds until there is one again. */
  onSignedOut?(): void;
}

/** No event and no heartbeat for this long: what is shown may be old. */
export const SILENCE_MS = 30_000;
const POLL_MS = 10_000;
/** Without a stream for this long, what there is is read all the same. */
const PATIENCE_MS = 2_000;
/** And up to as much again by chance: many come back at once. */
const RETRY_MS = 2_000;

/** Follows until the answered function is called. */
export function follow(options: LiveOptions): () => void {
  const stopped = new AbortController();
  let state: LiveState = { live: false, lastSeenAt: null };
  let silence: ReturnType<typeof setTimeout> | undefined;
  const patience = setTimeout(options.onPoll, PATIENCE_MS);
  let poll = setInterval(options.onPoll, POLL_MS);

  const set = (next: LiveState) => {
    const [before, after] = [state.live, next.live];
    state = next;
    options.onState(state);
    clearTimeout(patience);
    if (before !== after && after) options.onPoll(); // what was missed meanwhile
    clearInterval(poll);
    if (!after) poll = setInterval(options.onPoll, POLL_MS);
  };
  const seen = () => {
    clearTimeout(silence);
    if (state.live) state = { live: true, lastSeenAt: Date.now() };
    else set({ live: true, lastSeenAt: Date.now() });
    silence = setTimeout(() => attempt.end(), SILENCE_MS);
  };
  const away = () => {
    clearTimeout(silence);
    if (state.live) set({ ...state, live: false });
  };

  let attempt: AskedStream;
  const run = async () => {
    while (!stopped.signal.aborted) {
      attempt = options.ask();
      const outcome = await readStream(attempt, options, seen).catch(() => 'ended' as const);
      if (stopped.signal.aborted) return;
      away();
      if (outcome === 'signed out') options.onSignedOut?.();
      // The page stays, and may have a session again.
      const waitMs = outcome === 'signed out' ? POLL_MS : RETRY_MS * (1 + Math.random());
      await pause(waitMs, stopped.signal);
    }
  };
  void run();
  return () => {
    stopped.abort();
    attempt.end();
    clearTimeout(patience);
    clearTimeout(silence);
    clearInterval(poll);
  };
}

/** Asks for a stream. That it is asked for again uses the session as little as it does. */
export function askForStream(url: string): AskedStream {
  const ended = new AbortController();
  const answer = fetch(url, {
    headers: { Accept: 'text/event-stream', ...UNATTENDED },
    signal: ended.signal,
  });
  return { answer, end: () => ended.abort() };
}

/** One connection, to its end. */
async function readStream(
  { answer }: AskedStream,
  { onEvent }: LiveOptions,
  seen: () => void,
): Promise<'ended' | 'signed out'> {
  const response = await answer;
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
