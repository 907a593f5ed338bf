import type { Host } from '../../config/database-url.ts';
import { isRefusal, NotPrimaryError } from '../errors.ts';

/** `timeline`: each promotion begins a new one; 0 for standbys and when it was not asked. */
export interface Claim {
  readonly standby: boolean;
  readonly timeline: number;
}

/**
 * The newest timeline of all claims. A host with an older one was replaced while it was frozen
 * or cut off, and is refused for as long as this process lives.
 */
export function createTimelines() {
  let newest = 0;
  return {
    /** Throws when a host, by this claim, is not the primary. */
    assess({ standby, timeline }: Claim) {
      if (standby) throw new NotPrimaryError('it is a standby');
      if (timeline < newest)
        throw new NotPrimaryError(
          `it was overtaken: it writes timeline ${timeline}, and ${newest} has been seen`,
        );
      newest = timeline;
    },
    isNewest: ({ timeline }: Claim) => timeline >= newest,
    /** Whether it took over from the primary of the newest timeline seen so far. */
    isNewer: ({ standby, timeline }: Claim) => !standby && timeline > newest,
  };
}

/** One search for the primary. It ends when it has found it or is stopped. */
export interface PrimarySearch {
  /** What was wrong with each host by its last answer. */
  readonly failures: ReadonlyMap<Host, Error>;
  stop(): void;
}

interface SearchOptions {
  readonly hosts: readonly Host[];
  /** Asks one host, on a connection of its own. */
  readonly ask: (host: Host) => Promise<Claim>;
  readonly timelines: ReturnType<typeof createTimelines>;
  readonly onFound: (host: Host) => void;
  /** A host does not answer, or is not the primary. */
  readonly onFailed: (host: Host, error: Error) => void;
  /** All hosts refuse in a way that waiting does not correct, as they do a wrong password. */
  readonly onRefused: (error: Error) => void;
}

/** Between two questions to a host. */
const PAUSE_MS = { first: 50, longest: 500 };
/** After a host has claimed to be the primary, how long others have to contradict it. */
const GRACE_MS = 250;

/**
 * Asks all hosts at once and repeatedly, so that a silent one delays nothing. Of two that claim to
 * be the primary, the one on the newer timeline is.
 */
export function searchPrimary(options: SearchOptions): PrimarySearch {
  const { hosts, ask, timelines, onFound, onFailed, onRefused } = options;
  const claims = new Map<Host, Claim>();
  const failures = new Map<Host, Error>();
  let grace: NodeJS.Timeout | undefined;
  let ended = false;

  async function askUntilEnd(host: Host) {
    for (let pauseMs = PAUSE_MS.first; !ended; pauseMs = Math.min(PAUSE_MS.longest, pauseMs * 2)) {
      const claim = await ask(host).catch((error: Error) => error);
      if (ended) return;
      note(host, claim);
      decide();
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
    }
  }

  function note(host: Host, claim: Claim | Error) {
    try {
      if (claim instanceof Error) throw claim;
      timelines.assess(claim);
      claims.set(host, claim);
      failures.delete(host);
    } catch (error) {
      claims.delete(host);
      failures.set(host, error as Error);
      onFailed(host, error as Error);
      if (failures.size === hosts.length && [...failures.values()].every(isRefusal))
        onRefused(error as Error);
    }
  }

  function decide() {
    if (claims.size === 0) return;
    const allReceived = hosts.every((host) => claims.has(host) || failures.has(host));
    if (allReceived) settle();
    else grace ??= setTimeout(settle, GRACE_MS);
  }

  function settle() {
    clearTimeout(grace);
    grace = undefined;
    const best = [...claims].find(([, claim]) => timelines.isNewest(claim));
    if (best === undefined) return;
    stop();
    onFound(best[0]);
  }

  function stop() {
    ended = true;
    clearTimeout(grace);
  }

  for (const host of hosts) askUntilEnd(host);
  return { failures, stop };
}
