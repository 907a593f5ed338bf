import { IDBFactory } from 'fake-indexeddb';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  connect,
  type Database,
  forgetMember,
  indexedDbStore,
  keep,
  keepMember,
  pictureStore,
  readKept,
} from './indexed-db.ts';
import { createOutbox, type Entry, LATE_MS, type Outbox, type Sent, UNDO_MS } from './outbox.ts';
import { createPictureQueue, type Picture, type PictureQueue } from './pictures.ts';
import { outboxWithMemory, picturesWithMemory } from './with-memory.ts';

type Decision = 'confirm' | 'reject';
interface Action {
  readonly decision: Decision;
  readonly pictures: readonly Picture[];
}
/** More of an order the service does not take. */
const PICTURES_MAX = 3;

interface Effect {
  readonly id: string;
  readonly by: string;
  readonly subject: string;
  readonly decision: Decision;
  readonly at: number;
}

/** A phone's storage as one window has it: the browser may close it, and it may fail. */
function phoneStorage(factory = new IDBFactory()) {
  const opened: IDBOpenDBRequest[] = [];
  let failing = false;
  let refused = 0;
  function refuseOn(opened: IDBDatabase) {
    const begin = opened.transaction.bind(opened);
    opened.transaction = (stores, mode, options) => {
      const begun = begin(stores, mode, options);
      if (mode === 'readwrite' && refused-- > 0) begun.abort();
      return begun;
    };
  }
  const open = (name: string, version?: number) => {
    if (failing) throw new DOMException('Internal error.', 'UnknownError');
    const request = factory.open(name, version);
    request.addEventListener('success', () => refuseOn(request.result));
    opened.push(request);
    return request;
  };
  const close = () => {
    for (const { result } of opened.splice(0)) result.close();
  };
  const disk = {
    close,
    fail() {
      failing = true;
      close();
    },
    recover() {
      failing = false;
    },
    refuseWrites(count: number) {
      refused = count;
    },
  };
  return { disk, database: connect(() => Object.assign(Object.create(factory), { open })) };
}

