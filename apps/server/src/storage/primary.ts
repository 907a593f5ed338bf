import type { Host } from '../config/database-url.ts';
import { isRefusal, NotPrimaryError, UnavailableError } from './errors.ts';

/** Is told what becomes of the primary, for the log and the metrics. */
export interface PrimaryWatch {
  /** A connection to it broke; the search begins. */
  suspected(): void;
  lost(host: Host, reason: string): void;
  /** `lostMs`: how long it was away; undefined if only a connection was lost. */
  found(host: Host, lostMs: number | undefined, reason: string): void;
}

/** Knows which host is the primary. While it is unknown, all callers wait for one search. */
export interface PrimaryFinder {
  /** Throws what is wrong with the hosts when none is found to be the primary by then. */
  find(patienceMs: number): Promise<Host>;
  /** Throws when a host, by what it says of itself, is not or no longer the primary. */
  confirm(claim: Claim): void;
  /** A connection to this host failed: if it is the primary, the search begins. */
  suspect(host: Host, error: Error): void;
  close(): void;
}

/** `timeline`: each promotion begins a new one; 0 for standbys and when it was not asked. */
export interface Claim {
  readonly standby: boolean;
  readonly timeline: number;
}

interface FinderOptions {
  readonly hosts: readonly Host[];
  /** Asks one host, on a connection of its own. */
  readonly ask: (host: Host) => Promise<Claim>;
  /** This is the primary: connections to others are of no use. */
  readonly onFound: (host: Host) => void;
  readonly watch: PrimaryWatch;
}

/** Between two questions to a host. */
const PAUSE_MS = { first: 50, longest: 500 };
/** After a host has claimed to be the primary, how long others have to contradict it. */
const GRACE_MS = 250;

export const nameOf = ({ host, port }: Host) => (host.startsWith('/') ? host : `${host}:${port}`);

/**
 * All hosts are asked at once and repeatedly, so that a silent one delays nothing. Of two that
 * claim to be the primary, the one on the newer timeline is. The other was replaced while it was
 * frozen or cut off, and is refused for as long as this process lives.
 */
export function createPrimaryFinder({ hosts, ask, onFound, watch }: FinderOptions): PrimaryFinder {
  const waiting = new Set<{
    readonly resolve: (host: Host) => void;
    readonly reject: (error: Error) => void;
  }>();
  const failures = new Map<Host, Error>();
  /** A single host needs no search before the first connection. */
  let known: Host | undefined = hosts.length === 1 ? hosts[0] : undefined;
  let newest = 0;
  let suspicion:
    | { readonly host: Host; readonly reason: string; readonly since: number; lost: boolean }
    | undefined;
  let searching = false;
  let closed = false;

  function assess({ standby, timeline }: Claim) {
    if (standby) throw new NotPrimaryError('it is a standby');
    if (timeline < newest)
      throw new NotPrimaryError(
        `it was overtaken: it writes timeline ${timeline}, and ${newest} has been seen`,
      );
    newest = timeline;
  }

  function search() {
    if (searching || closed) return;
    searching = true;
    failures.clear();
    const claims = new Map<Host, Claim>();
    let grace: NodeJS.Timeout | undefined;

    for (const host of hosts) askUntilFound(host);

    async function askUntilFound(host: Host) {
      for (
        let pauseMs = PAUSE_MS.first;
        searching;
        pauseMs = Math.min(PAUSE_MS.longest, pauseMs * 2)
      ) {
        try {
          const claim = await ask(host);
          if (!searching) return;
          assess(claim);
          claims.set(host, claim);
          failures.delete(host);
        } catch (error) {
          claims.delete(host);
          failed(host, error as Error);
        }
        decide();
        await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
      }
    }

    function failed(host: Host, error: Error) {
      if (!searching) return;
      failures.set(host, error);
      if (suspicion?.host === host) lose(error.message);
      // Waiting does not correct a wrong password.
      if (failures.size === hosts.length && [...failures.values()].every(isRefusal)) giveUp(error);
    }

    function decide() {
      if (!searching || claims.size === 0) return;
      const allHeard = hosts.every((host) => claims.has(host) || failures.has(host));
      if (allHeard) settle();
      else grace ??= setTimeout(settle, GRACE_MS);
    }

    function settle() {
      clearTimeout(grace);
      grace = undefined;
      const [best] = [...claims].filter(([, { timeline }]) => timeline >= newest);
      if (!searching || best === undefined) return;
      searching = false;
      found(best[0]);
    }
  }

  function lose(reason: string) {
    if (suspicion === undefined || suspicion.lost) return;
    suspicion.lost = true;
    watch.lost(suspicion.host, reason);
  }

  function found(host: Host) {
    if (closed) return;
    known = host;
    if (suspicion !== undefined) {
      if (suspicion.host !== host) lose(suspicion.reason);
      watch.found(
        host,
        suspicion.lost ? performance.now() - suspicion.since : undefined,
        suspicion.reason,
      );
    }
    suspicion = undefined;
    onFound(host);
    for (const { resolve } of waiting) resolve(host);
    waiting.clear();
  }

  function giveUp(error: Error) {
    for (const { reject } of waiting) reject(error);
    waiting.clear();
  }

  function explain(): Error {
    const [only, ...others] = hosts.map(
      (host) => `${nameOf(host)}: ${failures.get(host)?.message ?? 'no answer'}`,
    );
    if (others.length > 0)
      return new UnavailableError(
        `none of the hosts is the primary (${[only, ...others].join('; ')})`,
      );
    return failures.values().next().value ?? new UnavailableError('the database does not answer');
  }

  return {
    find(patienceMs) {
      if (known !== undefined) return Promise.resolve(known);
      if (closed) return Promise.reject(new UnavailableError('the database is closed'));
      search();
      return new Promise((resolve, reject) => {
        const one = {
          resolve: (host: Host) => {
            clearTimeout(timer);
            resolve(host);
          },
          reject: (error: Error) => {
            clearTimeout(timer);
            reject(error);
          },
        };
        const timer = setTimeout(() => {
          waiting.delete(one);
          reject(explain());
        }, patienceMs);
        waiting.add(one);
      });
    },
    confirm: assess,
    suspect(host, error) {
      if (closed || known !== host) return;
      known = undefined;
      suspicion = { host, reason: error.message, since: performance.now(), lost: false };
      watch.suspected();
      search();
    },
    close() {
      closed = true;
      searching = false;
      giveUp(new UnavailableError('the database is closed'));
    },
  };
}
