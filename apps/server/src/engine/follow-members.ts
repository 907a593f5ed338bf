import type { Database } from '../platform/database/db.ts';
import type { BatchLane } from './lane.ts';
import type { MemberIndex } from './member-index.ts';
import { type MemberHint, readHintsAfter, readHintsOf } from './rows/candidates.ts';
import {
  forgetMemberChanges,
  readMemberChanges,
  readMemberHorizon,
} from './rows/member-changes.ts';

/** Keeps an index up to date: first all members, then those that other processes change. */
export interface MemberFollower {
  /** Every member has been read once. Until then the database is asked for candidates. */
  readonly loaded: boolean;
  /** The first reading has ended, whether it succeeded or failed. */
  readonly firstReading: Promise<void>;
  /** Reads at once what others have changed. */
  look(): Promise<void>;
  /** Members whose write may or may not have happened: they are read again. */
  doubt(memberIds: readonly string[]): Promise<void>;
  stop(): void;
}

export interface FollowOptions {
  readonly database: Database;
  readonly index: MemberIndex;
  /** The session that writes for this process: the index has its changes already. */
  readonly lane: Pick<BatchLane, 'processId' | 'losses'>;
  readonly log: { warn(detail: object, message: string): void };
}

/**
 * How often changes are read. What a process knows of others' changes is at most twice this old
 * (decision 7).
 */
const FOLLOW_MS = 1_000;
/**
 * Changes are kept this long. A process that has not read them for half of it reads all members
 * again.
 */
const KEPT_MS = 60_000;
/** Members read at once: about 20 ms of work for the database, and less for this thread. */
const PAGE = 2_000;
/**
 * All members are read again at this interval, because rows may be changed by hand. With very many
 * members it grows, so that reading takes at most 1/READ_ALL_SHARE of the time.
 */
const READ_ALL_MS = 2_000;
const READ_ALL_SHARE = 500;

export function followMembers({
  database: { pool },
  index,
  lane,
  log,
}: FollowOptions): MemberFollower {
  let stopped = false;
  /** All members have to be read again. */
  let readAll = true;
  /** The next read of changes begins here. */
  let horizon = '0';
  /**
   * Members that were read while this process was writing them: the row may have been an older one.
   */
  let unsure: readonly string[] = [];
  let lossesSeen = lane.losses;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<void> | undefined;
  const everybody = createFullReading(pool, index, () => stopped, onFailure);
  const forgetOld = createForgetting(pool);

  const timer = setInterval(look, FOLLOW_MS);
  timer.unref();
  const firstReading = look().then(() => everybody.running);

  function onFailure(error: unknown, message: string) {
    readAll = true;
    if (!stopped) log.warn({ err: error }, message);
  }

  function look(): Promise<void> {
    looking ??= follow()
      .catch((error) => onFailure(error, 'the changes of members could not be read'))
      .finally(() => {
        looking = undefined;
      });
    return looking;
  }

  async function follow() {
    const now = performance.now();
    if (readAll || lane.losses !== lossesSeen || now - lookedAt > KEPT_MS / 2) {
      readAll = false;
      lossesSeen = lane.losses;
      horizon = await readMemberHorizon(pool);
      everybody.begin();
    } else {
      everybody.beginWhenDue(now);
      const changes = await readMemberChanges(pool, horizon, lane.processId);
      await read([...new Set([...unsure, ...changes.memberIds])]);
      horizon = changes.horizon;
    }
    lookedAt = now;
    await forgetOld(now, horizon);
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

  return {
    get loaded() {
      return everybody.loaded;
    },
    firstReading,
    look,
    async doubt(memberIds) {
      for (const memberId of memberIds) index.forget(memberId);
      try {
        const mark = index.mark();
        for (const hint of memberIds.length > 0 ? await readHintsOf(pool, memberIds) : [])
          index.refresh(hint, mark);
      } catch {
        readAll = true; // the connection is in trouble: they come back with everybody
      }
    },
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}

/** Reads all members, a page at a time. Nobody waits for it. */
function createFullReading(
  pool: Database['pool'],
  index: MemberIndex,
  isStopped: () => boolean,
  onFailure: (error: unknown, message: string) => void,
) {
  let loaded = false;
  let running: Promise<void> | undefined;
  let begunAt = Number.NEGATIVE_INFINITY;
  let everyMs = READ_ALL_MS;

  async function read() {
    begunAt = performance.now();
    try {
      for (let after: string | null = null, last = false; !last && !isStopped(); ) {
        const mark = index.mark();
        const page: readonly MemberHint[] = await readHintsAfter(pool, after, PAGE);
        for (const hint of page) index.refresh(hint, mark);
        after = page.at(-1)?.memberId ?? null;
        last = page.length < PAGE;
      }
      loaded ||= !isStopped();
      everyMs = Math.max(READ_ALL_MS, (performance.now() - begunAt) * READ_ALL_SHARE);
    } catch (error) {
      onFailure(error, 'the member index could not be refreshed');
    } finally {
      running = undefined;
    }
  }

  return {
    /** All have been read once. */
    get loaded() {
      return loaded;
    },
    get running() {
      return running;
    },
    /** Starts when the present reading has ended, if there is one. */
    begin() {
      running = (running ?? Promise.resolve()).then(read);
    },
    beginWhenDue(now: number) {
      if (now - begunAt > everyMs) running ??= read();
    },
  };
}

/** Deletes old changes that no process needs any more. */
function createForgetting(pool: Database['pool']) {
  let kept: { readonly since: number; readonly horizon: string } | undefined;
  return async (now: number, horizon: string) => {
    if (kept !== undefined && now - kept.since < KEPT_MS) return;
    if (kept !== undefined) await forgetMemberChanges(pool, kept.horizon);
    kept = { since: now, horizon };
  };
}