/** A service, a phone with its storage, and time that passes on request. */
async function world() {
  const factory = new IDBFactory();
  const { database, disk } = phoneStorage(factory);
  let signedIn = 'first';
  /** Signs in elsewhere on the phone: this app learns it from the next answer. */
  let signsIn: string | undefined;
  const whose = () => signedIn;
  const storeOn = (on: Database) => indexedDbStore<Action>(on, whose, ({ pictures }) => pictures);
  const store = storeOn(database);
  const pictures = pictureStore(database, whose);
  let now = 1_000_000_000;
  let online = true;
  let loseAnswers = false;
  let ids = 0;
  let opening = 0;
  const effects: Effect[] = [];
  /** What each order has become, by whomever. */
  const orders = new Map<string, Decision>();
  const open = new Set<string>();
  let timers: { at: number; owner: string; work: () => Promise<void> }[] = [];
  /** Acts once for a key, and answers a repeat with the first result. */
  function serve({ id, subject, action: { decision: action } }: Entry<Action>): Sent {
    if (effects.some((effect) => effect.id === id)) return { is: 'done' };
    const became = orders.get(subject);
    if (became === action) return { is: 'done' };
    if (became !== undefined) return { is: 'refused', refusal: `It is ${became} now.` };
    orders.set(subject, action);
    effects.push({ id, by: signedIn, subject, decision: action, at: now });
    return { is: 'done' };
  }

  const handedIn: Picture[] = [];
  /** Handed in before the action that carries it was sent. */
  const early: string[] = [];
  async function take(picture: Picture): Promise<Sent> {
    const carrying = (await store.all().catch(() => [])).find(({ action }) =>
      action.pictures.some(({ id }) => id === picture.id),
    );
    if (handedIn.some(({ id }) => id === picture.id)) return { is: 'done' };
    if (carrying !== undefined && carrying.state !== 'refused') early.push(picture.id);
    const before = handedIn.filter(({ orderId }) => orderId === picture.orderId);
    if (before.length >= PICTURES_MAX) return { is: 'refused', refusal: 'too-many' };
    handedIn.push(picture);
    return { is: 'done' };
  }

  /**
   * `worker`: it lives for an event, and nothing comes after that. `on`: the storage, where it fails
   * for this window alone.
   */
  function openApp({ worker = false, on = database } = {}) {
    const owner = `opening ${++opening}`;
    open.add(owner);
    const isGone = () => !open.has(owner);
    const kept = picturesWithMemory(pictureStore(on, whose), whose);
    const carry = async (action: Action) => {
      for (const each of action.pictures) await kept.add(each);
    };
    const shown = worker ? store : outboxWithMemory(storeOn(on), { owner, whose, carry });
    const outbox = createOutbox<Action>(shown, {
      owner,
      memberId: whose,
      newId: () => `key ${++ids}`,
      now: () => now,
      async learnTime() {
        signedIn = signsIn ?? signedIn;
        return online;
      },
      async send(entry) {
        if (!online || isGone()) return { is: 'unreachable' };
        const sent = serve(entry);
        return loseAnswers ? { is: 'unreachable' } : sent;
      },
      isDone: async ({ subject, action }) =>
        online && !isGone() ? orders.get(subject) === action.decision : undefined,
      isOpen: async (other) => open.has(other),
      alone: (work) => (isGone() ? Promise.resolve() : work()),
      later: (ms, work) => {
        if (!worker) timers.push({ at: now + ms, owner, work });
      },
      changed: () => {},
    });
    const queue = createPictureQueue(kept, {
      async send(picture) {
        if (!online || isGone()) return { is: 'unreachable' };
        const sent = await take(picture);
        return loseAnswers ? { is: 'unreachable' } : sent;
      },
      alone: (work) => (isGone() ? Promise.resolve() : work()),
      later: (ms, work) => timers.push({ at: now + ms, owner, work }),
      changed: () => {},
    });
    return { owner, outbox, queue, shown };
  }

  return {
    factory,
    database,
    disk,
    store,
    pictures,
    effects,
    orders,
    handedIn,
    early,
    openApp,
    now: () => now,
    signIn(memberId: string) {
      signedIn = memberId;
    },
    signInElsewhere(memberId: string) {
      signsIn = memberId;
    },
    network(is: boolean) {
      online = is;
    },
    losing(is: boolean) {
      loseAnswers = is;
    },
    close(owner: string) {
      open.delete(owner);
    },
    async pass(ms: number) {
      const until = now + ms;
      for (;;) {
        const [next] = timers
          .filter(({ at, owner }) => at <= until && open.has(owner))
          .sort((left, right) => left.at - right.at);
        if (next === undefined) break;
        timers = timers.filter((timer) => timer !== next);
        now = Math.max(now, next.at);
        await next.work();
      }
      now = until;
    },
  };
}

let taken = 0;
const picture = (orderId: string, memberId = 'first'): Picture => ({
  id: `picture ${++taken}`,
  memberId,
  orderId,
  kind: 'confirm',
  content: 'data:image/jpeg;base64,',
  amount: '2500',
  currency: 'PKR',
});
const entry = (
  subject: string,
  decision: Decision = 'confirm',
  dueAt: number | null = null,
  pictures: readonly Picture[] = [],
) => ({ subject, action: { decision, pictures }, dueAt });
const states = async (store: { all(): Promise<readonly Entry<Action>[]> }) =>
  (await store.all()).map(({ subject, state }) => `${subject} ${state}`);

