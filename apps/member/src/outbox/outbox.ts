import { oneAtATime } from './one-at-a-time.ts';

/**
 * Actions that are sent once, in the order in which they were made, with or without a network: kept
 * on the phone from the moment in which somebody decides until the service has answered.
 *
 * An entry begins as `undoable`. When its time to undo is over it is `ready` and sent. It is
 * `asking` where sending it by itself could do harm: it is late, or the app was closed while it
 * could be undone. It is `refused` when the service has said no, until somebody has read that.
 * Sent, undone and discarded entries are gone.
 */

export interface Entry<Action> {
  /** The Idempotency-Key: the service acts once for it, however often it is sent. */
  readonly id: string;
  /** Who made it: it is sent in their name, or not at all. Absent: a build before has kept it. */
  readonly memberId?: string | undefined;
  /** What it is about. A member has one unsent action for it at a time. */
  readonly subject: string;
  readonly action: Action;
  /** By the service's clock, milliseconds; again when somebody says that it is still right. */
  readonly madeAt: number;
  /**
   * After this time it is not sent without asking; null: whenever, also where the time ended before
   * the action could have been sent.
   */
  readonly dueAt: number | null;
  readonly state: 'undoable' | 'ready' | 'asking' | 'refused';
  /** The opening of the app that made it: only that one knows how long it can be undone. */
  readonly owner: string;
  /** Grows from entry to entry. */
  readonly number: number;
  /** The service's sentence; null but for refused ones. */
  readonly refusal: string | null;
  /** Nothing of it has left the phone: it can be taken back as long as that is so. */
  readonly untried?: boolean;
  /** The phone could not keep it: it is gone when the app is closed. */
  readonly unkept?: boolean;
}

/** Whether `undo` takes it back. */
export const canUndo = ({ state, untried }: Entry<unknown>): boolean =>
  state === 'undoable' || (state === 'ready' && untried === true);

export type NewEntry<Action> = Pick<Entry<Action>, 'subject' | 'action' | 'dueAt'>;

/** Keeps entries. Every call is one transaction, for all windows of the app on this phone. */
export interface OutboxStore<Action> {
  /** Those of the member signed in, in the order in which they were made. */
  all(): Promise<readonly Entry<Action>[]>;
  /**
   * Keeps it with the next number, in the place of a refused one of its subject. Answers false, and
   * keeps nothing, if its member has one of the subject that is not refused.
   */
  add(entry: Omit<Entry<Action>, 'number'>): Promise<boolean>;
  /**
   * Puts what `change` answers in the entry's place: null removes it, undefined leaves it. Answers
   * whether something changed.
   */
  change(
    id: string,
    change: (entry: Entry<Action>) => Entry<Action> | null | undefined,
  ): Promise<boolean>;
  /**
   * The same for an entry that was sent: what it carries goes on its way by that, or not at all.
   */
  settle: OutboxStore<Action>['change'];
}

/** What became of an attempt; `unreachable`: nobody knows, and it is sent again. */
export type Sent =
  | { readonly is: 'done' }
  | { readonly is: 'unreachable' }
  | { readonly is: 'refused'; readonly refusal: string };

export interface OutboxPort<Action> {
  /** This opening of the app. */
  readonly owner: string;
  /** The member signed in. */
  memberId(): string | undefined;
  newId(): string;
  /** The service's time, as well as it is known. */
  now(): number;
  /**
   * Asks the service for its time if it was out of reach since the last answer. False: it still is.
   */
  learnTime(): Promise<boolean>;
  send(entry: Entry<Action>): Promise<Sent>;
  /** Whether the service shows what the action wants, by whomever; undefined: cannot be reached. */
  isDone(entry: Entry<Action>): Promise<boolean | undefined>;
  /** Whether this opening of the app is still there, in another window perhaps. */
  isOpen(owner: string): Promise<boolean>;
  /** Runs `work` while no other window of this phone does. */
  alone(work: () => Promise<void>): Promise<void>;
  /** Calls `work` after that time, unless the app is closed. */
  later(ms: number, work: () => Promise<void>): void;
  /** Something has changed. */
  changed(): void;
}

export interface Outbox<Action> {
  /**
   * Keeps an action, which can be undone for 5 seconds, and until an attempt to send it begins.
   * Undefined: its subject has one already.
   */
  put(entry: NewEntry<Action>): Promise<string | undefined>;
  /**
   * Takes it back. False: it is too late, and it is or was sent; or the opening that made it is
   * another one and still there: that one sends it, perhaps from its memory.
   */
  undo(id: string): Promise<boolean>;
  /** Somebody says that an entry that asks is still right. */
  sendNow(id: string): Promise<boolean>;
  /** Drops an entry that asks, or one whose refusal has been read. */
  discard(id: string): Promise<boolean>;
  /** Sends what is ready, in order. Call it when the network is back, and when the app opens. */
  flush(): Promise<void>;
}

