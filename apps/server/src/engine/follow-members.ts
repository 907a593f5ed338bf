import { type MemberHint, readHintsAfter, readHintsOf } from '../storage/candidates.ts';
import type { Database } from '../storage/db.ts';
import {
  forgetMemberChanges,
  readMemberChanges,
  readMemberHorizon,
} from '../storage/member-changes.ts';
import type { MemberIndex } from './member-index.ts';

/**
 * Keeps an index as the database has the members: all of them at first, then whom other processes
 * have changed.
 */
export interface MemberFollower {
  /**
   * Every member has been read once. Until then, whose turn it is cannot be told, and the database
   * is asked.
   */
  readonly loaded: boolean;
  /** The first reading has ended, well or not. */
  readonly firstReading: Promise<void>;
  /** Members whose write may or may not have happened: they are read again. */
  doubt(memberIds: readonly string[]): Promise<void>;
  /** Changes may have been lost: everybody is read again. */
  startAnew(): void;
  stop(): void;
}

export interface FollowOptions {
  readonly database: Database;
  readonly index: MemberIndex;
  readonly log: { warn(detail: object, message: string): void };
  /** The session that writes for this process, whose changes the index has already. */
  readonly ownSession: () => number | null;
}

/** Whose turn it is may be twice this old between processes (D74). */
const FOLLOW_MS = 1_000;
/** Changes are kept this long. A process that has not looked for half of it reads everybody. */
const KEPT_MS = 60_000;
/** Members that are read at once: some 20 ms for the database, and less for this thread. */
const PAGE = 2_000;
/**
 * Everybody is read again at least so much later, for what was written by hand; with very many, in
 * one part of the time in this many.
 */
const READ_ALL_MS = 2_000;
const READ_ALL_SHARE = 500;

export function followMembers({
  database: { pool },
  index,
  log,
  ownSession,
}: FollowOptions): MemberFollower {
  let loaded = false;
  let stopped = false;
  /** Everybody has to be read. */
  let anew = true;
  /** Where the next look for changes begins. */
  let horizon = '0';
  /** Who could not be told from an older row, because this process was writing them. */
  let unsure: readonly string[] = [];
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;
  let readingAll: Promise<void> | undefined;
  let readAllAt = Number.NEGATIVE_INFINITY;
  let readAllEveryMs = READ_ALL_MS;
  /** A horizon of some time ago, which nobody who follows goes back behind. */
  let kept: { readonly since: number; readonly horizon: string } | undefined;

  const timer = setInterval(look, FOLLOW_MS);
  timer.unref();
  const firstReading = look().then(() => readingAll);

  function look(): Promise<void> {
    looking ??= follow()
      .catch((error) => {
        anew = true;
        if (!stopped) log.warn({ err: error }, 'the changes of members could not be read');
      })
      .finally(() => {
        looking = undefined;
      });
    return looking;
  }

  async function follow() {
    const now = performance.now();
    if (anew || now - lookedAt > KEPT_MS / 2) {
      anew = false;
      horizon = await readMemberHorizon(pool);
      readingAll = (readingAll ?? Promise.resolve()).then(readAll);
    } else {
      if (now - readAllAt > readAllEveryMs) readingAll ??= readAll();
      const changes = await readMemberChanges(pool, horizon, ownSession());
      await read([...new Set([...unsure, ...changes.memberIds])]);
      horizon = changes.horizon;
    }
    lookedAt = now;
    await forgetOld(now);
  }

  async function read(memberIds: readonly string[]) {
    const missed: string[] = [];
    for (let at = 0; at < memberIds.length; at += PAGE) {
      const mark = index.mark();
      for (const hint of await readHintsOf(pool, memberIds.slice(at, at + PAGE)))
        if (!index.refresh(hint, mark)) missed.push(hint.memberId);
    }
    unsure = missed;
  }

  /** Reads everybody, a page at a time. Nobody waits for it. */
  async function readAll() {
    readAllAt = performance.now();
    try {
      for (let after: string | null = null, last = false; !last && !stopped; ) {
        const mark = index.mark();
        const page: readonly MemberHint[] = await readHintsAfter(pool, after, PAGE);
        for (const hint of page) index.refresh(hint, mark);
        after = page.at(-1)?.memberId ?? null;
        last = page.length < PAGE;
      }
      loaded ||= !stopped;
      readAllEveryMs = Math.max(READ_ALL_MS, (performance.now() - readAllAt) * READ_ALL_SHARE);
    } catch (error) {
      anew = true;
      if (!stopped) log.warn({ err: error }, 'the member index could not be refreshed');
    } finally {
      readingAll = undefined;
    }
  }

  async function forgetOld(now: number) {
    if (kept !== undefined && now - kept.since < KEPT_MS) return;
    if (kept !== undefined) await forgetMemberChanges(pool, kept.horizon);
    kept = { since: now, horizon };
  }

  return {
    get loaded() {
      return loaded;
    },
    firstReading,
    async doubt(memberIds) {
      for (const memberId of memberIds) index.forget(memberId);
      try {
        const mark = index.mark();
        for (const hint of memberIds.length > 0 ? await readHintsOf(pool, memberIds) : [])
          index.refresh(hint, mark);
      } catch {
        anew = true; // the connection is in trouble: they come back with everybody
      }
    },
    startAnew() {
      anew = true;
    },
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}