describe('an action', () => {
  test('is kept at once, sent when it can no longer be undone, and gone when it is answered', async () => {
    const { store, effects, openApp, pass } = await world();
    const { outbox } = openApp();
    await outbox.put(entry('A'));
    expect(await states(store)).toEqual(['A undoable']);
    await pass(UNDO_MS - 1);
    expect(effects).toEqual([]);
    await pass(1);
    expect(effects).toMatchObject([{ subject: 'A', decision: 'confirm' }]);
    expect(await states(store)).toEqual([]);
  });

  test('that is undone in time is never sent, and cannot be undone later', async () => {
    const { effects, openApp, pass } = await world();
    const { outbox } = openApp();
    const undone = (await outbox.put(entry('A'))) as string;
    expect(await outbox.undo(undone)).toBe(true);
    const sent = (await outbox.put(entry('B'))) as string;
    await pass(UNDO_MS);
    expect(await outbox.undo(sent)).toBe(false);
    expect(effects.map(({ subject }) => subject)).toEqual(['B']);
  });

  test('stands alone: an order has one at a time', async () => {
    const { openApp } = await world();
    const { outbox } = openApp();
    await outbox.put(entry('A'));
    expect(await outbox.put(entry('A', 'reject'))).toBeUndefined();
  });

  test('waits without network, and those behind it too; then they go in order', async () => {
    const { store, effects, openApp, pass, network } = await world();
    const { outbox } = openApp();
    network(false);
    await outbox.put(entry('A'));
    await outbox.put(entry('B'));
    await pass(60_000);
    expect(await states(store)).toEqual(['A ready', 'B ready']);
    network(true);
    await outbox.flush();
    expect(effects.map(({ subject }) => subject)).toEqual(['A', 'B']);
  });

  test('that waits for a network can be taken back, until an attempt has begun', async () => {
    const { store, effects, openApp, pass, network, losing } = await world();
    const { outbox } = openApp();
    network(false);
    const waiting = (await outbox.put(entry('A'))) as string;
    await pass(60_000);
    expect(await outbox.undo(waiting)).toBe(true);
    network(true);
    losing(true);
    const tried = (await outbox.put(entry('B'))) as string;
    await pass(UNDO_MS);
    expect([await states(store), await outbox.undo(tried)]).toEqual([['B ready'], false]);
    expect(effects.map(({ subject }) => subject)).toEqual(['B']);
  });

  test('whose answer was lost is sent again under the same key', async () => {
    const { store, effects, openApp, pass, losing } = await world();
    const { outbox } = openApp();
    losing(true);
    await outbox.put(entry('A'));
    await pass(UNDO_MS);
    expect(await states(store)).toEqual(['A ready']);
    losing(false);
    await pass(10_000);
    expect([effects.length, await states(store)]).toEqual([1, []]);
  });

  test('of a closed app asks at the next opening if it could still be undone, else it is sent', async () => {
    const { store, effects, openApp, pass, network, close } = await world();
    const first = openApp();
    network(false);
    await first.outbox.put(entry('A'));
    await pass(UNDO_MS);
    await first.outbox.put(entry('B'));
    close(first.owner);
    network(true);
    const second = openApp();
    await second.outbox.flush();
    expect(effects.map(({ subject }) => subject)).toEqual(['A']);
    expect(await states(store)).toEqual(['B asking']);
    const [asking] = await store.all();
    await second.outbox.sendNow(asking?.id as string);
    expect(effects.map(({ subject }) => subject)).toEqual(['A', 'B']);
  });

  test('of another open window is left to it', async () => {
    const { store, openApp } = await world();
    await openApp().outbox.put(entry('A'));
    await openApp().outbox.flush();
    expect(await states(store)).toEqual(['A undoable']);
  });

  test.each([
    ['older than five minutes', null, LATE_MS + 1],
    ['past its deadline', 60_000, 60_000],
  ])('%s asks, and is sent when somebody says so', async (_, due, wait) => {
    const { store, effects, openApp, pass, network, now } = await world();
    const { outbox } = openApp();
    network(false);
    const id = (await outbox.put(entry('A', 'confirm', due && now() + due))) as string;
    await pass(wait);
    network(true);
    await pass(5_000);
    expect([effects, await states(store)]).toEqual([[], ['A asking']]);
    await outbox.sendNow(id);
    expect([effects.length, await states(store)]).toEqual([1, []]);
  });

  test.each([-60_000, 0, UNDO_MS])(
    'made %i ms before its deadline is sent without asking',
    async (due) => {
      const { effects, openApp, pass, now } = await world();
      await openApp().outbox.put(entry('A', 'confirm', now() + due));
      await pass(UNDO_MS);
      expect(effects).toMatchObject([{ subject: 'A', decision: 'confirm' }]);
    },
  );

  test('that came through unseen does not ask: the order shows it', async () => {
    const { store, effects, openApp, pass, losing, network } = await world();
    const { outbox } = openApp();
    losing(true);
    await outbox.put(entry('A'));
    await pass(UNDO_MS);
    network(false);
    losing(false);
    await pass(LATE_MS);
    network(true);
    await outbox.flush();
    expect([effects.length, await states(store)]).toEqual([1, []]);
  });

  test('that is refused stays with the sentence until it is read', async () => {
    const { store, orders, openApp, pass } = await world();
    const { outbox } = openApp();
    orders.set('A', 'reject');
    const id = (await outbox.put(entry('A'))) as string;
    await pass(UNDO_MS);
    expect(await store.all()).toMatchObject([{ state: 'refused', refusal: 'It is reject now.' }]);
    expect(await outbox.discard(id)).toBe(true);
    expect(await store.all()).toEqual([]);
  });

  test('of a window that closes is asked about by the one that stays', async () => {
    const { store, openApp, pass, close } = await world();
    const [first, second] = [openApp(), openApp()];
    await first.outbox.put(entry('A'));
    await second.outbox.flush();
    close(first.owner);
    await pass(UNDO_MS);
    expect(await states(store)).toEqual(['A asking']);
  });

  test('is sent by the worker once no window is left, and asks where one could undo it', async () => {
    const { store, effects, openApp, pass, network, close } = await world();
    const { owner, outbox } = openApp();
    await outbox.put(entry('A'));
    network(false);
    await pass(UNDO_MS);
    await outbox.put(entry('B'));
    close(owner);
    network(true);
    const worker = openApp({ worker: true });
    await worker.outbox.flush();
    await worker.outbox.flush();
    expect(effects.map(({ subject }) => subject)).toEqual(['A']);
    expect(await states(store)).toEqual(['B asking']);
  });

  test('stays for the next event where the worker does not reach the service', async () => {
    const { store, effects, openApp, pass, network, close } = await world();
    const { owner, outbox } = openApp();
    await outbox.put(entry('A'));
    network(false);
    await pass(UNDO_MS);
    close(owner);
    await openApp({ worker: true }).outbox.flush();
    expect(await states(store)).toEqual(['A ready']);
    network(true);
    await pass(60_000);
    expect(effects).toEqual([]);
    await openApp({ worker: true }).outbox.flush();
    expect(effects).toHaveLength(1);
  });

  test('is not sent before the time of the service is known', async () => {
    const { effects, openApp, pass, network } = await world();
    network(false); // of this world: the time is away too
    const { outbox } = openApp();
    await outbox.put(entry('A'));
    await pass(30_000);
    expect(effects).toEqual([]);
  });
});

