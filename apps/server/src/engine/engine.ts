import type {
  Command,
  CommandKind,
  CommandOf,
  Decision,
  Instant,
  Notice,
  ResultOf,
} from '@munshi/core';
import pg from 'pg';
import type { Database } from '../storage/db.ts';
import { abandon, StaleRowError, writeChanges } from '../storage/ledger.ts';
import { createTermsCache } from '../storage/terms.ts';
import { isUnavailable, UnavailableError, UnknownCommitError } from '../storage/unavailable.ts';
import { followMembers } from './follow-members.ts';
import { createMemberIndex } from './member-index.ts';
import { type DecidedBatch, decideBatch } from './run-batch.ts';

export interface Engine {
  /**
   * Runs one command. Resolves with its decision after the commit; a refusal is a value. Throws
   * UnavailableError when it could not be decided in time, and the cause when it broke.
   */
  submit<Kind extends CommandKind>(
    command: CommandOf<Kind> & { readonly kind: Kind },
    options?: SubmitOptions,
  ): Promise<Decision<ResultOf<Kind>>>;
  /** Takes no further command; resolves when the accepted ones are answered. */
  stop(): Promise<void>;
  /**
   * Whether commands can be decided now: nothing has waited long, and the lane answers, which is
   * opened for it if there is none.
   */
  ready(): Promise<boolean>;
  /** Since the start; `unanswered` at the moment. */
  readonly stats: {
    readonly batches: number;
    readonly commands: number;
    readonly retries: number;
    readonly unanswered: number;
  };
}

interface SubmitOptions {
  /**
   * A command of this id may have been submitted before, by anybody: it is looked up by its
   * identity, and answered if it was applied.
   */
  readonly mayBeDone?: boolean;
}

export interface EngineOptions {
  readonly database: Database;
  readonly now: () => Instant;
  readonly log: {
    warn(detail: object, message: string): void;
    error(detail: object, message: string): void;
  };
  /** Told after each commit: what members' screens should know. */
  readonly onNotices?: (notices: readonly Notice[]) => void;
  /**
   * Told after each commit by which members may be given withdrawals that they could not before.
   */
  readonly onCapacity?: (memberIds: readonly string[]) => void;
  /** Told after each commit that wrote webhook deliveries. */
  readonly onDeliveries?: () => void;
}

/**
 * Commands decided together. Measured: larger batches gain nothing, smaller ones commit more often.
 */
const BATCH_MAX = 256;
/**
 * The next load goes out behind a commit when as many commands wait as the batch had, and at least
 * this many; with fewer it waits for the commit. Measured: smaller overlapping batches cost more
 * than the overlap gains.
 */
const OVERLAP_MIN = 24;
/**
 * A command that could not be decided by then is answered with UnavailableError; under the 10 s
 * that clients wait.
 */
const DEADLINE_MS = 8_000;
/**
 * Once a command's time is over, a lane on which nothing was committed for so long is given up: it,
 * or what it waits for, may stand still.
 */
const LANE_PATIENCE_MS = 2_000;
/** Between tries to open the lane, each of which waits for the primary by itself. */
const BACK_OFF_MAX_MS = 250;
/** Where a command waits for longer, the engine is not ready for more. */
const READY_WAIT_MS = 4_000;
/**
 * Waiting commands beyond this are refused at once: more than can be decided before their deadline.
 */
const QUEUE_MAX = 20_000;
/** Decisions of the same command after conflicts with other processes, before it is tried alone. */
const TOGETHER_MAX = 4;
const ALONE_MAX = 12;
/**
 * After a start, commands wait at most this long for the index. Beyond it the database is asked for
 * every batch.
 */
const INDEX_PATIENCE_MS = 3_000;

interface Waiting {
  readonly command: Command;
  readonly resolve: (decision: Decision<never>) => void;
  readonly reject: (error: Error) => void;
  readonly deadline: number;
  attempts: number;
  doubtful: boolean;
  answered: boolean;
}

