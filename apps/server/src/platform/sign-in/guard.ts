import { availableParallelism } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { BoundedMap } from '../bounded-map.ts';
import { TooManyTries } from '../refusals.ts';
import { hashPassword } from './passwords.ts';

/** Who wants to sign in, as far as is known before the password is checked. */
export interface SignInTry {
  /** Of the face and the username: a name that nobody has is treated as one that somebody has. */
  readonly account: string;
  /** The caller's address, or the /64 of an IPv6 one. */
  readonly network: string;
  /** Comes from a browser in which this account was signed in before. */
  readonly known: boolean;
}

export type Checked =
  | { readonly ok: true; readonly verified: boolean }
  | { readonly ok: false; readonly retryAfterSeconds: number };

/**
 * Stands before every check of a password in this process (security.md#sign-ins-and-sessions).
 * Guesses cost the one who guesses: many failures from one network are refused for a minute; many
 * on one account make unknown callers wait, and never keep anybody out. A password's
 * check takes a core for 20 to 40 ms: a few run at once, and the rest wait in lines with an end,
 * where no network takes all the places.
 */
export interface SignInGuard {
  check(tried: SignInTry, verify: () => Promise<boolean>): Promise<Checked>;
  /**
   * Hashes a new password, which costs as much, when it is its turn in these lines; what an
   * operator sets has no limit on places. Throws TooManyTries where the line is full, and for a
   * second one `by` the same link or person meanwhile.
   */
  hash(password: string, chosen: Chosen | 'by an operator'): Promise<string>;
}

/** A new password that somebody has chosen for themselves. */
interface Chosen {
  /** Of the recovery link, or of the person who knows the present password. */
  readonly by: string;
  readonly network: string;
  /** They have shown who they are. */
  readonly known: boolean;
}

/** What a request is given that has a password hashed. */
export interface Guarded {
  readonly signInGuard: SignInGuard;
}

/** Carriers have thousands behind one address: failures count, sign-ins do not. */
const NETWORK = { failuresMax: 100, windowMs: 60_000 };
/** More failures than people make; from there on each ten double the wait. */
const ACCOUNT = { failuresMax: 30, windowMs: 15 * 60_000 };
const WAIT_MS = { first: 250, last: 5_000 };
/** Who waits so, in all and from one network. */
const WAITING_MAX = 1_000;
const WAITING_OF_NETWORK_MAX = 20;
/** Places in each line for a check, in all and for one network. */
const LINE_MAX = 64;
const LINE_OF_NETWORK_MAX = 16;
const RETRY_SECONDS = 2;
/** One core stays free for other requests. */
const CHECKS_AT_ONCE = Math.max(1, Math.min(4, availableParallelism() - 1));

type Line = 'known' | 'unknown' | 'suspect';

export function createSignInGuard(): SignInGuard {
  const ofNetwork = countFailures(NETWORK);
  const ofAccount = countFailures(ACCOUNT);
  const waiting = limitedPlaces(WAITING_MAX, WAITING_OF_NETWORK_MAX);
  const checks = createLines();
  /** By what a password is being hashed, or waits to be. */
  const chosenBy = new Set<string>();

  /** False where too many wait already. */
  async function waitBefore(failures: number, network: string): Promise<boolean> {
    if (!waiting.take(network)) return false;
    const doublings = Math.floor((failures - ACCOUNT.failuresMax) / 10);
    try {
      await setTimeout(Math.min(WAIT_MS.last, WAIT_MS.first * 2 ** doublings), undefined, {
        ref: false,
      });
    } finally {
      waiting.leave(network);
    }
    return true;
  }

  return {
    async check({ account, network, known }, verify) {
      if (!known && ofNetwork.count(network) >= NETWORK.failuresMax)
        return { ok: false, retryAfterSeconds: ofNetwork.secondsLeft(network) };
      const failures = ofAccount.count(account);
      const suspect = !known && failures >= ACCOUNT.failuresMax;
      if (suspect && !(await waitBefore(failures, network)))
        return { ok: false, retryAfterSeconds: WAIT_MS.last / 1_000 };
      const turn = checks.join(known ? 'known' : suspect ? 'suspect' : 'unknown', network);
      if (turn === undefined) return { ok: false, retryAfterSeconds: RETRY_SECONDS };
      await turn;
      try {
        const verified = await verify();
        if (!verified) {
          ofNetwork.add(network);
          ofAccount.add(account);
        }
        return { ok: true, verified };
      } finally {
        checks.done();
      }
    },
    async hash(password, chosen) {
      const own = chosen === 'by an operator' ? undefined : chosen;
      const turn =
        own !== undefined && chosenBy.has(own.by)
          ? undefined
          : checks.join(own?.known === false ? 'unknown' : 'known', own?.network);
      if (turn === undefined) throw new TooManyTries(RETRY_SECONDS);
      if (own !== undefined) chosenBy.add(own.by);
      await turn;
      try {
        return await hashPassword(password);
      } finally {
        checks.done();
        if (own !== undefined) chosenBy.delete(own.by);
      }
    },
  };
}

