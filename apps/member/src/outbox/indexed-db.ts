import type { Entry, OutboxStore } from './outbox.ts';

/** What the app keeps on the phone: `entries` of the outbox, and `kept` of what was last read. */

const NAME = 'munshi-member';
const VERSION = 1;

export function openDatabase(factory: IDBFactory = indexedDB): Promise<IDBDatabase> {
  const request = factory.open(NAME, VERSION);
  request.onupgradeneeded = () => {
    request.result.createObjectStore('entries', { keyPath: 'id' });
    request.result.createObjectStore('kept');
  };
  return answered(request);
}

const answered = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
const finished = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });

/** The outbox in IndexedDB. A call that has answered is on the disk. */
export function indexedDbStore<Action>(database: IDBDatabase): OutboxStore<Action> {
  /** Everything in one transaction: between its requests no other window writes. */
  async function write<Result>(
    work: (entries: IDBObjectStore) => Promise<Result>,
  ): Promise<Result> {
    const transaction = database.transaction('entries', 'readwrite', { durability: 'strict' });
    const [result] = await Promise.all([
      work(transaction.objectStore('entries')),
      finished(transaction),
    ]);
    return result;
  }
  const list = async (entries: IDBObjectStore): Promise<Entry<Action>[]> =>
    (await answered(entries.getAll())).sort((left, right) => left.number - right.number);

  return {
    all: () => list(database.transaction('entries').objectStore('entries')),
    add: (entry) =>
      write(async (entries) => {
        const known = await list(entries);
        const same = known.filter(({ subject }) => subject === entry.subject);
        if (same.some(({ state }) => state !== 'refused')) return false;
        for (const { id } of same) entries.delete(id);
        entries.add({ ...entry, number: (known.at(-1)?.number ?? 0) + 1 });
        return true;
      }),
    change: (id, change) =>
      write(async (entries) => {
        const entry: Entry<Action> | undefined = await answered(entries.get(id));
        const next = entry && change(entry);
        if (next === undefined) return false;
        if (next === null) entries.delete(id);
        else entries.put(next);
        return true;
      }),
  };
}

/** What was last read, for a phone without network. Null: nothing. */
export const readKept = async <Value>(database: IDBDatabase, name: string): Promise<Value | null> =>
  (await answered(database.transaction('kept').objectStore('kept').get(name))) ?? null;

/** Whose things are kept. */
const MEMBER = 'member';

/** Keeps what was read; nothing where nobody is signed in any more when the answer comes. */
export async function keep(database: IDBDatabase, name: string, value: unknown): Promise<void> {
  await changeKept(database, name, () => value);
}

/** Puts what `change` answers in the place of what is kept, in one transaction. */
export async function changeKept<Value>(
  database: IDBDatabase,
  name: string,
  change: (kept: Value | undefined) => Value,
): Promise<void> {
  const transaction = database.transaction('kept', 'readwrite');
  const kept = transaction.objectStore('kept');
  const isTheirs = name === MEMBER || (await answered(kept.getKey(MEMBER))) !== undefined;
  if (isTheirs) kept.put(change(await answered(kept.get(name))), name);
  await finished(transaction);
}

/** Forgets what was read, which is about customers, but not who has read it. */
export async function forgetRead(database: IDBDatabase): Promise<void> {
  const transaction = database.transaction('kept', 'readwrite');
  const kept = transaction.objectStore('kept');
  const member = await answered(kept.get(MEMBER));
  kept.clear();
  if (member !== undefined) kept.put(member, MEMBER);
  await finished(transaction);
}

/** Forgets everything, with whoever signs out. */
export async function forgetAll(database: IDBDatabase): Promise<void> {
  const transaction = database.transaction(['entries', 'kept'], 'readwrite');
  transaction.objectStore('entries').clear();
  transaction.objectStore('kept').clear();
  await finished(transaction);
}