export const UNDO_MS = 5_000;
/** Older ones ask before they are sent. */
export const LATE_MS = 5 * 60_000;
const RETRY_MS = 5_000;

export function createOutbox<Action>(
  store: OutboxStore<Action>,
  port: OutboxPort<Action>,
): Outbox<Action> {
  let retrying = false;
  /** One run at a time; a caller that asks meanwhile waits for one that began afterwards. */
  const flush = oneAtATime(() => port.alone(sendAll));

  const move = async (
    id: string,
    from: readonly Entry<Action>['state'][],
    change: (entry: Entry<Action>) => Entry<Action> | null | undefined,
    write = store.change,
  ) => {
    const moved = await write(id, (entry) =>
      from.includes(entry.state) ? change(entry) : undefined,
    );
    if (moved) port.changed();
    return moved;
  };

  async function sendAll(): Promise<void> {
    for (const entry of await store.all()) {
      if (entry.state === 'undoable') await adopt(entry);
      if (entry.state === 'ready' && !(await sendOne(entry))) return flushLater(RETRY_MS);
    }
  }

  /** Nobody is left who could undo it: nobody knows whether they would have. */
  async function adopt({ id, owner }: Entry<Action>): Promise<void> {
    if (owner === port.owner) return;
    if (await port.isOpen(owner)) return flushLater(UNDO_MS);
    await move(id, ['undoable'], (entry) => ({ ...entry, state: 'asking' }));
  }

  /** False: the service cannot be reached, and those behind it wait too. */
  async function sendOne(entry: Entry<Action>): Promise<boolean> {
    if (!(await port.learnTime())) return false;
    // The service may have answered that another member is signed in.
    if (entry.memberId !== port.memberId()) return false;
    if (isLate(entry, port.now())) return askAbout(entry);
    const leave = (kept: Entry<Action>) => ({ ...kept, untried: false });
    const takenBack = entry.untried === true && !(await move(entry.id, ['ready'], leave));
    if (takenBack) return true;
    const sent = await port.send(entry);
    if (sent.is === 'unreachable') return false;
    const done = sent.is === 'done' || (await port.isDone(entry));
    if (done === undefined) return false;
    const refusal = sent.is === 'refused' ? sent.refusal : null;
    const settled = (kept: Entry<Action>) =>
      done ? null : { ...kept, state: 'refused' as const, refusal };
    await move(entry.id, ['ready'], settled, store.settle);
    return true;
  }

  /** An earlier attempt may have come through, and its answer not. */
  async function askAbout(entry: Entry<Action>): Promise<boolean> {
    const done = await port.isDone(entry);
    if (done === undefined) return false;
    if (done) await move(entry.id, ['ready'], () => null, store.settle);
    else await move(entry.id, ['ready'], (kept) => ({ ...kept, state: 'asking' }));
    return true;
  }

  function flushLater(ms: number): void {
    if (retrying) return;
    retrying = true;
    port.later(ms, () => {
      retrying = false;
      return flush();
    });
  }

  return {
    async put({ subject, action, dueAt }) {
      const id = port.newId();
      const { owner } = port;
      const memberId = port.memberId();
      const madeAt = port.now();
      const isInTime = dueAt !== null && madeAt + UNDO_MS < dueAt;
      const made = { id, memberId, subject, action, dueAt: isInTime ? dueAt : null, owner, madeAt };
      const entry = { ...made, state: 'undoable', untried: true, refusal: null } as const;
      if (!(await store.add(entry))) return undefined;
      port.changed();
      port.later(UNDO_MS, async () => {
        await move(id, ['undoable'], (kept) => ({ ...kept, state: 'ready' }));
        await flush();
      });
      return id;
    },
    async undo(id) {
      const known = (await store.all()).find((entry) => entry.id === id);
      if (known === undefined) return false;
      if (known.owner !== port.owner && (await port.isOpen(known.owner))) return false;
      return move(id, ['undoable', 'ready'], (entry) => (canUndo(entry) ? null : undefined));
    },
    async sendNow(id) {
      const wanted = await move(id, ['asking'], (entry) => ({
        ...entry,
        state: 'ready',
        madeAt: port.now(),
        dueAt: null,
      }));
      if (wanted) await flush();
      return wanted;
    },
    discard: (id) => move(id, ['asking', 'refused'], () => null),
    flush,
  };
}

/** A clock that went back says nothing about age. */
const isLate = ({ madeAt, dueAt }: Pick<Entry<unknown>, 'madeAt' | 'dueAt'>, now: number) =>
  now - madeAt > LATE_MS || madeAt - now > LATE_MS || (dueAt !== null && now >= dueAt);