const UNIQUE_VIOLATION = '23505';
/**
 * Conflicts that fresh rows resolve: with a key that is there already, serialization failure,
 * deadlock, a cancelled statement.
 */
const CONFLICTS = new Set([UNIQUE_VIOLATION, '40001', '40P01', '57014']);
/**
 * The server is going away, out of connections or out of space (connection exceptions, operator
 * intervention, resources), or has ended a transaction in which this process stood still.
 */
const SERVER_TROUBLE = /^(08|57P|53|25P0[34])/;

/**
 * What a failed flight means for its commands. `conflict`: decide again from fresh rows. `lost`:
 * the connection or server is in trouble, decide again when it is back. `broken`: some command of
 * the batch fails by itself.
 */
function classify(error: Error, lane: pg.Client): 'conflict' | 'lost' | 'broken' {
  if (error instanceof StaleRowError) return 'conflict';
  if (
    error instanceof UnknownCommitError ||
    lane.connection.stream.destroyed ||
    !lane.connection.stream.writable
  )
    return 'lost';
  if (!(error instanceof pg.DatabaseError)) return 'broken';
  const code = error.code ?? '';
  return CONFLICTS.has(code) ? 'conflict' : SERVER_TROUBLE.test(code) ? 'lost' : 'broken';
}

/**
 * For how many batches what the keys of new orders meet is asked before they are decided: none,
 * until one that was decided without has met something; then one, two, four and so on, as long as
 * the next one without meets something too.
 */
function createWariness() {
  const LONGEST = 64;
  let left = 0;
  let length = 1;
  return {
    next(): boolean {
      left -= 1;
      return left >= 0;
    },
    alarm() {
      left = length;
      length = Math.min(2 * length, LONGEST);
    },
    calm() {
      length = 1;
    },
  };
}

/**
 * The one writer of money and status. Commands wait while a batch is on its way; what waits then is
 * the next batch, so a single command goes through at once and many share a transaction. The next
 * load is sent right behind a commit.
 */
