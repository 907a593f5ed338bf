import { IDBFactory } from 'fake-indexeddb';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexedDbStore, openDatabase } from './indexed-db.ts';
import { createOutbox, type Entry, LATE_MS, type Outbox, type Sent, UNDO_MS } from './outbox.ts';

type Deed = 'confirm' | 'reject';

interface Effect {
  readonly id: string;
  readonly subject: string;
  readonly deed: Deed;
  readonly at: number;
}

/** A service, a phone with its storage, and time that passes when it is told to. */
async function world() {
  const database = await openDatabase(new IDBFactory());
  const store = indexedDbStore<Deed>(database);
  let now = 1_000_000_000;
  let online = true;
  let loseAnswers = false;
  let ids = 0;
  let opening = 0;
  const effects: Effect[] = [];
  /** What each order has become, by whomever. */
  const orders = new Map<string, Deed>();
  const open = new Set<string>();
  let timers: { at: number; owner: string; work: () => Promise<void> }[] = [];
  /** Acts once for a key, and answers a repeat with the first result. */
  function serve({ id, subject, action }: Entry<Deed>): Sent {
    if (effects.some((effect) => effect.id === id)) return { is: 'done' };
    const became = orders.get(subject);
    if (became === action) return { is: 'done' };
    if (became !== undefined) return { is: 'refused', refusal: `It is ${became} now.` };
    orders.set(subject, action);
    effects.push({ id, subject, deed: action, at: now });
    return { is: 'done' };
  }

  function openApp() {
    const owner = `opening ${++opening}`;
    open.add(owner);
    const isGone = () => !open.has(owner);
    const outbox = createOutbox<Deed>(store, {
      owner,
      newId: () => `key ${++ids}`,
      now: () => now,
      learnTime: async () => online,
      async send(entry) {
        if (!online || isGone()) return { is: 'unreachable' };
        const sent = serve(entry);
        return loseAnswers ? { is: 'unreachable' } : sent;
      },
      isDone: async ({ subject, action }) =>
        online && !isGone() ? orders.get(subject) === action : undefined,
      isOpen: async (other) => open.has(other),
      alone: (work) => (isGone() ? Promise.resolve() : work()),
      later: (ms, work) => timers.push({ at: now + ms, owner, work }),
      changed: () => {},
    });
    return { owner, outbox };
  }

  return {
    store,
    effects,
    orders,
    openApp,
    now: () => now,
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

const entry = (subject: string, action: Deed = 'confirm', dueAt: number | null = null) => ({
  subject,
  action,
  dueAt,
});
const states = async (store: { all(): Promise<readonly Entry<Deed>[]> }) =>
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
    expect(effects).toMatchObject([{ subject: 'A', deed: 'confirm' }]);
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

  test('is not sent before the service has told its time', async () => {
    const { effects, openApp, pass, network } = await world();
    network(false); // of this world: what tells the time too
    const { outbox } = openApp();
    await outbox.put(entry('A'));
    await pass(30_000);
    expect(effects).toEqual([]);
  });
});

type Step =
  | { readonly do: 'put'; readonly order: number; readonly deed: Deed; readonly due: number }
  | { readonly do: 'undo' | 'sendNow' | 'discard'; readonly entry: number }
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'network' | 'losing'; readonly is: boolean }
  | { readonly do: 'close' | 'open' | 'flush' | 'second' }
  | { readonly do: 'elsewhere'; readonly order: number; readonly deed: Deed };

const deed = fc.constantFrom<Deed>('confirm', 'reject');
const order = fc.nat(4);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('put' as const), order, deed, due: fc.nat(900_000) }),
  },
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
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('close', 'open', 'flush', 'second') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('elsewhere' as const), order, deed }) },
);

interface Made {
  readonly id: string;
  readonly subject: string;
  readonly dueAt: number;
  madeAt: number;
  undone: boolean;
  asked: boolean;
  discarded: boolean;
}

test('whatever happens to network, app and service, an action acts once, never after its undo, never late without asking, and none is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const { store, effects, orders, openApp, now, network, losing, close, pass } = await world();
      const made: Made[] = [];
      const windows: { owner: string; outbox: Outbox<Deed> }[] = [openApp()];
      const front = () => windows.at(-1)?.outbox;
      const pick = (at: number) => made[at % Math.max(1, made.length)];

      for (const one of steps) {
        if (one.do === 'put') {
          const dueAt = now() + one.due;
          const subject = `order ${one.order}`;
          const madeAt = now();
          const id = await front()?.put({ subject, action: one.deed, dueAt });
          if (id !== undefined)
            made.push({
              id,
              subject,
              dueAt,
              madeAt,
              undone: false,
              asked: false,
              discarded: false,
            });
        } else if (one.do === 'pass') await pass(one.ms);
        else if (one.do === 'network') network(one.is);
        else if (one.do === 'losing') losing(one.is);
        else if (one.do === 'flush') await front()?.flush();
        else if (one.do === 'open' && windows.length === 0) windows.push(openApp());
        else if (one.do === 'second' && windows.length < 2) windows.push(openApp());
        else if (one.do === 'close') {
          const closed = windows.pop();
          if (closed) close(closed.owner);
        } else if (one.do === 'elsewhere') {
          const subject = `order ${one.order}`;
          if (!orders.has(subject)) orders.set(subject, one.deed);
        } else if (one.do === 'undo' || one.do === 'sendNow' || one.do === 'discard') {
          const chosen = pick(one.entry);
          if (chosen === undefined) continue;
          const at = now();
          const did = await front()?.[one.do](chosen.id);
          if (!did) continue;
          if (one.do === 'undo') {
            chosen.undone = true;
            expect(effects.some(({ id }) => id === chosen.id)).toBe(false);
            expect(at - chosen.madeAt).toBeLessThanOrEqual(UNDO_MS + 400_000);
          }
          if (one.do === 'sendNow') chosen.asked = true;
          if (one.do === 'discard') chosen.discarded = true;
        }
      }
      // In the end the network is there, and somebody opens the app.
      network(true);
      losing(false);
      if (windows.length === 0) windows.push(openApp());
      await front()?.flush();
      await pass(60_000);

      const left = await store.all();
      for (const one of made) {
        const acted = effects.filter(({ id }) => id === one.id);
        expect(acted.length).toBeLessThanOrEqual(1);
        if (one.undone) expect(acted).toEqual([]);
        for (const { at } of acted)
          if (!one.asked) {
            expect(at - one.madeAt).toBeLessThanOrEqual(LATE_MS);
            expect(at).toBeLessThan(one.dueAt);
          }
        const stays = left.some(({ id }) => id === one.id);
        const shown = orders.has(one.subject);
        // It acted, or the order shows the outcome by somebody else, or somebody took it back, or it asks.
        expect(acted.length === 1 || one.undone || one.discarded || stays || shown).toBe(true);
      }
      expect(left.filter(({ state }) => state === 'ready')).toEqual([]);
      const numbers = effects
        .filter(({ id }) => !made.find((one) => one.id === id)?.asked)
        .map(({ id }) => made.findIndex((one) => one.id === id));
      expect(numbers.length).toBe(new Set(numbers).size);
    }),
    { numRuns: 150 },
  );
});