describe('a phone whose storage fails', () => {
  test('opens it again when the browser has closed it', async () => {
    const { store, effects, disk, openApp, pass } = await world();
    const { outbox } = openApp();
    await outbox.put(entry('A'));
    disk.close();
    await outbox.put(entry('B'));
    expect(await states(store)).toEqual(['A undoable', 'B undoable']);
    disk.close();
    await pass(UNDO_MS);
    expect(effects.map(({ subject }) => subject)).toEqual(['A', 'B']);
  });

  test('sends what it could not keep, says so, and hands its pictures in', async () => {
    const { store, effects, handedIn, disk, openApp, pass, network } = await world();
    const { outbox, queue, shown } = openApp();
    disk.fail();
    network(false);
    await outbox.put(entry('A', 'confirm', null, [picture('A')]));
    expect(await outbox.put(entry('A', 'reject'))).toBeUndefined();
    await queue.add(picture('B'));
    await pass(UNDO_MS);
    expect(await shown.all()).toMatchObject([{ subject: 'A', state: 'ready', unkept: true }]);
    network(true);
    await pass(UNDO_MS);
    await queue.flush();
    expect(effects).toMatchObject([{ subject: 'A', decision: 'confirm' }]);
    expect([handedIn.length, await shown.all()]).toEqual([2, []]);
    disk.recover();
    expect([await shown.all(), await states(store)]).toEqual([[], []]);
  });

  test('sends nothing that it could not keep and that is undone', async () => {
    const { effects, disk, openApp, pass } = await world();
    const { outbox, shown } = openApp();
    disk.fail();
    expect(await outbox.undo((await outbox.put(entry('A'))) as string)).toBe(true);
    await pass(UNDO_MS);
    expect([effects, await shown.all()]).toEqual([[], []]);
  });

  test('sends once what it has kept before, and forgets it when the storage is back', async () => {
    const { store, effects, disk, openApp, pass } = await world();
    const { outbox, shown } = openApp();
    await outbox.put(entry('A'));
    disk.fail();
    await pass(UNDO_MS);
    expect([effects.length, await shown.all()]).toEqual([1, []]);
    disk.recover();
    await outbox.flush();
    expect([effects.length, await states(store)]).toEqual([1, []]);
  });

  test('takes nothing back that another window may be sending', async () => {
    const { disk, openApp, pass, network } = await world();
    const { outbox, shown } = openApp();
    network(false);
    const waiting = (await outbox.put(entry('A'))) as string;
    await pass(UNDO_MS);
    await shown.all();
    disk.fail();
    expect(await outbox.undo(waiting)).toBe(false);
  });

  test('is waited for once while it does not open, and used again when it has', async () => {
    const request: { result: object; onsuccess?: () => void } = { result: {} };
    let asked = 0;
    const open = () => {
      asked += 1;
      return request;
    };
    let factory = { open } as unknown as IDBFactory;
    const database = connect(() => factory, 20);
    expect(await readKept(database, 'member')).toBeNull();
    expect(await readKept(database, 'member')).toBeNull();
    expect(asked).toBe(1);
    request.onsuccess?.();
    factory = new IDBFactory();
    await expect.poll(() => keepMember(database, { memberId: 'first' })).toBeUndefined();
    expect(await readKept(database, 'member')).toEqual({ memberId: 'first' });
  });

  test('tries a write again before it counts as not kept', async () => {
    const { store, disk, openApp } = await world();
    const { outbox } = openApp();
    await store.all();
    disk.refuseWrites(1);
    await outbox.put(entry('A'));
    expect(await states(store)).toEqual(['A undoable']);
  });

  test.each(['works', 'fails'])(
    'takes nothing back of another window that is open: it %s',
    async (storage) => {
      const { effects, disk, openApp, pass } = await world();
      const [first, second] = [openApp(), openApp()];
      const id = (await first.outbox.put(entry('A'))) as string;
      await second.shown.all();
      if (storage === 'fails') disk.fail();
      expect(await second.outbox.undo(id)).toBe(false);
      await pass(UNDO_MS);
      expect(effects).toHaveLength(1);
    },
  );

  test('sends nothing that another window has taken back where only that one could write it', async () => {
    const { factory, effects, openApp, pass, network, close } = await world();
    const closed = openApp();
    network(false);
    const id = (await closed.outbox.put(entry('A'))) as string;
    await pass(UNDO_MS);
    close(closed.owner);
    const { disk, database } = phoneStorage(factory);
    const [first, second] = [openApp(), openApp({ on: database })];
    await second.shown.all();
    disk.fail();
    expect(await first.outbox.undo(id)).toBe(true);
    network(true);
    await second.outbox.flush();
    expect(effects).toEqual([]);
  });

  test('has nothing left where another opening could take it back, of what it holds in memory', async () => {
    const { store, disk, effects, openApp, pass, network, losing, close } = await world();
    const { owner, outbox, shown } = openApp();
    network(false);
    const id = (await outbox.put(entry('A'))) as string;
    await pass(UNDO_MS);
    disk.refuseWrites(2);
    network(true);
    losing(true);
    await outbox.flush();
    expect(effects).toHaveLength(1);
    expect(await shown.all()).toMatchObject([{ untried: false, unkept: true }]);
    close(owner);
    expect([await openApp().outbox.undo(id), await states(store)]).toEqual([false, []]);
  });

  test('hands in no picture that was dropped meanwhile, when the storage is back', async () => {
    const { pictures, handedIn, disk, openApp, network, close } = await world();
    const { owner, queue } = openApp();
    network(false);
    const dropped = picture('A');
    await queue.add(dropped);
    await queue.flush();
    disk.fail();
    await queue.drop(dropped.id);
    disk.recover();
    await queue.flush();
    expect(await pictures.all()).toEqual([]);
    close(owner);
    network(true);
    await openApp().queue.flush();
    expect(handedIn).toEqual([]);
  });

  test('sends nothing again that was refused, where the storage did not take that', async () => {
    const { store, orders, disk, openApp, pass, losing } = await world();
    const { outbox, shown } = openApp();
    orders.set('A', 'reject');
    losing(true);
    await outbox.put(entry('A'));
    await pass(UNDO_MS);
    await shown.all();
    losing(false);
    disk.fail();
    await outbox.flush();
    disk.recover();
    expect(await states(shown)).toEqual(['A refused']);
    expect(await states(store)).toEqual([]);
  });

  test('shows a refusal of what it could not keep, until it is read', async () => {
    const { orders, disk, openApp, pass } = await world();
    const { outbox, shown } = openApp();
    disk.fail();
    orders.set('A', 'reject');
    const id = (await outbox.put(entry('A'))) as string;
    await pass(UNDO_MS);
    expect(await shown.all()).toMatchObject([{ state: 'refused', refusal: 'It is reject now.' }]);
    expect([await outbox.discard(id), await shown.all()]).toEqual([true, []]);
  });
});