export function createEngine({
  database,
  now,
  log,
  onNotices,
  onCapacity,
  onDeliveries,
}: EngineOptions): Engine {
  const index = createMemberIndex();
  const queue: Waiting[] = [];
  /** To be tried one by one, so that a command that breaks its batch fails alone. */
  const alone: Waiting[] = [];
  const stats = { batches: 0, commands: 0, retries: 0, unanswered: 0 };
  /**
   * All that are not answered, in order of arrival, which is that of their deadlines; answered ones
   * leave from its front. No Set: its outgrown tables keep all alive that was ever in them, until
   * the next full collection.
   */
  const arrived: Waiting[] = [];
  const wariness = createWariness();
  let lane: pg.Client | undefined;
  let opened = false;
  let opening: Promise<pg.Client> | undefined;
  /** When it was opened, or last committed. */
  let laneMovedAt = 0;
  /** Whether a command's time has ended since then. */
  let laneOverdue = false;
  let terms = createTermsCache();
  let running = false;
  let stopping = false;
  let wakeStopped: (() => void) | undefined;
  let onArrival: (() => void) | undefined;

  const clockwork = setInterval(expireWaiting, 250);
  clockwork.unref();
  const members = followMembers({
    database,
    index,
    log,
    ownSession: () => (lane as { readonly processID?: number } | undefined)?.processID ?? null,
  });
  const firstReading = Promise.race([
    members.firstReading,
    new Promise((resolve) => setTimeout(resolve, INDEX_PATIENCE_MS).unref()),
  ]);

  function submit(
    command: Command,
    { mayBeDone = false }: SubmitOptions = {},
  ): Promise<Decision<never>> {
    if (stopping) return Promise.reject(new UnavailableError('the service is stopping'));
    if (stats.unanswered >= QUEUE_MAX)
      return Promise.reject(new UnavailableError('too many requests are waiting for the database'));
    return new Promise((resolve, reject) => {
      const deadline = performance.now() + DEADLINE_MS;
      const waiting: Waiting = {
        command,
        resolve,
        reject,
        deadline,
        attempts: 0,
        doubtful: mayBeDone,
        answered: false,
      };
      stats.unanswered += 1;
      arrived.push(waiting);
      queue.push(waiting);
      wake();
    });
  }

  async function run() {
    while (queue.length + alone.length > 0) {
      const on = await openLane();
      if (on === undefined) {
        await pause();
        continue;
      }
      const batch = (alone.length > 0 ? alone.splice(0, 1) : queue.splice(0, BATCH_MAX)).filter(
        ({ answered }) => !answered,
      );
      if (batch.length > 0) await flyBatch(on, batch);
    }
    running = false;
    if (stopping && stats.unanswered === 0) wakeStopped?.();
  }

  /**
   * Decides a batch and sends its writes; answers follow the commit while the next batch is loaded
   * behind it.
   */
  async function flyBatch(on: pg.Client, batch: readonly Waiting[]) {
    stats.batches += 1;
    stats.commands += batch.length;
    let decided: DecidedBatch;
    try {
      decided = await decideBatch(
        on,
        batch,
        members.loaded ? index : undefined,
        terms,
        now(),
        wariness.next(),
      );
    } catch (error) {
      const meaning = classify(error as Error, on);
      if (meaning === 'lost') dropLane(on);
      else await abandon(on).catch(() => dropLane(on));
      tryAgain(batch, error as Error, meaning, false);
      return;
    }
    for (const member of decided.writes.members) index.put(member);
    const committed = writeChanges(on, decided.writes).then(
      () => {
        for (const { memberId } of decided.writes.members) index.written(memberId);
        laneMoved();
        if (decided.unasked) wariness.calm();
        answer(batch, decided);
      },
      (error: Error) => {
        const meaning = classify(error, on);
        // The hints were for rows that were not written. Whose turn it is has to be known again
        // before the batch is decided again.
        if (meaning === 'lost')
          members.doubt(decided.writes.members.map(({ memberId }) => memberId));
        else for (const member of decided.membersBefore) index.takeBack(member);
        if (meaning === 'lost') dropLane(on);
        if (decided.unasked && error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION)
          wariness.alarm();
        tryAgain(batch, error, meaning, meaning === 'lost');
      },
    );
    await Promise.race([committed, arrivals(Math.max(batch.length, OVERLAP_MIN))]);
  }

  /** Resolves when that many commands are waiting. */
  function arrivals(count: number): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (queue.length < count) return;
        onArrival = undefined;
        resolve();
      };
      onArrival = check;
      check();
    });
  }

  function answer(batch: readonly Waiting[], { outcomes, snapshot, writes }: DecidedBatch) {
    setImmediate(() => {
      batch.forEach((waiting, at) => {
        const outcome = outcomes[at];
        if (outcome === undefined || waiting.answered) return;
        settle(waiting);
        if ('bug' in outcome) waiting.reject(outcome.bug);
        else waiting.resolve(outcome.decision as Decision<never>);
      });
      dropAnswered();
      if (snapshot.notices.length > 0) onNotices?.(snapshot.notices);
      const able = snapshot.ableToTakeMore();
      if (able.length > 0) onCapacity?.(able.map(({ memberId }) => memberId));
      if (writes.deliveries.length > 0) onDeliveries?.();
    });
  }

  function settle(waiting: Waiting) {
    waiting.answered = true;
    stats.unanswered -= 1;
    if (stopping && stats.unanswered === 0) wakeStopped?.();
  }

  function dropAnswered() {
    let count = 0;
    while (arrived[count]?.answered) count += 1;
    arrived.splice(0, count);
  }

  /**
   * Puts a batch that was not written back: to be decided again from fresh rows, or one by one when
   * it keeps failing.
   */
  function tryAgain(
    batch: readonly Waiting[],
    error: Error,
    meaning: ReturnType<typeof classify>,
    doubtful: boolean,
  ) {
    stats.retries += 1;
    const together: Waiting[] = [];
    for (const waiting of batch) {
      if (waiting.answered) continue;
      waiting.attempts += 1;
      waiting.doubtful ||= doubtful;
      if (meaning === 'lost' || (meaning === 'conflict' && waiting.attempts <= TOGETHER_MAX))
        together.push(waiting);
      else if (batch.length > 1 || (meaning === 'conflict' && waiting.attempts <= ALONE_MAX))
        alone.push(waiting);
      else {
        log.error({ err: error, kind: waiting.command.kind }, 'a command failed');
        settle(waiting);
        waiting.reject(error);
      }
    }
    if (meaning === 'lost')
      log.warn(
        { err: error, commands: together.length },
        'the database connection failed; its commands are tried again',
      );
    queue.unshift(...together);
    wake();
  }

  function wake() {
    onArrival?.();
    // The commands that arrive in the same turn of the event loop share the batch.
    if (!running && queue.length + alone.length > 0) {
      running = true;
      setImmediate(run);
    }
  }

  async function openLane(): Promise<pg.Client | undefined> {
    try {
      const on = lane ?? (await connectLane());
      backOffMs = 0;
      await firstReading;
      return on;
    } catch (error) {
      log.warn({ err: error }, 'the database cannot be reached');
      return undefined;
    }
  }

  /** One at a time: commands and `ready` may both want it. */
  function connectLane(): Promise<pg.Client> {
    opening ??= database
      .openLane('engine', { timeoutMs: DEADLINE_MS })
      .then((on) => {
        lane = on;
        laneMoved();
        // The database may have been restored meanwhile: what was known under a version of before
        // says nothing.
        terms = createTermsCache();
        if (opened) members.startAnew();
        opened = true;
        return on;
      })
      .finally(() => {
        opening = undefined;
      });
    return opening;
  }

  async function ready(): Promise<boolean> {
    const waited =
      performance.now() +
      DEADLINE_MS -
      (arrived.find(({ answered }) => !answered)?.deadline ?? Number.POSITIVE_INFINITY);
    if (stopping || waited > READY_WAIT_MS) return false;
    const on = await openLane();
    if (on === undefined) return false;
    // An error is an answer too: the batch that has the lane may have failed.
    return on.query('select 1').then(
      () => true,
      (error) => !isUnavailable(error),
    );
  }

  function laneMoved() {
    laneMovedAt = performance.now();
    laneOverdue = false;
  }

  function dropLane(broken: pg.Client) {
    if (lane === broken) lane = undefined;
    broken.connection.stream.destroy();
  }

  let backOffMs = 0;
  async function pause() {
    backOffMs = Math.min(BACK_OFF_MAX_MS, backOffMs === 0 ? 50 : backOffMs * 2);
    await new Promise((resolve) => setTimeout(resolve, backOffMs));
  }

  function expireWaiting() {
    const time = performance.now();
    for (const waiting of arrived) {
      if (waiting.deadline > time) break;
      if (waiting.answered) continue;
      laneOverdue = true;
      settle(waiting);
      waiting.reject(new UnavailableError('the database did not answer in time'));
    }
    dropAnswered();
    if (laneOverdue && lane !== undefined && time - laneMovedAt > LANE_PATIENCE_MS) dropLane(lane);
  }

  return {
    submit: submit as Engine['submit'],
    ready,
    stats,
    async stop() {
      stopping = true;
      if (stats.unanswered > 0) {
        await new Promise<void>((resolve) => {
          wakeStopped = resolve;
        });
      }
      clearInterval(clockwork);
      members.stop();
      await lane?.end().catch(() => {});
    },
  };
}
