import type { Host } from '../../config/database-url.ts';
import { NotPrimaryError, UnavailableError } from '../errors.ts';
import {
  type Claim,
  createTimelines,
  type PrimarySearch,
  searchPrimary,
} from './primary-search.ts';

/** Called when the primary is lost and found, for the log and the metrics. */
export interface PrimaryWatch {
  /** A connection to it broke; the search begins. */
  suspected(): void;
  lost(host: Host, reason: string): void;
  /** `lostMs`: how long it was away; undefined if only a connection was lost. */
  found(host: Host, lostMs: number | undefined, reason: string): void;
}

/** Knows which host is the primary. While it is unknown, all callers wait for one search. */
export interface PrimaryFinder {
  /** The primary, while it is known. */
  readonly known: Host | undefined;
  /** Throws what is wrong with the hosts when none is found to be the primary by then. */
  find(patienceMs: number): Promise<Host>;
  /** Throws when a host, by what it says of itself, is not or no longer the primary. */
  confirm(claim: Claim): void;
  /** A connection to this host failed: if it is the primary, the search begins. */
  suspect(host: Host, error: Error): void;
  close(): void;
}

interface FinderOptions {
  readonly hosts: readonly Host[];
  /** Asks one host, on a connection of its own. */
  readonly ask: (host: Host) => Promise<Claim>;
  /** This is the primary: connections to others are of no use. */
  readonly onFound: (host: Host) => void;
  readonly watch: PrimaryWatch;
}

export const nameOf = ({ host, port }: Host) => (host.startsWith('/') ? host : `${host}:${port}`);

/**
 * How often the other hosts are asked whether one was promoted. A primary that was frozen, or cut
 * off, for less than a timeout still answers afterwards, and does not know that it was overtaken.
 */
const WATCH_MS = 5_000;

/**
 * Searches when the primary is needed and not known; callers that need it meanwhile wait for that.
 */
export function createPrimaryFinder({ hosts, ask, onFound, watch }: FinderOptions): PrimaryFinder {
  const timelines = createTimelines();
  /** What all who wait now are answered. */
  let answer = createAnswer();
  /** A single host needs no search before the first connection. */
  let known: Host | undefined = hosts.length === 1 ? hosts[0] : undefined;
  let suspicion:
    | { readonly host: Host; readonly reason: string; readonly since: number; lost: boolean }
    | undefined;
  let search: PrimarySearch | undefined;
  let watching: NodeJS.Timeout | undefined;
  let closed = false;

  function found(host: Host) {
    search = undefined;
    known = host;
    watching = setInterval(() => {
      for (const other of hosts) if (other !== host) checkOvertaken(host, other);
    }, WATCH_MS).unref();
    if (suspicion !== undefined) {
      if (suspicion.host !== host) lose(suspicion.reason);
      const { lost, since, reason } = suspicion;
      watch.found(host, lost ? performance.now() - since : undefined, reason);
    }
    suspicion = undefined;
    onFound(host);
    answer.resolve(host);
    answer = createAnswer();
  }

  async function checkOvertaken(host: Host, other: Host) {
    const claim = await ask(other).catch(() => undefined);
    if (claim === undefined || !timelines.isNewer(claim)) return;
    timelines.assess(claim); // so that the search refuses this one, also where it answers first
    suspect(host, new NotPrimaryError(`it was overtaken by ${nameOf(other)}`));
  }

  function suspect(host: Host, error: Error) {
    if (closed || known !== host) return;
    known = undefined;
    clearInterval(watching);
    suspicion = { host, reason: error.message, since: performance.now(), lost: false };
    watch.suspected();
    startSearch();
  }

  function failed(host: Host, error: Error) {
    if (suspicion?.host === host) lose(error.message);
  }

  function lose(reason: string) {
    if (suspicion === undefined || suspicion.lost) return;
    suspicion.lost = true;
    watch.lost(suspicion.host, reason);
  }

  function giveUp(error: Error) {
    answer.reject(error);
    answer = createAnswer();
  }

  function startSearch() {
    search ??= searchPrimary({
      hosts,
      ask,
      timelines,
      onFound: found,
      onFailed: failed,
      onRefused: giveUp,
    });
  }

  return {
    get known() {
      return known;
    },
    find(patienceMs) {
      if (known !== undefined) return Promise.resolve(known);
      if (closed) return Promise.reject(new UnavailableError('the database is closed'));
      startSearch();
      return withPatience(answer.promise, patienceMs, () => explain(hosts, search?.failures));
    },
    confirm: timelines.assess,
    suspect,
    close() {
      closed = true;
      clearInterval(watching);
      search?.stop();
      giveUp(new UnavailableError('the database is closed'));
    },
  };
}

function createAnswer() {
  const answer = Promise.withResolvers<Host>();
  answer.promise.catch(() => {}); // perhaps nobody waits
  return answer;
}

/** Why the primary is not known. */
function explain(hosts: readonly Host[], failures: PrimarySearch['failures'] = new Map()): Error {
  const [only, ...others] = hosts.map(
    (host) => `${nameOf(host)}: ${failures.get(host)?.message ?? 'no answer'}`,
  );
  if (others.length > 0)
    return new UnavailableError(
      `none of the hosts is the primary (${[only, ...others].join('; ')})`,
    );
  return failures.values().next().value ?? new UnavailableError('the database does not answer');
}

function withPatience<T>(result: Promise<T>, patienceMs: number, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), patienceMs);
    result.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
