import { createLimits, type HostLoad } from './limits.ts';

/** Attempts in one process, with those that have not begun or are not recorded yet. */
const HELD_MAX = 4_000;
/** Claims ahead for one destination, so that its next attempts need not wait for a claim. */
const AHEAD_MAX = 400;
/**
 * An answer that comes sooner allows one more claim ahead, a later one half as many: a slow
 * receiver never waits for a claim. At this pace the longest line takes a fifth of a second.
 */
const PROMPT_MS = 50;
/** How long an idle destination is remembered. */
const IDLE_MS = 100;
/** A smaller claim waits a moment: a claim of one costs as much as one of many. */
const CLAIM_MIN = 40;

interface Holder {
  readonly deliveryId: string;
  readonly subjectId: string;
  readonly merchantId: string;
  readonly host: string;
}

interface Host<H> extends HostLoad {
  /** How many may be claimed ahead. */
  ahead: number;
  /** When the last answer came. */
  answeredAt: number;
  /** Claimed ahead, in order. Only while an attempt is under way, whose end lets the next begin. */
  readonly line: H[];
}

/** A prompt destination is not idle for a moment, because its next claim comes soon. */
const isIdle = ({ count, line, ahead, answeredAt }: Host<unknown>) =>
  count === 0 && line.length === 0 && (ahead === 0 || performance.now() - answeredAt > IDLE_MS);

const aheadAfter = (ahead: number, answerMs: number) =>
  answerMs < PROMPT_MS ? Math.min(AHEAD_MAX, ahead + 1) : Math.floor(ahead / 2);

export type Shares<H extends Holder> = ReturnType<typeof createShares<H>>;

/**
 * Shares what may be under way among the destinations, within `limits`, and keeps a line of those
 * that were claimed ahead for each.
 */
export function createShares<H extends Holder>(totalMax?: number) {
  const limits = createLimits(totalMax);
  /** Until they are recorded. */
  const held = new Map<string, H>();
  const hosts = new Map<string, Host<H>>();

  /** What may be claimed for it: what may begin now, and ahead of that. */
  const roomOf = (host: Host<H>) =>
    limits.hostRoom(host) + Math.max(0, host.ahead - host.line.length);

  function forgetIdle(name: string, host: Host<H>) {
    if (isIdle(host)) hosts.delete(name);
  }

  /** Whether its attempt may begin. */
  function hasRoom({ merchantId, host: name }: H) {
    const host = hosts.get(name);
    return (
      limits.merchantRoom(merchantId) > 0 &&
      (host === undefined || (host.line.length === 0 && limits.hostRoom(host) > 0))
    );
  }

  function begin(holder: H) {
    held.set(holder.deliveryId, holder);
    let host = hosts.get(holder.host);
    if (host === undefined) {
      host = { count: 0, merchants: new Map(), ahead: 0, answeredAt: 0, line: [] };
      hosts.set(holder.host, host);
    }
    limits.begin(holder, host);
  }

  /** The attempt was answered after so many milliseconds, or is not made: another may begin. */
  function answered(holder: H, afterMs = Number.POSITIVE_INFINITY) {
    const host = hosts.get(holder.host);
    if (host === undefined || !limits.end(holder, host)) return;
    host.ahead = aheadAfter(host.ahead, afterMs);
    host.answeredAt = performance.now();
    forgetIdle(holder.host, host);
  }

  return {
    /**
     * Asks for room. `now`: the attempt begins. `later`: it waits in line until one of its
     * destination ends. `no`: there is no room, and nothing on its way whose end would give it any.
     */
    reserve(holder: H): 'now' | 'later' | 'no' {
      if (hasRoom(holder)) {
        begin(holder);
        return 'now';
      }
      const host = hosts.get(holder.host);
      if (host === undefined || host.count === 0) return 'no';
      held.set(holder.deliveryId, holder);
      host.line.push(holder);
      return 'later';
    },
    /**
     * An attempt of this destination has ended: those who begin in its place, out of the line, and
     * those who have waited too long and are released.
     */
    advance(name: string, isLate: (holder: H) => boolean) {
      const [begun, late]: [H[], H[]] = [[], []];
      const host = hosts.get(name);
      while (host !== undefined && host.line.length > 0) {
        if (host.count > 0 && limits.hostRoom(host) <= 0) break;
        const next = host.line.shift() as H;
        if (isLate(next)) {
          late.push(next);
          held.delete(next.deliveryId);
        } else {
          begun.push(next);
          begin(next);
        }
      }
      return { begun, late };
    },
    /**
     * Whether a destination has room for a claim of some size; `soon` when it has some, and nothing
     * that could begin before.
     */
    wants(name: string): 'claim' | 'soon' | 'nothing' {
      const host = hosts.get(name);
      if (host === undefined) return 'soon';
      const room = roomOf(host);
      if (room >= Math.max(CLAIM_MIN, host.ahead / 2)) return 'claim';
      return room > 0 && host.line.length === 0 ? 'soon' : 'nothing';
    },
    answered,
    /** The attempt is recorded, or not made at all. */
    release(holder: H) {
      answered(holder);
      held.delete(holder.deliveryId);
    },
    /** Attempts under way. */
    get size() {
      return limits.size;
    },
    /** What a claim may ask for. */
    room() {
      for (const [name, host] of hosts) forgetIdle(name, host);
      return {
        room: Math.min(limits.free(), HELD_MAX - held.size),
        roomPerHost: limits.freshHostRoom(),
        hosts: [...hosts].map(([name, host]) => ({ host: name, room: roomOf(host) })),
        withoutMerchants: limits.fullMerchants(),
        withoutSubjects: [...held.values()].map(({ subjectId }) => subjectId),
      };
    },
  };
}
