import type { Entry, OutboxStore } from './outbox.ts';
import type { KeptPicture, PictureStore } from './pictures.ts';

/**
 * Stores that hold in memory what the disk does not take, as long as the app is open: what a member
 * does is sent also where their phone cannot keep it.
 */

interface Row {
  readonly id: string;
  readonly memberId?: string | undefined;
  /** Nothing of it has left the phone. */
  readonly untried?: boolean;
  readonly number: number;
}

interface Disk<One> {
  all(): Promise<readonly One[]>;
  remove(id: string): Promise<unknown>;
}

/** Rows that the disk did not take. `whose`: the member signed in, who alone sees their own. */
function memoryOver<One extends Row>(disk: Disk<One>, whose: () => string | undefined) {
  /** As they were last read from the disk. */
  let seen: readonly One[] = [];
  /** In the place of what the disk has; null: gone, though the disk may still have it. */
  const held = new Map<string, One | null>();
  const everybodys = (): readonly One[] =>
    [...seen.filter(({ id }) => !held.has(id)), ...held.values()]
      .filter((row) => row !== null)
      .sort((left, right) => left.number - right.number);
  /**
   * The disk may take changes again. What it still has of a row would be sent, or ask, once more at
   * the next opening: right only where nothing of it has left the phone.
   */
  async function giveUp(id: string): Promise<void> {
    const row = held.get(id);
    if (row !== undefined && row?.untried !== true) await disk.remove(id).catch(() => {});
  }
  const rows = () => everybodys().filter(({ memberId }) => memberId === whose());
  return {
    rows,
    has: (id: string) => held.has(id),
    // Another member may have signed in since it was made.
    find: (id: string) => everybodys().find((row) => row.id === id),
    giveUp,
    hold: (id: string, row: One | null) => void held.set(id, row),
    /** What the disk has taken counts as read. */
    see(row: One) {
      seen = [...seen.filter(({ id }) => id !== row.id), row];
    },
    nextNumber: () => (rows().at(-1)?.number ?? 0) + 1,
    async all() {
      const member = whose();
      const own = await disk.all().catch(() => undefined);
      if (own) seen = [...seen.filter(({ memberId }) => memberId !== member), ...own];
      for (const { id } of seen) await giveUp(id);
      return rows();
    },
  };
}

interface Opening<Action> {
  /** This opening of the app. */
  readonly owner: string;
  /** The member signed in. */
  whose(): string | undefined;
  /** Hands on the pictures of an action that was sent. */
  carry(action: Action): Promise<void>;
}

export function outboxWithMemory<Action>(
  disk: OutboxStore<Action>,
  { owner, whose, carry }: Opening<Action>,
): OutboxStore<Action> {
  const remove = (id: string) => disk.change(id, () => null);
  const memory = memoryOver({ all: disk.all, remove }, whose);
  const inMemory = (entry: Entry<Action>): Entry<Action> => ({ ...entry, unkept: true });
  const ofSubject = (subject: string) => memory.rows().filter((entry) => entry.subject === subject);

  function addToMemory(entry: Entry<Action>): boolean {
    const same = ofSubject(entry.subject);
    if (same.some(({ state }) => state !== 'refused')) return false;
    for (const { id } of same) memory.hold(id, null);
    memory.hold(entry.id, inMemory(entry));
    return true;
  }

  type Next = Parameters<OutboxStore<Action>['change']>[1];
  function changeInMemory(id: string, next: Next): Entry<Action> | undefined {
    const entry = memory.find(id);
    const changed = entry && next(entry);
    if (entry === undefined || changed === undefined) return undefined;
    memory.hold(id, changed && inMemory(changed));
    return entry;
  }
  /** What goes by itself may go from another window too, and neither would learn of the other. */
  const unlessElsewhere =
    (next: Next): Next =>
    (entry) => {
      const changed = next(entry);
      if (entry.state === 'asking' || entry.state === 'refused') return changed;
      const isUndone = changed === null && entry.state === 'ready';
      return isUndone || entry.owner !== owner ? undefined : changed;
    };
  /**
   * The disk has not taken the change. It may still give the entry up, which then is this window's
   * alone: else it would be there as it was before, and could be undone while it is sent.
   */
  async function takeOver(id: string, next: Next): Promise<boolean> {
    let changed = null as Entry<Action> | null;
    const removed = await disk
      .change(id, (entry) => {
        const wanted = next(entry);
        if (wanted === undefined) return undefined;
        changed = wanted;
        return null;
      })
      .catch(() => undefined);
    if (removed === undefined) return changeInMemory(id, unlessElsewhere(next)) !== undefined;
    if (removed) memory.hold(id, changed && inMemory(changed));
    return removed;
  }

  return {
    all: memory.all,
    async add(added) {
      const entry = { ...added, number: memory.nextNumber() };
      if (ofSubject(added.subject).some(({ id }) => memory.has(id))) return addToMemory(entry);
      try {
        const isNew = await disk.add(added);
        if (isNew) memory.see(entry);
        return isNew;
      } catch {
        return addToMemory(entry);
      }
    },
    async change(id, next) {
      if (!memory.has(id)) return disk.change(id, next).catch(() => takeOver(id, next));
      const changed = changeInMemory(id, next) !== undefined;
      await memory.giveUp(id);
      return changed;
    },
    async settle(id, next) {
      if (!memory.has(id)) {
        const settled = await disk.settle(id, next).catch(() => undefined);
        if (settled !== undefined) return settled;
      }
      const entry = changeInMemory(id, next);
      if (entry === undefined) return false;
      await carry(entry.action);
      await memory.giveUp(id);
      return true;
    },
  };
}

export function picturesWithMemory(
  disk: PictureStore,
  whose: () => string | undefined,
): PictureStore {
  const remove = (id: string) => disk.put(id, () => null);
  const memory = memoryOver<KeptPicture>({ all: disk.all, remove }, whose);
  function putInMemory(...[id, change]: Parameters<PictureStore['put']>): void {
    const picture = memory.find(id);
    if (picture !== undefined) memory.hold(id, change(picture));
  }
  return {
    all: memory.all,
    add: (picture) =>
      disk.add(picture).catch(() => {
        const number = memory.nextNumber();
        memory.hold(picture.id, { ...picture, state: 'ready', refusal: null, number });
      }),
    put: async (id, change) => {
      if (memory.has(id)) putInMemory(id, change);
      else await disk.put(id, change).catch(() => putInMemory(id, change));
    },
  };
}