describe('a phone that another member signs in on', () => {
  test('neither shows nor sends what the first one has not sent, and keeps it for them', async () => {
    const { store, pictures, effects, openApp, pass, network, signIn } = await world();
    const { outbox, queue } = openApp();
    network(false);
    await outbox.put(entry('A'));
    await queue.add(picture('A'));
    await pass(60_000);
    signIn('second');
    expect([await states(store), await pictures.all()]).toEqual([[], []]);
    network(true);
    await outbox.flush();
    expect(effects).toEqual([]);
    // An order may have gone from one to the other.
    expect(await outbox.put(entry('A', 'reject'))).toBeDefined();
    signIn('first');
    expect([await states(store), (await pictures.all()).length]).toEqual([['A ready'], 1]);
    await outbox.flush();
    expect(effects).toMatchObject([{ subject: 'A', decision: 'confirm', by: 'first' }]);
  });

  test('sees whose each thing is, also where the storage still has the first one signed in', async () => {
    const { database, store, pictures, openApp, network, signIn } = await world();
    await keepMember(database, { memberId: 'first' });
    const { outbox, queue } = openApp();
    network(false);
    signIn('second');
    await outbox.put(entry('A'));
    await queue.add(picture('A', 'second'));
    signIn('first');
    expect([await states(store), await pictures.all()]).toEqual([[], []]);
    signIn('second');
    expect([await states(store), (await pictures.all()).length]).toEqual([['A undoable'], 1]);
  });

  test.each(['kept', 'not kept'])(
    'sends nothing of the first one where that comes to light while it is sent: %s',
    async (is) => {
      const { effects, disk, openApp, pass, signIn, signInElsewhere } = await world();
      const { outbox, shown } = openApp();
      if (is === 'not kept') disk.fail();
      await outbox.put(entry('A'));
      signInElsewhere('second');
      await pass(60_000);
      expect(effects).toEqual([]);
      signIn('first');
      expect(await states(shown)).toEqual(['A ready']);
    },
  );

  test('neither shows nor sends what a build before has kept for the first one', async () => {
    const { database, store, signIn } = await world();
    await keepMember(database, { memberId: 'first' });
    const old = { ...entry('A'), id: 'old', madeAt: 0, owner: '', refusal: null };
    await store.add({ ...old, state: 'ready' });
    expect(await states(store)).toEqual(['A ready']);
    signIn('second');
    expect(await states(store)).toEqual([]);
    await keepMember(database, { memberId: 'second' });
    expect(await states(store)).toEqual([]);
  });

  test('forgets what the first one has read', async () => {
    const { database } = phoneStorage();
    await keepMember(database, { memberId: 'first' });
    await keep(database, 'known', 'a customer', 'first');
    await keepMember(database, { memberId: 'first' });
    expect(await readKept(database, 'known', 'first')).toBe('a customer');
    await keepMember(database, { memberId: 'second' });
    await keepMember(database, { memberId: 'first' });
    expect(await readKept(database, 'known', 'first')).toBeNull();
  });

  test('neither reads nor keeps anything where it could not keep that they are signed in', async () => {
    const { database, disk } = phoneStorage();
    await keepMember(database, { memberId: 'first' });
    await keep(database, 'known', 'a customer', 'first');
    disk.fail();
    await expect(keepMember(database, { memberId: 'second' })).rejects.toThrow();
    disk.recover();
    expect(await readKept(database, 'known', 'second')).toBeNull();
    await keep(database, 'known', 'another customer', 'second');
    expect(await readKept(database, 'known', 'first')).toBe('a customer');
    expect(await readKept(database, 'member')).toEqual({ memberId: 'first' });
  });

  test('has what it has not sent forgotten when it signs out, and nobody else', async () => {
    const { database, store, openApp, network, signIn } = await world();
    await keepMember(database, { memberId: 'first' });
    const { outbox } = openApp();
    network(false);
    await outbox.put(entry('A'));
    signIn('second');
    await outbox.put(entry('B'));
    await forgetMember(database, 'second');
    expect(await states(store)).toEqual([]);
    signIn('first');
    expect(await states(store)).toEqual(['A undoable']);
  });
});