/**
 * Failures of the last window, by what they count against. Of very many, the oldest are forgotten.
 */
function countFailures({ windowMs }: { readonly windowMs: number }) {
  const counts = new BoundedMap<string, { readonly endsAt: number; count: number }>(20_000);
  const current = (key: string) => {
    const found = counts.get(key);
    if (found !== undefined && found.endsAt > performance.now()) return found;
    counts.delete(key);
    return undefined;
  };
  return {
    count: (key: string) => current(key)?.count ?? 0,
    secondsLeft: (key: string) =>
      Math.ceil(((current(key)?.endsAt ?? 0) - performance.now()) / 1_000),
    add(key: string) {
      const found = current(key);
      if (found === undefined) counts.set(key, { endsAt: performance.now() + windowMs, count: 1 });
      else found.count += 1;
    },
  };
}

/** Places of which there are so many, and so many for each network. */
function limitedPlaces(max: number, ofNetworkMax: number) {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take(network: string): boolean {
      const own = taken.get(network) ?? 0;
      if (all >= max || own >= ofNetworkMax) return false;
      taken.set(network, own + 1);
      all += 1;
      return true;
    },
    leave(network: string) {
      const own = (taken.get(network) ?? 1) - 1;
      if (own === 0) taken.delete(network);
      else taken.set(network, own);
      all -= 1;
    },
  };
}

/**
 * The lines before the checks. A known caller goes first; of the others, one suspect goes for
 * three who are not.
 */
function createLines() {
  const lines: Record<Line, (() => void)[]> = { known: [], unknown: [], suspect: [] };
  const places: Record<Line, ReturnType<typeof limitedPlaces>> = {
    known: limitedPlaces(LINE_MAX, LINE_OF_NETWORK_MAX),
    unknown: limitedPlaces(LINE_MAX, LINE_OF_NETWORK_MAX),
    suspect: limitedPlaces(LINE_MAX, LINE_OF_NETWORK_MAX),
  };
  let running = 0;
  let served = 0;

  function next() {
    while (running < CHECKS_AT_ONCE) {
      const inTurn =
        served % 4 === 3
          ? [lines.known, lines.suspect, lines.unknown]
          : [lines.known, lines.unknown, lines.suspect];
      const start = inTurn.find(({ length }) => length > 0)?.shift();
      if (start === undefined) return;
      running += 1;
      served += 1;
      start();
    }
  }

  return {
    /** Resolves when it is one's turn; undefined where the line is full for the network. */
    join(line: Line, network: string | undefined): Promise<void> | undefined {
      if (network !== undefined && !places[line].take(network)) return undefined;
      return new Promise<void>((resolve) => {
        lines[line].push(() => {
          if (network !== undefined) places[line].leave(network);
          resolve();
        });
        next();
      });
    },
    done() {
      running -= 1;
      next();
    },
  };
}
