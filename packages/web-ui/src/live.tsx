import { clockText, follow, type LiveEvent, type LiveState } from '@munshi/web';
import { useQueryClient } from '@tanstack/react-query';
import WifiOff from 'lucide-react/icons/wifi-off';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { BeforeReads, useService } from './api.tsx';
import classes from './live.module.css';
import { createReader } from './read-again.ts';
import { useTimeZone } from './when.tsx';

interface Live extends LiveState {
  subscribe(listener: (event: LiveEvent) => void): () => void;
}
const LiveContext = createContext<Live | null>(null);

/** Not connected yet: not shown before this long. */
const PATIENCE_MS = 5_000;

/**
 * Follows the face's events while it is mounted. Reads begin once the stream has. Those that watch a
 * kind are made again after an event of it; all are, every ten seconds, while the stream is away.
 */
export function LiveProvider({
  onSignedOut,
  children,
}: {
  onSignedOut(): void;
  readonly children: ReactNode;
}) {
  const client = useQueryClient();
  const service = useService();
  const [first] = useState(() => Promise.withResolvers<void>());
  const [state, setState] = useState<LiveState>({ live: true, lastSeenAt: null });
  const listeners = useRef(new Set<(event: LiveEvent) => void>());
  const signedOut = useRef(onSignedOut);
  signedOut.current = onSignedOut;
  useEffect(() => {
    const patience = setTimeout(
      () => setState((known) => (known.lastSeenAt === null ? { ...known, live: false } : known)),
      PATIENCE_MS,
    );
    const reader = createReader(client);
    let poll = () => {
      poll = () => reader.readAgain();
      first.resolve();
    };
    const again = gatherKinds(reader.readAgain);
    const stop = follow({
      ask: service.events,
      onState: (next) => {
        clearTimeout(patience);
        setState(next);
      },
      onPoll: () => poll(),
      onSignedOut: () => signedOut.current(),
      onEvent(event) {
        again.add(event.kind);
        for (const listener of listeners.current) listener(event);
      },
    });
    return () => {
      clearTimeout(patience);
      again.stop();
      stop();
      reader.stop();
    };
  }, [service, client, first]);
  const subscribe = (listener: (event: LiveEvent) => void) => {
    listeners.current.add(listener);
    return () => void listeners.current.delete(listener);
  };
  return (
    <LiveContext value={{ ...state, subscribe }}>
      <BeforeReads value={first.promise}>{children}</BeforeReads>
    </LiveContext>
  );
}

/** However many events come, what watches them is read again at most so often. */
const AGAIN_MS = 1_000;

/** Reports the first event soon, and those that follow together. */
function gatherKinds(notify: (kinds: ReadonlySet<string>) => void) {
  let kinds = new Set<string>();
  let notifiedAt = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    timer = undefined;
    notifiedAt = performance.now();
    const gathered = kinds;
    kinds = new Set();
    notify(gathered);
  };
  return {
    add(kind: string) {
      kinds.add(kind);
      timer ??= setTimeout(flush, Math.max(20, notifiedAt + AGAIN_MS - performance.now()));
    },
    stop: () => clearTimeout(timer),
  };
}

/** Calls `listener` for every event of these kinds while the component is on the page. */
export function useLiveEvents(kinds: readonly string[], listener: (event: LiveEvent) => void) {
  const live = useContext(LiveContext);
  const newest = useRef({ kinds, listener });
  newest.current = { kinds, listener };
  const subscribe = live?.subscribe;
  const held = useRef(subscribe);
  held.current = subscribe;
  useEffect(
    () =>
      held.current?.((event) => {
        if (newest.current.kinds.includes(event.kind)) newest.current.listener(event);
      }),
    [],
  );
}

/** The bar that says that what is shown may be old, and since when. */
export function LiveBar() {
  const live = useContext(LiveContext);
  const timeZone = useTimeZone();
  if (live === null || live.live) return null;
  const since = live.lastSeenAt === null ? null : clockText(live.lastSeenAt, timeZone);
  return (
    <div className={classes['bar']} role="status">
      <WifiOff size={16} aria-hidden />
      <strong>
        {since === null ? 'Not live. Trying to connect.' : `Not live, last seen ${since}`}
      </strong>
      <span>This page reloads its data every 10 seconds until the connection is back.</span>
    </div>
  );
}