describe('a picture', () => {
  test('goes with its action, and is handed in when that was sent', async () => {
    const { handedIn, early, openApp, pass } = await world();
    const { outbox, queue } = openApp();
    await outbox.put(entry('A', 'reject', null, [picture('A'), picture('A')]));
    await queue.flush();
    expect(handedIn).toEqual([]);
    await pass(UNDO_MS);
    await queue.flush();
    expect([handedIn.length, early]).toEqual([2, []]);
  });

  test('of an action that is undone is gone', async () => {
    const { store, pictures, handedIn, openApp, pass } = await world();
    const { outbox, queue } = openApp();
    await outbox.undo((await outbox.put(entry('A', 'reject', null, [picture('A')]))) as string);
    await pass(UNDO_MS);
    await queue.flush();
    expect([handedIn, await store.all(), await pictures.all()]).toEqual([[], [], []]);
  });

  test('holds no action up, however long it takes', async () => {
    const { store, pictures, effects, openApp, pass } = await world();
    const { outbox } = openApp();
    const uploading = Promise.withResolvers<Sent>();
    const slow = createPictureQueue(pictures, {
      send: () => uploading.promise,
      alone: (work) => work(),
      later: () => {},
      changed: () => {},
    });
    await slow.add(picture('A'));
    await outbox.put(entry('B'));
    await pass(UNDO_MS);
    expect([effects.length, await states(store)]).toEqual([1, []]);
    expect(await pictures.all()).toHaveLength(1);
    uploading.resolve({ is: 'done' });
    await slow.flush();
    expect(await pictures.all()).toEqual([]);
  });

  test('that is refused stays with the reason until it is read, and keeps none back', async () => {
    const { pictures, handedIn, openApp } = await world();
    const { queue } = openApp();
    for (const orderId of ['A', 'A', 'A', 'A', 'B']) await queue.add(picture(orderId));
    await queue.flush();
    expect(handedIn.map(({ orderId }) => orderId)).toEqual(['A', 'A', 'A', 'B']);
    const [refused] = await pictures.all();
    expect(refused).toMatchObject({ orderId: 'A', state: 'refused', refusal: 'too-many' });
    await queue.drop(refused?.id as string);
    expect(await pictures.all()).toEqual([]);
  });

  test('that no network took is handed in once at the next opening', async () => {
    const { pictures, handedIn, openApp, network, losing, close } = await world();
    const first = openApp();
    network(false);
    await first.queue.add(picture('A'));
    await first.queue.flush();
    close(first.owner);
    network(true);
    losing(true);
    const second = openApp();
    await second.queue.flush();
    expect([handedIn.length, (await pictures.all()).length]).toEqual([1, 1]);
    losing(false);
    await second.queue.flush();
    expect([handedIn.length, await pictures.all()]).toEqual([1, []]);
  });
});

