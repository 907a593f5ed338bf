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

/** Rows that the disk did not take. `whose`: the member signed in, who alone sees their own. */
function memoryOver<One extends Row>(
  read: () => Promise<readonly One[]>,
  remove: (id: string) => Promise<unknown>,
  whose: () => string | undefined,
) {
  /** As they were last read from the disk. */
  let seen: readonly One[] = [];
  /** In the place of what the disk has; null: gone, though the disk may still have it. */
  const held = new Map<string, One | null>();
  const everybodys = (): readonly One[] =>
    [...seen.filter(({ id }) => !held.has(id)), ...held.values()]
      .filter((row) => row !== null)
      .sort((left, right) => left.number - right.number);
  const rows = () => everybodys().filter(({ memberId }) => memberId === whose());
  return {
    rows,
    has: (id: string) => held.has(id),
    // Another member may have signed in since it was made.
    find: (id: string) => everybodys().find((row) => row.id === id),
    hold: (id: string, row: One | null) => void held.set(id, row),
    /** What the disk has taken counts as read. */
    see(row: One) {
      seen = [...seen.filter(({ id }) => id !== row.id), row];
    },
    nextNumber: () => (rows().at(-1)?.number ?? 0) + 1,
    async all() {
      seen = await read().catch(() => seen);
      // The disk may take changes again. What it still has of a row would be sent, or ask, at the
      // next opening: right only where nothing of it has left the phone.
      for (const { id } of seen)
        if (held.has(id) && !held.get(id)?.untried) await remove(id).catch(() => {});
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
  const memory = memoryOver(disk.all, (id) => disk.change(id, () => null), whose);
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
      const isUndone = changed === null && entry.state === 'ready';
      return isUndone || entry.owner !== owner ? undefined : changed;
    };
  /**
   * The disk has not taken the change. It may still give the entry up, which then is this window's
   * alone: else it would be there as it was before, and could be undone while it is sent.
   */
  async function takeOver(id: string, next: Next): Promise<boolean> {
    const removed = await disk.change(id, (entry) => next(entry) && null).catch(() => undefined);
    if (removed === false) return false;
    return changeInMemory(id, removed ? next : unlessElsewhere(next)) !== undefined;
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
      if (memory.has(id)) return changeInMemory(id, next) !== undefined;
      return disk.change(id, next).catch(() => takeOver(id, next));
    },
    async settle(id, next) {
      if (!memory.has(id)) {
        const settled = await disk.settle(id, next).catch(() => undefined);
        if (settled !== undefined) return settled;
      }
      const entry = changeInMemory(id, next);
      if (entry !== undefined) await carry(entry.action);
      return entry !== undefined;
    },
  };
}

export function picturesWithMemory(
  disk: PictureStore,
  whose: () => string | undefined,
): PictureStore {
  const memory = memoryOver<KeptPicture>(disk.all, (id) => disk.put(id, () => null), whose);
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