type Step =
  | {
      readonly do: 'put';
      readonly order: number;
      readonly decision: Decision;
      readonly due: number;
      readonly pictures: number;
    }
  | { readonly do: 'picture'; readonly order: number }
  | { readonly do: 'undo' | 'sendNow' | 'discard'; readonly entry: number }
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'network' | 'losing'; readonly is: boolean }
  | { readonly do: 'close' | 'open' | 'flush' | 'pictures' | 'second' | 'sync' }
  | { readonly do: 'elsewhere'; readonly order: number; readonly decision: Decision };

const decision = fc.constantFrom<Decision>('confirm', 'reject');
const order = fc.nat(4);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      ...{ do: fc.constant('put' as const), order, decision, due: fc.nat(900_000) },
      pictures: fc.nat(2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('picture' as const), order }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('undo', 'sendNow', 'discard'), entry: fc.nat(8) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.constantFrom(100, 2_500, 5_000, 20_000, 200_000, 400_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom('network', 'losing'), is: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('close', 'open', 'flush', 'pictures', 'second', 'sync'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('elsewhere' as const), order, decision }) },
);

interface Made {
  readonly id: string;
  readonly subject: string;
  readonly dueAt: number;
  readonly pictures: readonly Picture[];
  madeAt: number;
  undone: boolean;
  asked: boolean;
  discarded: boolean;
  /** Dropped before it was sent. */
  dropped: boolean;
}

test('under any failure of network, app and service an action acts once, never after its undo, never late without asking, and none is lost; pictures go with it and after it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const phone = await world();
      const { store, effects, orders, openApp, now, network, losing, close, pass } = phone;
      const made: Made[] = [];
      const alone: Picture[] = [];
      const windows: { owner: string; outbox: Outbox<Action>; queue: PictureQueue }[] = [openApp()];
      const front = () => windows.at(-1)?.outbox;
      const pick = (at: number) => made[at % Math.max(1, made.length)];

      for (const one of steps) {
        if (one.do === 'put') {
          const dueAt = now() + one.due;
          const subject = `order ${one.order}`;
          const madeAt = now();
          const pictures = Array.from({ length: one.pictures }, () => picture(subject));
          const action = { decision: one.decision, pictures };
          const id = await front()?.put({ subject, action, dueAt });
          if (id !== undefined)
            made.push({
              id,
              subject,
              dueAt,
              pictures,
              madeAt,
              undone: false,
              asked: false,
              discarded: false,
              dropped: false,
            });
        } else if (one.do === 'picture') {
          const added = picture(`order ${one.order}`);
          await windows.at(-1)?.queue.add(added);
          if (windows.length > 0) alone.push(added);
        } else if (one.do === 'pass') await pass(one.ms);
        else if (one.do === 'network') network(one.is);
        else if (one.do === 'losing') losing(one.is);
        else if (one.do === 'flush') await front()?.flush();
        else if (one.do === 'sync') {
          const worker = openApp({ worker: true });
          await worker.outbox.flush();
          close(worker.owner);
        } else if (one.do === 'pictures') await windows.at(-1)?.queue.flush();
        else if (one.do === 'open' && windows.length === 0) windows.push(openApp());
        else if (one.do === 'second' && windows.length < 2) windows.push(openApp());
        else if (one.do === 'close') {
          const closed = windows.pop();
          if (closed) close(closed.owner);
        } else if (one.do === 'elsewhere') {
          const subject = `order ${one.order}`;
          if (!orders.has(subject)) orders.set(subject, one.decision);
        } else if (one.do === 'undo' || one.do === 'sendNow' || one.do === 'discard') {
          const chosen = pick(one.entry);
          if (chosen === undefined) continue;
          const before = (await store.all()).find(({ id }) => id === chosen.id)?.state;
          const did = await front()?.[one.do](chosen.id);
          if (!did) continue;
          if (one.do === 'undo') {
            chosen.undone = true;
            expect(effects.some(({ id }) => id === chosen.id)).toBe(false);
          }
          if (one.do === 'sendNow') chosen.asked = true;
          if (one.do === 'discard') chosen.discarded = true;
          if (one.do === 'discard') chosen.dropped = before === 'asking';
        }
      }
      // In the end the network is there, and somebody opens the app.
      network(true);
      losing(false);
      if (windows.length === 0) windows.push(openApp());
      await front()?.flush();
      await windows.at(-1)?.queue.flush();
      await pass(60_000);
      await windows.at(-1)?.queue.flush();

      const left = await store.all();
      for (const one of made) {
        const acted = effects.filter(({ id }) => id === one.id);
        expect(acted.length).toBeLessThanOrEqual(1);
        if (one.undone) expect(acted).toEqual([]);
        for (const { at } of acted)
          if (!one.asked) {
            expect(at - one.madeAt).toBeLessThanOrEqual(LATE_MS);
            if (one.dueAt > one.madeAt + UNDO_MS) expect(at).toBeLessThan(one.dueAt);
          }
        const stays = left.some(({ id }) => id === one.id);
        const shown = orders.has(one.subject);
        // It acted, or the order shows another person's outcome, or somebody took it back, or it
        // asks.
        expect(acted.length === 1 || one.undone || one.discarded || stays || shown).toBe(true);
      }
      expect(left.filter(({ state }) => state === 'ready')).toEqual([]);
      const waiting = new Set(
        left.flatMap(({ state, action }) => (state === 'refused' ? [] : action.pictures)),
      );
      const gone = made.filter(({ undone, dropped }) => undone || dropped);
      const kept = await phone.pictures.all();
      const ids = (list: Iterable<{ readonly id: string }>) => [...list].map(({ id }) => id).sort();
      expect(phone.early).toEqual([]);
      expect(ids([...phone.handedIn, ...kept, ...waiting])).toEqual(
        ids([
          ...alone,
          ...made.filter((one) => !gone.includes(one)).flatMap(({ pictures }) => pictures),
        ]),
      );
      expect(kept.filter(({ state }) => state === 'ready')).toEqual([]);
      const numbers = effects
        .filter(({ id }) => !made.find((one) => one.id === id)?.asked)
        .map(({ id }) => made.findIndex((one) => one.id === id));
      expect(numbers.length).toBe(new Set(numbers).size);
    }),
    { numRuns: 150 },
  );
});
